/** The pieces in which two texts differ, and a text with one of them put back. */
import { structuredPatch } from "diff";
import { splitLines } from "../files/changed-lines.ts";

export type Hunk = {
  readonly before: string;
  readonly after: string;
  /** The number of its first line, from 1. */
  readonly beforeLine: number;
  readonly afterLine: number;
};

const contextLines = 3;
const timeoutMs = 200;

/** With the lines around each. Where comparing takes too long, all of it is one. */
export function hunksOf(before: string, after: string): Hunk[] {
  const patch = structuredPatch("", "", before, after, "", "", { context: contextLines, timeout: timeoutMs });
  if (!patch) return [{ before, after, beforeLine: 1, afterLine: 1 }];
  const [old, fresh] = [splitLines(before), splitLines(after)];
  return patch.hunks.map(({ oldStart, oldLines, newStart, newLines }) => {
    const [oldAt, newAt] = [Math.max(oldStart, 1), Math.max(newStart, 1)];
    return {
      before: old.slice(oldAt - 1, oldAt - 1 + oldLines).join(""),
      after: fresh.slice(newAt - 1, newAt - 1 + newLines).join(""),
      beforeLine: oldAt,
      afterLine: newAt,
    };
  });
}

/** The text after, as if this piece had never been changed. */
export function withoutHunk(after: string, hunk: Hunk): string {
  const lines = splitLines(after);
  const start = lines.slice(0, hunk.afterLine - 1).join("");
  return `${start}${hunk.before}${after.slice(start.length + hunk.after.length)}`;
}
