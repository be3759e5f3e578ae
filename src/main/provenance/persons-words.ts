/** Whether the person wrote a name, an address or a number themselves: as a whole, and not as a part of another one. */
import { addressesIn, reachedBy } from "./addresses.ts";
import { foldText } from "./fold-text.ts";

const space = /\s+/gu;

/** What belongs to a name or an address: one that stands beside it makes it a part of another one. */
const isJoined = /[\p{L}\p{N}\p{M}\p{Cf}\p{Cs}_@+-]/u;
/** These end a sentence too, and join only where a name goes on behind them. */
const joinsBetween = /[.:/\\~%]/u;

/** A sentence that ends at an address and is followed by the next one without a space. */
const bareSentenceEnd = /(?<=\p{Ll}\.)(?=\p{Lu}\p{Ll}*\s)/gu;

/** A text of the person in the forms that calls are compared with. */
export type SaidText = {
  words: string;
  folded: string;
  /** The hosts and recipients that they wrote. */
  reached: ReadonlySet<string>;
};

/** Of a longer text only so much counts as written by them. */
const mostChars = 50_000;

/** What a person wrote, with a space behind each sentence. */
export function toSaid(text: string): SaidText {
  const sentences = text.slice(0, mostChars).replace(bareSentenceEnd, " ");
  const addresses = addressesIn(sentences, true);
  return {
    words: plainWords(sentences),
    folded: foldText(sentences).text,
    reached: new Set(addresses.map(({ start, end }) => reachedBy(sentences.slice(start, end)))),
  };
}

/** The form in which words are compared: cases and spaces do not matter. */
export function plainWords(text: string): string {
  return text.normalize("NFC").toLowerCase().replace(space, " ").trim();
}

/** What stands somewhere more often is not looked for to the end. */
const mostTries = 2_000;

/**
 * @param words as `plainWords` gives them
 * @param otherwise what is said where it cannot be told
 * @returns false for what is cut out of a longer name, or put together of several
 */
export function standsIn(words: string, value: string, otherwise = false): boolean {
  const wanted = plainWords(value);
  if (wanted === "") return true;
  let tries = 0;
  for (let from = words.indexOf(wanted); from >= 0; from = words.indexOf(wanted, from + 1)) {
    if (endsThere(words, from - 1, -1) && endsThere(words, from + wanted.length, 1)) return true;
    tries += 1;
    if (tries === mostTries) return otherwise;
  }
  return false;
}

function endsThere(words: string, at: number, step: 1 | -1): boolean {
  const next = words[at] ?? "";
  if (next === "" || next === " ") return true;
  if (isJoined.test(next)) return false;
  return !joinsBetween.test(next) || !isJoined.test(words[at + step] ?? "");
}
