/** The thread in which commands are judged and their shapes told: a long text, a search of many folders and the readers of bash take their time. */
import { parentPort } from "node:worker_threads";
import type { Verdict } from "../../shared/contract/decisions.ts";
import type { Subject } from "../../shared/contract/subjects.ts";
import { giveBackAtRest } from "../base/give-back.ts";
import { styleOfCommands } from "../paths/own-style.ts";
import { findConfined } from "../policy/bounded/find-confined.ts";
import { collectScripts } from "../policy/collect-units.ts";
import { lookAtDisk } from "../policy/disk.ts";
import { judgeCommand } from "../policy/judge-command.ts";
import { mineRules } from "../policy/mine-rules.ts";
import type { CommandRule, PolicyContext } from "../policy/policy-context.ts";
import { type PastRequest, previewRule } from "../policy/preview-rule.ts";
import { proposeRule } from "../policy/propose-rule.ts";
import { findReach } from "../policy/reach.ts";
import type { ShellUnit } from "../policy/shell-unit.ts";

/** @property shape of one that may be asked about, so that its card needs no second way to the thread */
export type JudgedCommand = { verdict: Verdict; shape?: string };

const judgements = {
  judge: (context: PolicyContext, command: string) => judgeCommand(command, context),
  judgeForCard(context: PolicyContext, command: string): JudgedCommand {
    const verdict = judgeCommand(command, context);
    const mayBeAsked = verdict.verdict === "ask" || verdict.verdict === "new";
    return mayBeAsked ? { verdict, shape: commandShape(command, context) } : { verdict };
  },
  shape: (context: PolicyContext, command: string) => commandShape(command, context),
  propose: (context: PolicyContext, command: string) => proposeRule(command, context),
  preview: (context: PolicyContext, rule: CommandRule, past: readonly PastRequest[]) =>
    previewRule(rule, past, context),
  confined: (context: PolicyContext, past: readonly PastRequest[]) => findConfined(past, context),
  mine: (context: PolicyContext, past: readonly PastRequest[], declined: readonly string[]) =>
    mineRules(past, context, (text) => declined.includes(text)),
  reach: (context: PolicyContext, subject: Subject, verdict: Verdict) => findReach(subject, verdict, context),
};

/** What can be asked of this thread, by name. */
export type Judgements = typeof judgements;

/** A context without the looks at the disk, which the thread takes itself. */
export type JudgingFacts = Omit<PolicyContext, keyof ReturnType<typeof lookAtDisk>>;

export type Asked = { id: number; kind: keyof Judgements; facts: JudgingFacts; args: unknown[] };

/** `answer` is undefined when there is none. */
export type Answered = { id: number; answer: unknown };

function answer({ kind, facts, args }: Asked): unknown {
  const paths = styleOfCommands(process.platform, facts.shell);
  const context: PolicyContext = { ...facts, ...lookAtDisk(facts.workspace, paths, facts.home) };
  const judge = judgements[kind] as (context: PolicyContext, ...args: unknown[]) => unknown;
  return judge(context, ...args);
}

const noteWork = giveBackAtRest();
noteWork();

parentPort?.on("message", (asked: Asked) => {
  noteWork();
  try {
    parentPort?.postMessage({ id: asked.id, answer: answer(asked) } satisfies Answered);
  } catch {
    // Nothing is known of what could not be judged; whoever asked takes that for a reason to ask a person.
    parentPort?.postMessage({ id: asked.id, answer: undefined } satisfies Answered);
  }
});

/** Programs whose first argument says what they do; of any other the arguments are just what it does it to. */
const withSubcommand =
  /^(git|gh|npm|npx|pnpm|yarn|bun|deno|cargo|go|make|pip|uv|poetry|docker|podman|kubectl|helm|terraform|brew|apt|apt-get|systemctl)$/;

/** Longer ones are not read for this; they stand alone. */
const longestCommand = 8_192;

/**
 * The program, its sub-command, its flags, what it assigns and where it redirects, as parsed: `touch a` and `touch b`
 * have one shape, `npm test` and `npm publish` do not, nor `touch a` and `touch a;npm publish`.
 * @returns nothing for more than one unit and for what cannot be read: those fold with nothing.
 */
export function commandShape(command: string, context: PolicyContext): string {
  if (command.length > longestCommand || context.shell !== "bash") return "";
  const { units } = collectScripts(command, context);
  const [unit, ...others] = units;
  return unit === undefined || others.length > 0 ? "" : shapeOf(unit, command);
}

function shapeOf({ text, words, assignments, redirects, problems }: ShellUnit, command: string): string {
  // What stands around the unit, such as a loop or a background, is not told by its words.
  if (problems.length > 0 || text.trim() !== command.trim()) return "";
  const [program, ...rest] = words;
  if (!program || words.some((word) => word.problem !== undefined)) return "";
  const flags = rest.filter(({ value }) => value.startsWith("-")).map(({ value }) => value);
  const subcommand = withSubcommand.test(program.value)
    ? rest.filter(({ value }) => !value.startsWith("-")).slice(0, 1)
    : [];
  const parts = [
    ...assignments.map(({ name, value }) => `${name}=${value.text}`),
    program.value,
    ...subcommand.map(({ value }) => value),
    ...flags.sort(),
    ...redirects.map(({ operator, target }) => `${operator}${target?.text ?? ""}`),
  ];
  return parts.join(" ");
}
