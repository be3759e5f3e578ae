/** Tells two threads when both wrote the same file of a repository: in one folder at the same time, or in different work trees. */

import { join, relative, sep } from "node:path";
import type Database from "better-sqlite3";
import { withoutQuotes } from "../../shared/foreign-words.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { visibleText } from "../base/visible-text.ts";
import { type Change, type Changes, endsWork } from "../threads/changes.ts";
import type { EventLog } from "../threads/event-log.ts";
import type { ThreadRow, ThreadStore } from "../threads/thread-store.ts";
import { createWrittenPaths, type WrittenPath } from "../undo/written-paths.ts";
import type { Worktree, WorktreeStore } from "../worktrees/worktree-store.ts";

export type OverlapParts = {
  database: Database.Database;
  threads: Pick<ThreadStore, "find" | "threadsWithCurrentTurn">;
  log: Pick<EventLog, "append" | "lastSeq">;
  worktrees: Pick<WorktreeStore, "inUse">;
  changes: Pick<Changes, "listen">;
};

/** So many paths of one call are looked at; a command that writes more names no file that anybody cares about. */
const mostPaths = 500;
const namedPaths = 3;

/** With where it lies: by its name in the repository's own folder, and in which work tree. */
type Placed = WrittenPath & { name: string; worktree: Worktree | undefined };

/** @returns what ends the listening. */
export function tellOverlaps(parts: OverlapParts): () => void {
  const written = createWrittenPaths(parts.database);
  const told = createTold(parts.database);
  /** The newest step that was looked at, of each thread. */
  const seen = new Map<ThreadId, number>();

  function look(threadId: ThreadId): void {
    const mine = written.since(threadId, (seen.get(threadId) ?? 0) + 1, mostPaths);
    if (mine.length === 0) return;
    seen.set(threadId, Math.max(...mine.map(({ step }) => step)));
    const trees = parts.worktrees.inUse();
    const places = new Map(mine.map((each) => place(each, trees)).map((each) => [each.name, each]));
    const elsewhere = [...places.keys()].flatMap((name) => namesOf(name, trees));
    const atWork = parts.threads.threadsWithCurrentTurn();
    const met = new Map<ThreadId, string[]>();
    for (const each of written.byOthers(threadId, elsewhere)) {
      const theirs = place(each, trees);
      const { name, threadId: other } = theirs;
      const own = places.get(name);
      if (own === undefined || !meets(own, theirs, atWork)) continue;
      if (!told.note(threadId, other, name)) continue;
      met.set(other, [...(met.get(other) ?? []), name]);
    }
    for (const [other, names] of met) tell(threadId, other, names, trees, parts);
  }

  return parts.changes.listen((change: Change) => {
    if (change.kind === "thread" && !parts.threads.find(change.threadId)) {
      seen.delete(change.threadId);
      told.forget(change.threadId);
    }
    if (endsWork(change) && parts.threads.find(change.threadId)) look(change.threadId);
  });
}

function place(written: WrittenPath, trees: readonly Worktree[]): Placed {
  const { path } = written;
  const worktree = trees.find((each) => path.startsWith(each.path + sep));
  const name = worktree ? join(worktree.origin, relative(worktree.path, path)) : path;
  return { ...written, name, worktree };
}

/** A file of the repository's own folder, and the same file in each work tree that was made for it. */
function namesOf(name: string, trees: readonly Worktree[]): string[] {
  const here = trees.filter(({ origin }) => name.startsWith(origin + sep));
  return [name, ...here.map(({ origin, path }) => join(path, relative(origin, name)))];
}

/** The same bytes are no matter. In one folder only threads at work meet; what a work tree began with is not met either. */
function meets(own: Placed, theirs: Placed, atWork: ReadonlySet<ThreadId>): boolean {
  if (own.hash === theirs.hash) return false;
  const [here, there] = [own.worktree, theirs.worktree];
  if (here === there) return atWork.has(theirs.threadId);
  const began = (tree: Worktree | undefined, { step }: WrittenPath) =>
    tree === undefined || step > tree.firstStep;
  return began(here, theirs) && began(there, own);
}

function tell(
  threadId: ThreadId,
  other: ThreadId,
  names: readonly string[],
  trees: readonly Worktree[],
  { threads, log }: OverlapParts,
): void {
  const [own, theirs] = [threads.find(threadId), threads.find(other)];
  if (!own || !theirs) return;
  for (const [to, from] of [
    [own, theirs],
    [theirs, own],
  ] as const) {
    const text = describe(to, from, names, trees);
    const itemId = `overlap:${from.id}:${log.lastSeq(to.id)}`;
    log.append(to.id, [{ type: "notice.added", itemId, level: "warning", text }]);
  }
}

function describe(
  to: ThreadRow,
  from: ThreadRow,
  names: readonly string[],
  trees: readonly Worktree[],
): string {
  const root = trees.find(({ path }) => path === to.workspace)?.origin ?? to.workspace;
  const shown = names
    .slice(0, namedPaths)
    .map((name) => visibleText(relative(root, name)))
    .join(", ");
  const more = names.length > namedPaths ? ` and ${names.length - namedPaths} more` : "";
  const branch = trees.find(({ path }) => path === from.workspace)?.branch;
  const where =
    to.workspace === from.workspace
      ? "in this folder at the same time: each may undo what the other did"
      : `${branch ? `on its branch ${visibleText(branch)}` : `in ${visibleText(from.workspace)}`}: the two may conflict when they are merged`;
  return `The thread “${withoutQuotes(visibleText(from.title))}” changed ${shown}${more} too, ${where}.`;
}

/** Each file is told once of two threads. */
function createTold(database: Database.Database) {
  const add = database.prepare(
    "INSERT OR IGNORE INTO told_overlaps (first, second, path) VALUES (min(@a, @b), max(@a, @b), @path)",
  );
  const forget = database.prepare("DELETE FROM told_overlaps WHERE first = @id OR second = @id");
  return {
    note: (a: ThreadId, b: ThreadId, path: string) => add.run({ a, b, path }).changes > 0,
    forget: (id: ThreadId) => void forget.run({ id }),
  };
}
