/** Lets independent readers of one script confirm each other: none is believed alone, and a doubt asks. */
import type { ParsedScript } from "unbash";
import { findVariable, type KnownVariables } from "../known-variables.ts";
import type { ShellWord } from "../shell-word.ts";
import { listScript } from "./plain-list.ts";
import type { GrammarLine, PlainScript, PlainWord } from "./plain-script.ts";
import { listByTreeSitter } from "./tree-sitter-reader.ts";
import { listByUnbash } from "./unbash-list.ts";

/** One script as the recogniser and the policy's parser read it; nested ones are scripts of their own. */
export type ReadScript = {
  text: string;
  plain: { script: PlainScript } | { line: GrammarLine; at: number };
  parsed: ParsedScript | undefined;
};

/** Why a script may not run unasked, and the line of the grammar that decided. */
export type Doubt = { reason: string; line: GrammarLine };

/** The recogniser's words by their place in the source. */
export function indexWords(script: PlainScript): ReadonlyMap<number, PlainWord> {
  const words: PlainWord[] = [];
  for (const part of script) {
    if (typeof part === "string") continue;
    if ("pieces" in part) words.push(part);
    else {
      words.push(...part.words, ...part.assignments.map(({ value }) => value));
      words.push(...part.redirects.flatMap(({ target }) => (target === undefined ? [] : [target])));
    }
  }
  return new Map(words.map((word) => [word.start, word]));
}

/** Whether the word that is judged is the word that the recogniser found. */
export function isSameWord(word: PlainWord, judged: ShellWord, known: KnownVariables): boolean {
  let value = "";
  let pattern = "";
  let glob = false;
  let leadingGlob = false;
  const append = (text: string, inPattern: string) => {
    value += text;
    pattern += inPattern;
  };
  const escaped = (text: string) => text.replace(/[\\*?[\]{}()!+@|]/g, "\\$&");
  for (const piece of word.pieces) {
    if (piece.kind === "text") append(piece.text, piece.quoted ? escaped(piece.text) : piece.text);
    else if (piece.kind === "home") append(known.home, escaped(known.home));
    else {
      const pattern = { value: piece.text, pattern: piece.text, glob: true, leadingGlob: true };
      const found = piece.kind === "pattern" ? pattern : findVariable(known, piece.text);
      if (found === undefined) return false;
      leadingGlob ||= found.leadingGlob && value === "";
      glob ||= found.glob;
      append(found.value, found.pattern);
    }
  }
  const bracket = value === "[" || value === "[[";
  const samePattern = bracket || (judged.glob === glob && judged.leadingGlob === leadingGlob);
  return judged.value === value && judged.pattern === pattern && samePattern;
}

function isSameList(a: readonly string[], b: readonly string[] | undefined): boolean {
  return b !== undefined && a.length === b.length && a.every((line, at) => line === b[at]);
}

function describePlace(text: string, at: number): string {
  const rest = /^\S{0,24}/.exec(text.slice(at))![0];
  return rest === "" ? "at its end" : `at ${rest}`;
}

/** Why a script may not run unasked: it leaves the small language, or the readers of bash do not agree on it. */
export function findDoubt({ text, plain, parsed }: ReadScript): Doubt | undefined {
  if (!("script" in plain)) {
    const place = describePlace(text, plain.at);
    return {
      reason: `What this does cannot be read for certain ${place}.`,
      line: plain.line,
    };
  }
  const list = listScript(plain.script);
  const agreed =
    parsed !== undefined &&
    isSameList(list, listByUnbash(parsed)) &&
    isSameList(list, listByTreeSitter(text));
  return agreed
    ? undefined
    : { reason: "Independent readers of bash do not agree on what this runs.", line: "script" };
}
