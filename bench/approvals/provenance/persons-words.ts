/** Whether the person wrote a name, an address or a number themselves: as a whole, and not as a part of another one. */

const space = /\s+/gu;

/** What belongs to a name or an address: one that stands beside it makes it a part of another one. */
const isJoined = /[\p{L}\p{N}\p{M}\p{Cf}\p{Cs}_@+-]/u;
/** These end a sentence too, and join only where a name goes on behind them. */
const joinsBetween = /[.:/\\~%]/u;

/** A sentence that ends at an address and is followed by the next one without a space. */
const bareSentenceEnd = /(?<=\p{Ll}\.)(?=\p{Lu}\p{Ll}*\s)/gu;

/** What a person wrote, with a space behind each sentence. */
export function partSentences(text: string): string {
  return text.replace(bareSentenceEnd, " ");
}

/** The form in which words are compared: cases and spaces do not matter. */
export function plainWords(text: string): string {
  return text.normalize("NFC").toLowerCase().replace(space, " ").trim();
}

/**
 * @param words of the person, as `plainWords` gives them
 * @returns false for what is cut out of a longer name of theirs, or put together of several
 */
export function standsIn(words: string, value: string): boolean {
  const wanted = plainWords(value);
  if (wanted === "") return true;
  for (let from = words.indexOf(wanted); from >= 0; from = words.indexOf(wanted, from + 1))
    if (endsThere(words, from - 1, -1) && endsThere(words, from + wanted.length, 1)) return true;
  return false;
}

function endsThere(words: string, at: number, step: 1 | -1): boolean {
  const next = words[at] ?? "";
  if (next === "" || next === " ") return true;
  if (isJoined.test(next)) return false;
  return !joinsBetween.test(next) || !isJoined.test(words[at + step] ?? "");
}
