/** The policy for PowerShell: one pipeline of known cmdlets with literal words, or one plain program; the rest asks. */

import type { VerdictName } from "../../../shared/contract/decisions.ts";
import { findObeyedOutput } from "../output-options.ts";
import type { PolicyContext } from "../policy-context.ts";
import { matchRules } from "../rule-match.ts";
import type { UnitVerdict } from "../verdict.ts";
import { type Bindings, type Bound, bindParameters } from "./bind-parameters.ts";
import { type Cmdlet, findCmdlet } from "./cmdlets.ts";
import { withClass } from "./find-class.ts";
import { findsOnlyPlainFiles } from "./found-files.ts";
import { judgeProgram } from "./judge-program.ts";
import { ask, type Judged, type Stream } from "./judged.ts";
import { findBoundProblem } from "./path-words.ts";
import { type PipelineCommand, type PipelineWord, readPipeline } from "./read-pipeline.ts";
import { wordsOf } from "./rule-words.ts";

/** What of a process a person may see unasked; its command line can hold secrets. */
const processProperties =
  /^(?:name|processname|id|cpu|ws|pm|vm|npm|handles|starttime|workingset|responding|sessionid)$/i;

/** Cmdlets whose output is lines of text, in which nothing finds the name of a file. */
const writesText = /^(?:get-content|out-string|convertto-json|write-(?:output|host)|(?:split|join)-path)$/;

function streamAfter(
  name: string,
  known: Cmdlet,
  binding: Bindings,
  before: Stream,
  context: PolicyContext,
): Stream {
  if (name === "get-process") return "processes";
  if (known.does === "lists") return findsOnlyPlainFiles(binding, context) ? "chosen files" : "any files";
  if (before === "processes") return before;
  if (writesText.test(name)) return "text";
  const keeps =
    /^(?:sort|where)-object$/.test(name) || (name === "select-object" && !hasProperties(binding.bound));
  return keeps ? before : "data";
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
    if (before === "chosen files" || (before === "text" && name === "select-string")) return undefined;
    return `${name} would read whatever files come before it.`;
  }
  if (before === "processes") {
    const told = bound.filter(({ kind }) => kind === "property").flatMap(({ word }) => word.values);
    const tellsAll = /^(?:convertto-json|format-list)$/.test(name) && told.length === 0;
    if (tellsAll || told.some((each) => !processProperties.test(each)))
      return "It may print the command lines of other programs.";
  }
  if (known.does === "shapes") return undefined;
  const takesText =
    /^(?:set-content|add-content|out-file)$/.test(name) && (before === "data" || before === "text");
  return takesText ? undefined : `${name} would act on whatever comes before it.`;
}

function judgeCmdlet(
  name: string,
  known: Cmdlet,
  words: readonly PipelineWord[],
  before: Stream,
  context: PolicyContext,
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
  const stream = streamAfter(name, known, binding, before, context);
  if (known.does === "writes") {
    const loses = name === "copy-item" && words.some(({ text }) => /^-(?:recurse|force)/i.test(text));
    return loses
      ? ask("It may overwrite many files.")
      : { verdict: "new", reason: "No rule covers it.", stream };
  }
  return { verdict: "safe", reason: `${name} only reads here.`, stream };
}

function withRules(
  judged: Judged,
  command: PipelineCommand,
  isWhole: boolean,
  context: PolicyContext,
): UnitVerdict {
  const { text } = command;
  const words = wordsOf(command);
  const rule = matchRules(words, context, { shown: isWhole, written: isWhole });
  const as = (verdict: VerdictName, reason: string): UnitVerdict => ({
    text,
    verdict,
    reason,
    rule: rule!.id,
  });
  if (rule?.effect === "deny") return as("deny", `The rule "${rule.text}" forbids it.`);
  if (rule?.effect === "ask" && judged.verdict !== "deny") return as("ask", `The rule "${rule.text}" asks.`);
  const isCovered = rule?.effect === "allow" && judged.verdict === "new";
  const scene = { context, cwds: [context.cwd] };
  const written = isCovered ? findObeyedOutput(words.slice(rule.tokens.length), scene) : undefined;
  if (isCovered && written === undefined) return as("covered", `Covered by the rule "${rule.text}".`);
  const { verdict, reason } = written === undefined ? judged : { ...judged, reason: written };
  return { text, verdict, reason, ...(judged.class && { class: judged.class }) };
}

/** What a cmdlet's name means says nothing of a program that is called so. */
function judgeConfused(command: PipelineCommand, context: PolicyContext): UnitVerdict {
  const { text, name } = command;
  const judged = ask(`${name} is known as a cmdlet, and ${name}.exe is a program.`);
  const { verdict, reason, class: found } = withClass(judged, command, undefined, context);
  return { text, verdict, reason, ...(found && { class: found }) };
}

/** Judges one text as PowerShell would run it, part by part. What it cannot read is one part that asks. */
export function judgePipeline(source: string, context: PolicyContext): UnitVerdict[] {
  const reading = readPipeline(source);
  if ("problem" in reading) return [{ text: source, verdict: "ask", reason: reading.problem }];
  let before: Stream = "nothing";
  return reading.commands.map((command) => {
    const cmdlet = findCmdlet(command.name);
    if (cmdlet !== undefined && command.isFile) return judgeConfused(command, context);
    const judged =
      cmdlet === undefined
        ? judgeProgram(command, before, context)
        : cmdlet.known === undefined
          ? ask(`${cmdlet.name} is no cmdlet that can be read here.`)
          : judgeCmdlet(cmdlet.name, cmdlet.known, command.words, before, context);
    before = judged.stream;
    return withRules(
      withClass(judged, command, cmdlet?.name, context),
      command,
      reading.commands.length === 1,
      context,
    );
  });
}
