/** Long texts in a message: a name in brackets stands for each in the field, and the exact text is what is sent. */
import type { Pasted } from "../../../../shared/contract/drafts.ts";

const longFromLines = 12;
const longFromChars = 2_000;
/** What one message may hold. */
export const longestMessageChars = 200_000;

/** Whether a pasted text would fill the field. */
export function isLong(text: string): boolean {
  return text.length > longFromChars || countLines(text) > longFromLines;
}

/** A line end at the very end begins no further line. */
export function countLines(text: string): number {
  return text.replace(/\r?\n$/, "").split("\n").length;
}

export function markerOf({ name }: Pick<Pasted, "name">): string {
  return `[${name}]`;
}

/** A name that no other text of the message has, and that cannot be mistaken for more than a name. */
export function nameFor(wanted: string, pasted: readonly Pasted[]): string {
  const plain =
    wanted
      .replace(/[[\]\p{C}\p{Z}]+/gu, " ")
      .trim()
      .slice(0, 80)
      .toWellFormed() || "Text";
  for (let number = 1; ; number += 1) {
    const name = wanted === "" || number > 1 ? `${wanted === "" ? "Pasted" : plain} ${number}` : plain;
    if (!pasted.some((one) => one.name === name)) return name;
  }
}

/** The long texts whose names stand in a text, in the order of the names. */
export function partsIn(text: string, pasted: readonly Pasted[]): Pasted[] {
  return pasted
    .filter((one) => text.includes(markerOf(one)))
    .sort((one, other) => text.indexOf(markerOf(one)) - text.indexOf(markerOf(other)));
}

/** The message as it is sent: each name replaced by its text, and no name that such a text happens to hold. */
export function expand(text: string, pasted: readonly Pasted[]): string {
  const byMarker = new Map(pasted.map((one) => [markerOf(one), one.text]));
  return text.replace(/\[[^[\]]*\]/g, (found) => byMarker.get(found) ?? found);
}

/** What of a text is shown at once, and whether that is not all of it. */
export function shownPart(text: string): { shown: string; moreLines: boolean } {
  const shown = text.split("\n").slice(0, 6).join("\n").slice(0, 600).toWellFormed();
  return { shown, moreLines: shown.length < text.length };
}
