/** Says of a command of PowerShell whether it leaves this machine or cannot be undone, by the tables for programs and by cmdlets' verbs. */
import { type Beyond, findBeyond } from "../beyond/find-beyond.ts";
import type { PolicyContext } from "../policy-context.ts";
import { ask, type Judged } from "./judged.ts";
import type { PipelineCommand } from "./read-pipeline.ts";
import { literalWord } from "./rule-words.ts";

/** Cmdlets that reach other machines; those of clouds name them in their noun. */
const sending =
  /^(?:invoke-(?:webrequest|restmethod|command)|(?:send|publish|push|upload|submit|deploy|enter|connect)-\w+|test-(?:connection|netconnection)|resolve-dnsname|start-bitstransfer|(?:new|import|export)-pssession|\w+-(?:az|aws|s3|ec2|gcs|gce|mg|exo|spo|pnp|cs|vmhost)[a-z]\w*)$/;
const losing = /^(?:remove|clear|reset|format|initialize)-\w+$/;
/** What these take away is of this run of PowerShell. */
const ofTheRun =
  /-(?:variable|module|job|history|host|psbreakpoint|pssession|alias|psdrive|typedata|event|error|item|content)$/;

/** What a cmdlet does, as the program that does the same. */
const sameAs: Readonly<Record<string, string>> = { "remove-item": "rm", "clear-content": "truncate" };
const recursive = /^-(?:r|fr?|rf?|rec?u?r?s?e?)$/i;

/**
 * What cannot be undone or leaves asks, also where a rule could cover it; its word says why.
 * @param cmdlet its whole name, where it is one
 */
export function withClass(
  judged: Judged,
  { name, words }: PipelineCommand,
  cmdlet: string | undefined,
  context: PolicyContext,
): Judged {
  if (judged.class !== undefined || (judged.verdict !== "ask" && judged.verdict !== "new")) return judged;
  const program = sameAs[cmdlet ?? ""];
  const values = words.flatMap((word) => word.values);
  // Of its parameters only the one that goes through folders is an option of `rm`.
  const isOfRm = (value: string, at: number) =>
    !/^-e(?:a|rroraction)$/i.test(values[at - 1] ?? "") && (!value.startsWith("-") || recursive.test(value));
  const told = program === undefined ? values : values.filter(isOfRm);
  const verb = classOfVerb(cmdlet ?? name);
  const scene = { context, cwds: [context.cwd] };
  const beyond =
    verb ??
    (program === "rm" && told.length === 0
      ? final("It deletes whatever comes before it.")
      : findBeyond([program ?? name, ...told].map(literalWord), scene));
  if (beyond === undefined) return judged;
  const { reason } = verb ?? (judged.verdict === "ask" ? judged : beyond);
  return { ...ask(reason), stream: judged.stream, class: beyond.class };
}

type Found = Pick<Beyond, "class" | "reason">;
const final = (reason: string): Found => ({ class: "final", reason });

function classOfVerb(name: string): Found | undefined {
  if (sending.test(name)) return { class: "leaves", reason: `${name} reaches another machine.` };
  const isLost = losing.test(name) && !ofTheRun.test(name);
  return isLost ? final(`${name} takes away what nothing here brings back.`) : undefined;
}
