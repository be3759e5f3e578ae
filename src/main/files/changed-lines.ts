/** Counts added and removed lines in bounded time, because a card must not wait for a perfect diff. */
import { diffLines } from "diff";

export type LineCounts = {
  readonly added: number;
  readonly removed: number;
};

/** Beyond these the exact diff could hold up the event loop; the estimate is linear, and above its own bound a mere count. */
const exactDiffTimeoutMs = 6;
const mostExactChars = 200_000;
const mostEstimatedChars = 1_000_000;

/** Each with its line end. */
export function splitLines(text: string): string[] {
  const lines = text.split(/(?<=\n)/);
  return lines[0] === "" ? [] : lines;
}

/** What stands between the lines that both begin with and those that both end with, and how many they begin with. */
export function trimCommon(
  before: string[],
  after: string[],
): { head: number; old: string[]; fresh: string[] } {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return {
    head,
    old: before.slice(head, before.length - tail),
    fresh: after.slice(head, after.length - tail),
  };
}

/** Lines that one side has more often than the other: exact but for lines that only moved. */
function countUnmatched(before: string[], after: string[]): LineCounts {
  const surplus = new Map<string, number>();
  for (const line of before) surplus.set(line, (surplus.get(line) ?? 0) + 1);
  let added = 0;
  for (const line of after) {
    const left = surplus.get(line) ?? 0;
    if (left > 0) surplus.set(line, left - 1);
    else added++;
  }
  return { added, removed: before.length - (after.length - added) };
}

const stepChars = 4_096;

/** How many characters both begin with. */
function commonStart(before: string, after: string): number {
  const most = Math.min(before.length, after.length);
  let at = 0;
  while (at + stepChars <= most && before.slice(at, at + stepChars) === after.slice(at, at + stepChars))
    at += stepChars;
  while (at < most && before.charCodeAt(at) === after.charCodeAt(at)) at++;
  return at;
}

/** How many characters both end with, of the last `most`. */
function commonEnd(before: string, after: string, most: number): number {
  const last = (text: string, skipped: number, chars: number) =>
    text.slice(text.length - skipped - chars, text.length - skipped);
  let length = 0;
  while (length + stepChars <= most && last(before, length, stepChars) === last(after, length, stepChars))
    length += stepChars;
  while (length < most && last(before, length, 1) === last(after, length, 1)) length++;
  return length;
}

/** The lines from the first that differs to the last, as they were and as they are; only they are looked at one by one. */
export function changedLines(before: string, after: string): [before: string, after: string] {
  const same = commonStart(before, after);
  if (same === before.length && same === after.length) return ["", ""];
  const start = same === 0 ? 0 : before.lastIndexOf("\n", same - 1) + 1;
  const ending = commonEnd(before, after, Math.min(before.length, after.length) - start);
  const isLineStart = (text: string) => {
    const at = text.length - ending;
    return at === start || text[at - 1] === "\n";
  };
  // What both end with may begin in the middle of a line.
  const firstEnd = before.indexOf("\n", before.length - ending);
  const wholeLines = firstEnd === -1 ? 0 : before.length - firstEnd - 1;
  const tail = isLineStart(before) && isLineStart(after) ? ending : wholeLines;
  return [before.slice(start, before.length - tail), after.slice(start, after.length - tail)];
}

/** Lines of a text, the last one also without an end. */
function countLines(text: string): number {
  let lines = 0;
  for (let at = 0; at < text.length; lines++) at = text.indexOf("\n", at) + 1 || text.length;
  return lines;
}

/**
 * How many lines were added and removed between two texts; null means that there is no such file. Of very large texts
 * all lines from the first that differs to the last count.
 */
export function countChangedLines(before: string | null, after: string | null): LineCounts {
  const [old, fresh] = changedLines(before ?? "", after ?? "");
  const length = old.length + fresh.length;
  if (old === "" || fresh === "" || length > mostEstimatedChars)
    return { added: countLines(fresh), removed: countLines(old) };
  const changes =
    length > mostExactChars ? undefined : diffLines(old, fresh, { timeout: exactDiffTimeoutMs });
  if (changes === undefined) return countUnmatched(splitLines(old), splitLines(fresh));
  let added = 0;
  let removed = 0;
  for (const change of changes) {
    if (change.added) added += change.count;
    else if (change.removed) removed += change.count;
  }
  return { added, removed };
}
