/** The policy for a program that PowerShell starts: its words as they reach it, then judged as everywhere. */
import { quote } from "../../../shared/foreign-words.ts";
import { findAskingProgram } from "../guards/asking-programs.ts";
import { judgeUnit } from "../judge-unit.ts";
import type { PolicyContext } from "../policy-context.ts";
import { readVersionQuestion } from "../version-question.ts";
import { ask, type Judged, type Stream } from "./judged.ts";
import type { PipelineCommand } from "./read-pipeline.ts";
import { literalWord } from "./rule-words.ts";
import { placeWindowsPath } from "./windows-path.ts";
import { batchPrograms, findWindowsProgram, readingPrograms, tellingPrograms } from "./windows-programs.ts";

/** Words that begin a statement. What follows them is read by other rules than the words of a program. */
const keywords = new Set(
  "assembly base begin break catch class clean command configuration continue data define do dynamicparam else elseif end enum exit filter finally for foreach from function hidden if in inlinescript interface module namespace parallel param private process public return sequence static switch throw trap try type until using var while workflow".split(
    " ",
  ),
);

/** Not the name of a folder but "all below", as some toolchains write it. */
const allBelow = /(^|\/)\.\.\.$/;

/** Judges one program of a pipeline by its words and by what comes before it. */
export function judgeProgram(
  { name, words, text }: PipelineCommand,
  before: Stream,
  context: PolicyContext,
): Judged {
  if (keywords.has(name)) return ask(`${name} is a word of PowerShell's own language.`);
  if (before === "nothing" && words.every(({ bare }) => bare)) {
    const args = words.map((word) => word.text);
    const question = readVersionQuestion(name, args, { context, cwds: [context.cwd] });
    if (question === "asked") return { verdict: "safe", reason: "It prints the version.", stream: "text" };
    if (args.length === 0 && tellingPrograms.has(name))
      return { verdict: "safe", reason: `${name} only tells a name here.`, stream: "text" };
  }
  const always = findWindowsProgram(name) ?? findAskingProgram(name);
  if (always !== undefined) return ask(`${name}: ${always}`);
  if (before !== "nothing") return ask(`${name} would act on whatever comes before it.`);
  if (words.some(({ values }) => values.length !== 1))
    return ask("A list of words reaches a program in another form.");
  // What stands for nothing is left out, so that the words behind it move; `-a.b` becomes two words.
  const moving = words.find(
    ({ text, bare }) => /^\$(?:null|true|false)$/i.test(text) || (bare && /^-[^-].*\./.test(text)),
  );
  if (moving !== undefined) return ask(`${moving.text} reaches a program in another form.`);
  const values = words.map((word) => word.values[0]!);
  if (values.some((value) => value.startsWith("--%")))
    return ask("It switches PowerShell's reading of words off.");
  if (batchPrograms.has(name) && values.some((value) => !/^[\w./\\:=@+-]*$/.test(value)))
    return ask(`${name} is a batch file, which reads some characters as commands.`);
  // Before PowerShell 7.3 a quote or a last backslash within a word reaches programs in another form.
  if (values.some((value) => /["]|\\$/.test(value) || value === ""))
    return ask("A word may reach the program in another form.");
  // Git names its own files, and a revision by the same letters.
  const short = name === "git" ? undefined : values.find((value) => /~\d/.test(value));
  if (short !== undefined) return ask(`${short} may be the short name of another file.`);
  for (const [at, value] of values.entries()) {
    if (allBelow.test(value)) continue;
    const given = /^-{1,2}[\w-]+[=:](.+)$/.exec(value)?.[1] ?? value;
    if (/[\\/:]|^~/.test(given) && !/^[a-z]+:\/\//i.test(given) && !/^[\w.-]+:[\w.:-]+$/.test(given)) {
      const placed = placeWindowsPath(given, context);
      if ("problem" in placed) return ask(`${quote(words[at]!.text)} ${placed.problem}.`);
    }
  }
  const unit = {
    text,
    words: [name, ...values.map((value) => value.replaceAll("\\", "/").replace(allBelow, "$1."))].map(
      literalWord,
    ),
    assignments: [],
    redirects: [],
    problems: [],
    cwds: [context.cwd],
  };
  const { unit: judged } = judgeUnit(unit, { ...context, rules: [] });
  if (judged.verdict === "safe" && !readingPrograms.has(name))
    return { verdict: "new", reason: "No rule covers it.", stream: "text" };
  const { verdict, reason } = judged;
  return { verdict, reason, stream: "text", ...(judged.class && { class: judged.class }) };
}
