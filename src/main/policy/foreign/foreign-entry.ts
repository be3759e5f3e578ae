/** What an entry of another program's rules means, in terms that rules of ours are made of. */
import type { FileOperation } from "../file-rule.ts";

export type Effect = "allow" | "ask" | "deny";

/** Commands that begin with these words, or are just these; the last one may be the beginning of a word (`partial`). */
export type WordsRule = { tokens: string[]; exact: boolean; partial?: boolean };

export type Meaning =
  | { kind: "words"; rules: WordsRule[]; narrowed?: string }
  | { kind: "files"; paths: string[]; operations: FileOperation[]; narrowed?: string }
  /** No rule of ours can say it. Whatever it stands for begins with `lead`; without that it may be any command. */
  | { kind: "beyond"; why: string; lead?: string[] }
  /** It is not about commands or files at all. */
  | { kind: "other"; why: string };

/** One entry as it stands in the file. */
export type ForeignEntry = { text: string; effect: Effect; means: Meaning };

/** The entries of a file, or why none of it is read. */
export type ForeignRules = { entries: ForeignEntry[] } | { problem: string };

export const mostEntries = 500;
/** Of all commands that a file names, in rules and in characters. */
export const mostRules = 500;
export const mostText = 60_000;
/** A command that is longer always asks here. */
export const longestEntry = 8_192;

const simpleWord = /^[\w@%+=:,./-]+$/;

/** Words that stand for themselves in every shell and pattern; undefined where one does not. */
export function simpleWords(text: string): string[] | undefined {
  const words = text.split(" ");
  return words.every((word) => simpleWord.test(word)) ? words : undefined;
}

/** The first words of a text that each stand for themselves, the last one left out where no blank ends it. */
export function leadOf(text: string): string[] | undefined {
  const words = text.split(" ").slice(0, -1);
  const end = words.findIndex((word) => !simpleWord.test(word));
  const lead = end < 0 ? words : words.slice(0, end);
  return lead.length > 0 ? lead : undefined;
}
