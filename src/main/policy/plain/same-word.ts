/** Holds the words that are judged against the recogniser's: they must be the same, place by place. */
import { findVariable, type KnownVariables } from "../known-variables.ts";
import type { ShellWord } from "../shell-word.ts";
import type { PlainScript, PlainWord } from "./plain-script.ts";

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
