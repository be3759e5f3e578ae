/** Computes the lines of a unified diff, with the changed words of lines that were changed rather than replaced. */
import { diffWordsWithSpace, structuredPatch } from "diff";

export type DiffRow = {
  kind: "same" | "add" | "remove" | "gap";
  before?: number;
  after?: number;
  parts: { text: string; changed?: boolean }[];
};

const contextLines = 3;
const longestMarkedLine = 500;
/** So many pairs of lines are compared in a stretch that was changed. */
const mostCompared = 400;
const timeoutMs = 200;

/** Which line numbers there are: of a file that is new or goes away only one of the two. */
export function numbersOf(rows: readonly DiffRow[]): ("before" | "after")[] {
  return (["before", "after"] as const).filter((side) => rows.some((row) => row[side] !== undefined));
}

/**
 * Whether a carriage return at the end of a line is this file's line end and nothing to point out: it is when all
 * lines of both sides end so.
 */
export function endsLinesInCrLf(before: string, after: string): boolean {
  const hasPlain = [before, after].some((text) => /(?<!\r)\n/.test(text));
  return !hasPlain && (before.includes("\r\n") || after.includes("\r\n"));
}

/**
 * @param firstLine the number of the first line, where only a part of a file is given.
 * @param firstAfter the same of what is there afterwards.
 * @returns the rows of all hunks; when comparing takes too long, everything as removed and added.
 */
export function diffRows(before: string, after: string, firstLine = 1, firstAfter = firstLine): DiffRow[] {
  const patch = structuredPatch("", "", before, after, "", "", { context: contextLines, timeout: timeoutMs });
  if (!patch) return [...plain(before, "remove", firstLine), ...plain(after, "add", firstAfter)];
  const rows: DiffRow[] = [];
  let end = 1;
  for (const hunk of patch.hunks) {
    const [oldStart, newStart] = [hunk.oldStart + firstLine - 1, hunk.newStart + firstAfter - 1];
    const skipped = oldStart - end;
    if (skipped > 0) rows.push({ kind: "gap", parts: [{ text: unchanged(skipped) }] });
    rows.push(...hunkRows(hunk.lines, oldStart, newStart));
    end = oldStart + hunk.oldLines;
  }
  return rows;
}

function unchanged(lines: number): string {
  return lines === 1 ? "1 unchanged line" : `${lines} unchanged lines`;
}

function plain(text: string, kind: "add" | "remove", firstLine: number): DiffRow[] {
  if (text === "") return [];
  const numberOf = kind === "add" ? "after" : "before";
  return text
    .split("\n")
    .map((line, index) => ({ kind, [numberOf]: index + firstLine, parts: [{ text: line }] }));
}

function hunkRows(lines: readonly string[], oldStart: number, newStart: number): DiffRow[] {
  const rows: DiffRow[] = [];
  let before = oldStart;
  let after = newStart;
  for (const line of lines) {
    const parts = [{ text: line.slice(1) }];
    if (line.startsWith("+")) rows.push({ kind: "add", after: after++, parts });
    else if (line.startsWith("-")) rows.push({ kind: "remove", before: before++, parts });
    else if (line.startsWith("\\"))
      rows.push({ kind: "gap", parts: [{ text: "no line end at the end of the file" }] });
    else rows.push({ kind: "same", before: before++, after: after++, parts });
  }
  markWords(rows);
  return rows;
}

/** Marks the words in which a removed line differs from the one that took its place right after. */
function markWords(rows: DiffRow[]): void {
  for (let start = 0; start < rows.length; start += 1) {
    if (rows[start]?.kind !== "remove") continue;
    let removed = start;
    while (rows[removed]?.kind === "remove") removed += 1;
    let added = removed;
    while (rows[added]?.kind === "add") added += 1;
    for (const [before, after] of pairsOf(rows.slice(start, removed), rows.slice(removed, added)))
      markPair(before, after);
    start = added - 1;
  }
}

/** As many are removed as added: one by one. Else each with the next that has at least half of its words, if there is one. */
function pairsOf(removed: readonly DiffRow[], added: readonly DiffRow[]): [DiffRow, DiffRow | undefined][] {
  if (removed.length === added.length) return removed.map((row, index) => [row, added[index]]);
  if (removed.length * added.length > mostCompared) return [];
  let from = 0;
  return removed.flatMap((row): [DiffRow, DiffRow][] => {
    const at = added.findIndex((one, index) => index >= from && likeness(row, one) >= 0.5);
    if (at < 0) return [];
    from = at + 1;
    return [[row, added[at] as DiffRow]];
  });
}

function likeness(one: DiffRow, other: DiffRow): number {
  const [words, others] = [wordsOf(one), wordsOf(other)];
  const shared = [...words].filter((word) => others.has(word)).length;
  return shared / Math.max(1, words.size, others.size);
}

function wordsOf({ parts }: DiffRow): Set<string> {
  return new Set(parts[0]?.text.match(/[\p{L}\p{N}]+/gu));
}

function markPair(removed: DiffRow | undefined, added: DiffRow | undefined): void {
  const before = removed?.parts[0]?.text ?? "";
  const after = added?.parts[0]?.text ?? "";
  if (!removed || !added || before.length > longestMarkedLine || after.length > longestMarkedLine) return;
  const changes = diffWordsWithSpace(before, after);
  removed.parts = changes
    .filter((one) => !one.added)
    .map((one) => ({ text: one.value, changed: one.removed }));
  added.parts = changes.filter((one) => !one.removed).map((one) => ({ text: one.value, changed: one.added }));
}
