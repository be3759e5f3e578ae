/** Folds a text to what stays the same however it is cut, spaced, cased or punctuated: its letters and digits, in order. */

import { giveWay } from "../base/give-way.ts";

export type Folded = {
  /** Letters and digits alone, in lower case and in their plain form. */
  text: string;
  /** For each character of `text` where it begins in the original; one more for the end. */
  at: Uint32Array;
};

const isWordy = /[\p{L}\p{N}]/u;
/** One of these says as much as several letters of an alphabet, and counts as so many. */
const isDense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const dense = 3;

/** Linear in the text; what shows nothing (spaces without width, marks of direction) is left out with the punctuation. */
export function foldText(original: string): Folded {
  const at = new Uint32Array(original.length * mostPerCharacter + 1);
  const parts: string[] = [];
  let length = 0;
  for (let index = 0; index < original.length; ) {
    const code = original.codePointAt(index)!;
    const width = code > 0xffff ? 2 : 1;
    const folded = code < 128 ? foldAscii(code) : foldOther(String.fromCodePoint(code));
    for (let unit = 0; unit < folded.length && unit < mostPerCharacter; unit += 1) at[length++] = index;
    parts.push(folded.slice(0, mostPerCharacter));
    index += width;
  }
  at[length] = original.length;
  return { text: parts.join(""), at: at.subarray(0, length + 1) };
}

/** A ligature becomes its letters; what becomes more than these in plain form is cut. */
const mostPerCharacter = 4;

function foldAscii(code: number): string {
  if ((code >= 48 && code <= 57) || (code >= 97 && code <= 122)) return String.fromCharCode(code);
  return code >= 65 && code <= 90 ? String.fromCharCode(code + 32) : "";
}

/** A text is of few different letters, and each of them takes long. */
const foldedBefore = new Map<string, string>();
const mostFolded = 20_000;

function foldOther(character: string): string {
  const known = foldedBefore.get(character);
  if (known !== undefined) return known;
  if (foldedBefore.size >= mostFolded) foldedBefore.clear();
  const plain = character.normalize("NFKD").toLowerCase();
  const wordy = [...plain].filter((one) => isWordy.test(one));
  const folded = wordy.map((one) => (isDense.test(one) ? one.repeat(dense) : one)).join("");
  foldedBefore.set(character, folded);
  return folded;
}

/** What is folded between two turns of the loop. */
const pieceChars = 32_000;

/** The letters and digits of a long text alone, as `foldText` gives them; gives way to the loop. */
export async function foldInTurns(original: string): Promise<string> {
  const parts: string[] = [];
  for (let from = 0; from < original.length; ) {
    await giveWay();
    const to = endOfPiece(original, from + pieceChars);
    parts.push(foldText(original.slice(from, to)).text);
    from = to;
  }
  return parts.join("");
}

/** Never between the two halves of one character. */
function endOfPiece(text: string, end: number): number {
  const isHigh = end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return isHigh ? end + 1 : end;
}
