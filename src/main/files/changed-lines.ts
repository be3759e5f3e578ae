/** Counts added and removed lines in bounded time, because a card must not wait for a perfect diff. */
import { diffLines } from "diff";

export type LineCounts = {
  readonly added: number;
  readonly removed: number;
};

/** Beyond this the exact diff could hold up the event loop; the estimate is linear. */
const exactDiffTimeoutMs = 12;

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

/** The lines from the first that differs to the last: as they were, and as they are. */
export function changedLines(before: string, after: string): [string[], string[]] {
  const { old, fresh } = trimCommon(splitLines(before), splitLines(after));
  return [old, fresh];
}

/** How many lines were added and removed between two texts; null means that there is no such file. */
export function countChangedLines(before: string | null, after: string | null): LineCounts {
  const { old, fresh } = trimCommon(splitLines(before ?? ""), splitLines(after ?? ""));
  if (old.length === 0 || fresh.length === 0) return { added: fresh.length, removed: old.length };
  const changes = diffLines(old.join(""), fresh.join(""), { timeout: exactDiffTimeoutMs });
  if (changes === undefined) return countUnmatched(old, fresh);
  let added = 0;
  let removed = 0;
  for (const change of changes) {
    if (change.added) added += change.count;
    else if (change.removed) removed += change.count;
  }
  return { added, removed };
}
