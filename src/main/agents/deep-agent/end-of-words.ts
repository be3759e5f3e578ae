/** The end of what an agent wrote before a call, as far as a card has room for it. */
import type { Said } from "../../../shared/contract/approvals.ts";

/** Two or three lines of a card, whatever alphabet they are written in. */
const mostBytes = 480;
/** A word is kept whole when it is no longer than this. */
const longestWord = 40;

/**
 * On one line: what would fill a card with empty lines, or stand in a line of its own like the console's words, cannot.
 * @returns nothing for blanks.
 */
export function endOfWords(text: string): Said | undefined {
  // The end of a text of many megabytes is found without looking at the rest of it.
  const near = text.slice(-8 * mostBytes);
  const words = near.replace(/\s+/gu, " ").trim().toWellFormed();
  if (words === "") return undefined;
  const kept = lastBytes(words, mostBytes);
  const whole = kept === words && near === text;
  return whole ? { text: words } : { text: kept, leftOut: Math.max(1, bytesOf(text) - bytesOf(kept)) };
}

/** At most so many bytes from the end, from the beginning of a character, and of a word where one is near. */
function lastBytes(text: string, most: number): string {
  const characters = [...text];
  let from = characters.length;
  for (let bytes = 0; from > 0; from -= 1) {
    bytes += bytesOf(characters[from - 1] ?? "");
    if (bytes > most) break;
  }
  const kept = characters.slice(from).join("");
  const space = kept.indexOf(" ");
  return from > 0 && space >= 0 && space < longestWord ? kept.slice(space + 1) : kept;
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
