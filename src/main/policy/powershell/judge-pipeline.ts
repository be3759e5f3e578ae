/** The policy for PowerShell: one pipeline of known cmdlets with literal words, or one plain program; the rest asks. */

import { windowsStyle } from "../../paths/windows-style.ts";
import { couldMatchSecret } from "../file-pattern.ts";
import { findAskingProgram } from "../guards/asking-programs.ts";
import { judgeUnit } from "../judge-unit.ts";
import { placePath } from "../path-place.ts";
import { matchRules } from "../rule-match.ts";
import type { ShellContext } from "../shell-context.ts";
import { describePlace } from "../unit-paths.ts";
import type { UnitVerdict, Verdict, VerdictClass } from "../verdict.ts";
import { type Bound, bindParameters } from "./bind-parameters.ts";
import { type Cmdlet, findCmdlet } from "./cmdlets.ts";
import { type PipelineCommand, type PipelineWord, readPipeline } from "./read-pipeline.ts";
import { literalWord, wordsOf } from "./rule-words.ts";
import { placeWindowsPath } from "./windows-path.ts";
import { batchPrograms, findWindowsProgram, readingPrograms } from "./windows-programs.ts";

/** What the command before hands on: nothing, files whose names were narrowed or not, processes, or plain data. */
type Stream = "nothing" | "chosen files" | "any files" | "processes" | "data";

type Judged = { verdict: Verdict; reason: string; stream: Stream; class?: VerdictClass };

/** Cmdlets that reach other machines. */
const sending =
  /^(?:invoke-(?:webrequest|restmethod|command)|send-\w+|test-(?:connection|netconnection)|resolve-dnsname|start-bitstransfer|publish-\w+|enter-pssession|new-pssession)$/;

const ask = (reason: string): Judged => ({ verdict: "ask", reason, stream: "data" });

/** What of a process a person may see unasked; its command line can hold secrets. */
const processProperties =
  /^(?:name|processname|id|cpu|ws|pm|vm|npm|handles|starttime|workingset|responding|sessionid)$/i;

/** @param does names may be listed whatever a pattern stands for; contents and changes may not */
function findPathProblem(
  value: string,
  bare: boolean,
  does: Cmdlet["does"],
  context: ShellContext,
): string | undefined {
  const write = does === "writes";
  const placed = placeWindowsPath(value, context);
  if ("problem" in placed) return `${value} ${placed.problem}.`;
  const pattern = bare && /[*?]/.test(value);
  if (!bare && /[*?[\]]/.test(value)) return `${value} may be a pattern.`;
  const written = value.split(/[\\/]/);
  if (pattern && written.slice(written.findIndex((part) => /[*?]/.test(part))).includes(".."))
    return `The pattern ${value} may climb out of its folder.`;
  const could = couldMatchSecret(placed.path.slice(placed.path.lastIndexOf("/") + 1));
  if (pattern && does !== "lists" && could !== undefined && could !== "faint")
    return `The pattern ${value} may match files that hold secrets.`;
  if (pattern && write) return `The pattern ${value} stands for other files each time.`;
  if (pattern && !context.trusted)
    return `The pattern ${value} may match links that lead outside of an untrusted folder.`;
  const parts = placed.path.split("/");
  const first = parts.findIndex((part) => /[*?]/.test(part));
  const path = pattern ? parts.slice(0, first).join("/") || "/" : placed.path;
  const place = placePath(path, context.cwd, { ...context, paths: windowsStyle });
  const finding = describePlace(value, place, write ? "write" : "read");
  if (finding !== undefined) return finding.reason;
  return write && place.isWorkspaceRoot ? `${value} is the workspace itself.` : undefined;
}

function findBoundProblem(
  bound: readonly Bound[],
  does: Cmdlet["does"],
  context: ShellContext,
): string | undefined {
  for (const { kind, word } of bound) {
    if (kind !== "path") continue;
    for (const value of word.values) {
      const problem = findPathProblem(value, word.bare, does, context);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

/** Whether what a list of files holds was narrowed to names that hold no secrets. */
function isNarrowed(bound: readonly Bound[]): boolean {
  return bound.some(
    ({ name, kind, word }) =>
      (kind === "filter" || kind === "path") &&
      name !== "exclude" &&
      word.values.every((value) => {
        const last = value.slice(Math.max(value.lastIndexOf("/"), value.lastIndexOf("\\")) + 1);
        return /[*?]/.test(last) && (couldMatchSecret(last) ?? "faint") === "faint";
      }),
  );
}

function streamAfter(name: string, known: Cmdlet, bound: readonly Bound[], before: Stream): Stream {
  if (name === "get-process") return "processes";
  if (known.does === "lists") return isNarrowed(bound) ? "chosen files" : "any files";
  if (known.does !== "shapes") return "data";
  const keeps = /^(?:sort|where)-object$/.test(name) || (name === "select-object" && !hasProperties(bound));
  return keeps || before === "processes" ? before : "data";
}

function hasProperties(bound: readonly Bound[]): boolean {
  return bound.some(({ kind }) => kind === "property");
}

function findStreamProblem(
  name: string,
  known: Cmdlet,
  bound: readonly Bound[],
  before: Stream,
): string | undefined {
  const hasPath = bound.some(({ kind }) => kind === "path");
  if (before === "nothing") return known.does === "shapes" ? `${name} has nothing to work on.` : undefined;
  if (known.does === "reads") {
    if (hasPath) return `${name} is given files in two ways.`;
    if (before === "chosen files" || (before === "data" && name === "select-string")) return undefined;
    return `${name} would read whatever files come before it.`;
  }
  if (before === "processes") {
    const told = bound.filter(({ kind }) => kind === "property").flatMap(({ word }) => word.values);
    const tellsAll = /^(?:convertto-json|format-list)$/.test(name) && told.length === 0;
    if (tellsAll || told.some((each) => !processProperties.test(each)))
      return "It may print the command lines of other programs.";
  }
  if (known.does === "shapes") return undefined;
  const takesText = /^(?:set-content|add-content|out-file)$/.test(name) && before === "data";
  return takesText ? undefined : `${name} would act on whatever comes before it.`;
}

function judgeCmdlet(
  name: string,
  known: Cmdlet,
  words: readonly PipelineWord[],
  before: Stream,
  context: ShellContext,
): Judged {
  const binding = bindParameters(words, known);
  if ("problem" in binding) return ask(binding.problem);
  const { bound } = binding;
  const given = new Set(
    bound.map((each) => (/^(?:literalpath|pspath)$/.test(each.name) ? "path" : each.name)),
  );
  const missing = known.needs?.find((each) => !given.has(each) && !(before !== "nothing" && each === "path"));
  if (missing !== undefined) return ask(`${name} is not told its ${missing}.`);
  const problem =
    findStreamProblem(name, known, bound, before) ?? findBoundProblem(bound, known.does, context);
  if (problem !== undefined) return ask(problem);
  const stream = streamAfter(name, known, bound, before);
  if (known.does === "writes") {
    const loses = name === "copy-item" && words.some(({ text }) => /^-(?:recurse|force)/i.test(text));
    return loses
      ? ask("It may overwrite many files.")
      : { verdict: "new", reason: "No rule covers it.", stream };
  }
  return { verdict: "safe", reason: `${name} only reads here.`, stream };
}

function judgeUnknown(name: string): Judged {
  if (sending.test(name)) return { ...ask(`${name} reaches another machine.`), class: "leaves" };
  return ask(`${name} is no cmdlet that can be read here.`);
}

function judgeProgram({ name, words, text }: PipelineCommand, before: Stream, context: ShellContext): Judged {
  const always = findWindowsProgram(name) ?? findAskingProgram(name);
  const isVersion = words.length === 1 && words[0]!.bare && words[0]!.text === "--version";
  const known = readingPrograms.has(name) || batchPrograms.has(name) || findAskingProgram(name) !== undefined;
  if (isVersion && known && before === "nothing")
    return { verdict: "safe", reason: "It prints the version.", stream: "data" };
  if (always !== undefined) return ask(`${name}: ${always}`);
  if (before !== "nothing") return ask(`${name} would act on whatever comes before it.`);
  if (words.some(({ values }) => values.length !== 1))
    return ask("A list of words reaches a program in another form.");
  const values = words.map((word) => word.values[0]!);
  if (values.some((value) => value.startsWith("--%")))
    return ask("It switches PowerShell's reading of words off.");
  if (batchPrograms.has(name) && values.some((value) => !/^[\w./\\:=@+-]*$/.test(value)))
    return ask(`${name} is a batch file, which reads some characters as commands.`);
  // Before PowerShell 7.3 a quote or a last backslash within a word reaches programs in another form.
  if (values.some((value) => /["]|\\$/.test(value) || value === ""))
    return ask("A word may reach the program in another form.");
  for (const [at, value] of values.entries()) {
    // Not a path but "all below", as some toolchains write it.
    if (/(?:^|\/)\.\.\.$/.test(value)) continue;
    const given = /^-{1,2}[\w-]+[=:](.+)$/.exec(value)?.[1] ?? value;
    if (/[\\/:]|^~/.test(given) && !/^[a-z]+:\/\//i.test(given) && !/^[\w.-]+:[\w.:-]+$/.test(given)) {
      const placed = placeWindowsPath(given, context);
      if ("problem" in placed) return ask(`${words[at]!.text} ${placed.problem}.`);
    }
  }
  const unit = {
    text,
    words: [name, ...values.map((value) => value.replaceAll("\\", "/"))].map(literalWord),
    assignments: [],
    redirects: [],
    problems: [],
    cwds: [context.cwd],
  };
  const { unit: judged } = judgeUnit(unit, { ...context, rules: [] });
  const isReader = readingPrograms.has(name) || isVersion;
  if (judged.verdict === "safe" && !isReader)
    return { verdict: "new", reason: "No rule covers it.", stream: "data" };
  const { verdict, reason } = judged;
  return { verdict, reason, stream: "data", ...(judged.class && { class: judged.class }) };
}

function withRules(
  judged: Judged,
  command: PipelineCommand,
  isWhole: boolean,
  context: ShellContext,
): UnitVerdict {
  const { text } = command;
  const rule = matchRules(wordsOf(command), context, isWhole);
  const as = (verdict: Verdict, reason: string): UnitVerdict => ({ text, verdict, reason, rule: rule!.id });
  if (rule?.effect === "deny") return as("deny", `The rule "${rule.text}" forbids it.`);
  if (rule?.effect === "ask" && judged.verdict !== "deny") return as("ask", `The rule "${rule.text}" asks.`);
  if (rule?.effect === "allow" && judged.verdict === "new")
    return as("covered", `Covered by the rule "${rule.text}".`);
  const { verdict, reason } = judged;
  return { text, verdict, reason, ...(judged.class && { class: judged.class }) };
}

/** Judges one text as PowerShell would run it, part by part. What it cannot read is one part that asks. */
export function judgePipeline(source: string, context: ShellContext): UnitVerdict[] {
  const reading = readPipeline(source);
  if ("problem" in reading) return [{ text: source, verdict: "ask", reason: reading.problem }];
  let before: Stream = "nothing";
  return reading.commands.map((command) => {
    const cmdlet = findCmdlet(command.name);
    const judged =
      cmdlet === undefined
        ? judgeProgram(command, before, context)
        : cmdlet.known === undefined
          ? judgeUnknown(cmdlet.name)
          : judgeCmdlet(cmdlet.name, cmdlet.known, command.words, before, context);
    before = judged.stream;
    return withRules(judged, command, reading.commands.length === 1, context);
  });
}
