/** The lines that a change of a file changed, with where they stood, small enough to be kept with its receipt. */
import type { Receipt } from "../../shared/contract/thread-events.ts";
import { splitLines, trimCommon } from "./changed-lines.ts";

type Excerpt = NonNullable<Receipt["excerpt"]>;

/** Longer changes are seen in the changed files of the thread. */
const longestExcerpt = 24_000;

/**
 * From the first line that differs to the last, with `context` lines on both sides.
 * @returns nothing where there was no text, or where it would be too long.
 */
export function excerptOf(before: string | null, after: string | null, context: number): Excerpt | undefined {
  if (before === null || after === null || before === after) return undefined;
  const [oldLines, freshLines] = [splitLines(before), splitLines(after)];
  const { head, old, fresh } = trimCommon(oldLines, freshLines);
  const from = Math.max(0, head - context);
  const excerpt = {
    line: from + 1,
    before: oldLines.slice(from, head + old.length + context).join(""),
    after: freshLines.slice(from, head + fresh.length + context).join(""),
  };
  return excerpt.before.length + excerpt.after.length > longestExcerpt ? undefined : excerpt;
}
