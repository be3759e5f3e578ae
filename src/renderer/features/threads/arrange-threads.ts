/** The order of the list of threads: by what they need of the person, or by folder. Pure. */
import { type Section, type Standing, sections, sinceOf } from "./standing.ts";

export type ThreadListRow =
  | { kind: "section"; key: string; section: Section; count: number }
  | { kind: "folder"; key: string; folder: string }
  | { kind: "thread"; key: string; standing: Standing };

/** What needs the person first: what waits longest, then what failed; in the other sections the latest first. */
export function arrangeThreads(
  standings: readonly Standing[],
  options: { grouped: boolean; archived: boolean },
): ThreadListRow[] {
  const chosen = standings.filter(({ thread }) => thread.archived === options.archived);
  if (options.grouped) {
    const byFolder = Map.groupBy(chosen.sort(byAge), ({ thread }) => thread.workspace);
    return [...byFolder].flatMap(([folder, members]) => [
      { kind: "folder" as const, key: `folder:${folder}`, folder },
      ...members.map(toRow),
    ]);
  }
  const bySection = Map.groupBy(chosen, ({ section }) => section);
  return sections.flatMap((section) => {
    const members = bySection.get(section);
    if (!members) return [];
    const heading = { kind: "section" as const, key: `section:${section}`, section, count: members.length };
    return [heading, ...members.sort(within[section]).map(toRow)];
  });
}

/**
 * The rows as they are now at the places they had, for as long as somebody points at them: a row keeps its place and
 * its heading whatever became of it, and what is new comes at the end.
 */
export function keepPlaces(
  before: readonly ThreadListRow[],
  now: readonly ThreadListRow[],
): readonly ThreadListRow[] {
  const current = new Map(now.map((row) => [row.key, row]));
  const had = new Set(before.map((row) => row.key));
  const kept = before.flatMap((row) => current.get(row.key) ?? (row.kind === "thread" ? [] : emptied(row)));
  return [...kept, ...now.filter((row) => row.kind === "thread" && !had.has(row.key))];
}

function emptied(row: Exclude<ThreadListRow, { kind: "thread" }>): ThreadListRow {
  return row.kind === "section" ? { ...row, count: 0 } : row;
}

/** Threads as they were made, oldest first: the one order that nothing changes. */
export function inAge(standings: readonly Standing[]): Standing[] {
  return standings
    .filter(({ thread }) => !thread.archived)
    .sort((a, b) => a.thread.createdAt - b.thread.createdAt || (a.thread.id < b.thread.id ? -1 : 1));
}

type Order = (a: Standing, b: Standing) => number;

const pinnedFirst: Order = (a, b) => Number(b.thread.pinned) - Number(a.thread.pinned);
const newestFirst: Order = (a, b) =>
  b.thread.createdAt - a.thread.createdAt || (a.thread.id < b.thread.id ? 1 : -1);
const latestFirst: Order = (a, b) => b.thread.updatedAt - a.thread.updatedAt || newestFirst(a, b);
const waitingFirst: Order = (a, b) => Number(b.shape === "waits") - Number(a.shape === "waits");
const longestFirst: Order = (a, b) => sinceOf(a) - sinceOf(b) || newestFirst(a, b);
const byAge: Order = (a, b) => pinnedFirst(a, b) || newestFirst(a, b);

const within: Record<Section, Order> = {
  needs: (a, b) => pinnedFirst(a, b) || waitingFirst(a, b) || longestFirst(a, b),
  working: byAge,
  finished: (a, b) => pinnedFirst(a, b) || latestFirst(a, b),
  idle: (a, b) => pinnedFirst(a, b) || latestFirst(a, b),
};

function toRow(standing: Standing): ThreadListRow {
  return { kind: "thread", key: standing.thread.id, standing };
}
