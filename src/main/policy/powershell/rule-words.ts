/** The words of a PowerShell command as rules hold them: the name in small letters and what each word stands for. */
import type { ShellWord } from "../shell-word.ts";
import { type PipelineCommand, readPipeline } from "./read-pipeline.ts";

const bareToken = /^(?![-~])[\w.\\/:+=@-]+$|^-{1,2}[a-z][\w-]*(?::[\w.\\/-]+)?$/i;

/** A word that stands for itself. */
export const literalWord = (text: string): ShellWord => ({
  text,
  value: text,
  pattern: text,
  glob: false,
  leadingGlob: false,
});

/** A list is one word, as it is one argument. */
export function wordsOf({ name, words }: Pick<PipelineCommand, "name" | "words">): ShellWord[] {
  return [name, ...words.map((word) => word.values.join(","))].map(literalWord);
}

/** Reads a rule's text: one plain command, its words literal. */
export function parsePowerShellRule(text: string): { tokens: string[] } | { problem: string } {
  const reading = readPipeline(text);
  const [command, ...others] = "commands" in reading ? reading.commands : [];
  if (command === undefined || others.length > 0)
    return { problem: "A rule is the beginning of one plain command, such as: npm test" };
  const odd = command.words.find(
    ({ values, bare }) => values.length !== 1 || values[0] === "" || (bare && /[*?]|^\$|^~/.test(values[0]!)),
  );
  if (odd)
    return { problem: `The word ${odd.text} is not literal. Rules match words exactly, without patterns.` };
  return { tokens: wordsOf(command).map(({ value }) => value) };
}

/** Writes tokens as the text that reads back as the same tokens. */
export function writePowerShellRule(tokens: readonly string[]): string {
  return tokens.map((token) => (bareToken.test(token) ? token : `'${token}'`)).join(" ");
}
