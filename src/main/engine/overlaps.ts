/** Tells two threads when both wrote the same file of a repository: in one folder at the same time, or in different work trees. */
import { join, relative, sep } from "node:path";
import type Database from "better-sqlite3";
import { withoutQuotes } from "../../shared/foreign-words.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { visibleText } from "../base/visible-text.ts";
import { unknownHash } from "../files/snapshot-messages.ts";
import { isInside } from "../paths/real-of.ts";
import { type Change, type Changes, endsWork } from "../threads/changes.ts";
import type { EventLog } from "../threads/event-log.ts";
import type { ThreadRow, ThreadStore } from "../threads/thread-store.ts";
import type { LiveWrites, WrittenPath, WrittenPaths } from "../undo/live-writes.ts";
import type { Worktree, WorktreeStore } from "../worktrees/worktree-store.ts";

export type OverlapParts = {
  database: Database.Database;
  threads: Pick<ThreadStore, "find" | "threadsWithCurrentTurn">;
  log: Pick<EventLog, "append" | "lastSeq">;
  worktrees: Pick<WorktreeStore, "inUse">;
  changes: Pick<Changes, "listen">;
  written: Pick<WrittenPaths, "since" | "byOthers" | "threadsSince">;
  live: Pick<LiveWrites, "of" | "byOthers" | "listen">;
};

/** So many paths of one call are looked at; a command that writes more names no file that anybody cares about. */
const mostPaths = 500;
const namedPaths = 3;

/** All that is known of what a thread made of a file, oldest first. */
type Written = {
  readonly threadId: ThreadId;
  /** The file in the repository's own folder. */
  readonly name: string;
  readonly worktree: Worktree | undefined;
  readonly versions: WrittenPath[];
};

/** `both`: each wrote it. `either`: it changed more than once while commands of both ran there. */
type Meeting = "both" | "either";

/** @returns what ends the listening. */
export function tellOverlaps(parts: OverlapParts): () => void {
  const { threads, written, live } = parts;
  const told = createTold(parts.database);
  /** The newest step that was looked at, of each thread. */
  const seen = new Map<ThreadId, number>();
  const heard = new Set<ThreadId>();
  let isOver = false;

  function look(threadId: ThreadId): void {
    const ended = written.since(threadId, (seen.get(threadId) ?? 0) + 1, mostPaths);
    if (ended.length > 0) seen.set(threadId, Math.max(...ended.map(({ step }) => step)));
    const running = live.of(threadId);
    if (ended.length + running.length === 0) return;
    const trees = parts.worktrees.inUse();
    const mine = gather([...ended, ...running], trees);
    const elsewhere = [...new Set(mine.flatMap(({ name }) => namesOf(name, trees)))];
    const theirs = [...written.byOthers(threadId, elsewhere), ...live.byOthers(threadId, elsewhere)];
    const atWork = threads.threadsWithCurrentTurn();
    const met = new Map<string, { other: ThreadId; how: Meeting; names: string[] }>();
    for (const their of gather(theirs, trees)) {
      const own = mine.find(({ name }) => name === their.name);
      const how = own && meeting(own, their, atWork);
      if (!how || !told.note(threadId, their.threadId, their.name)) continue;
      const key = `${how} ${their.threadId}`;
      const names = [...(met.get(key)?.names ?? []), their.name];
      met.set(key, { other: their.threadId, how, names });
    }
    for (const { other, how, names } of met.values()) tell(threadId, other, { how, names, trees }, parts);
  }

  /** All that was seen at one moment is there before any two of it are compared. */
  function lookSoon(threadId: ThreadId): void {
    heard.add(threadId);
    if (heard.size > 1) return;
    setImmediate(() => {
      const all = [...heard];
      heard.clear();
      for (const each of all) if (!isOver && threads.find(each)) look(each);
    });
  }

  live.listen({ heard: lookSoon, isWanted: (threadId, began) => isBesideOthers(threadId, began, parts) });
  const stop = parts.changes.listen((change: Change) => {
    if (change.kind === "thread" && !threads.find(change.threadId)) {
      seen.delete(change.threadId);
      told.forget(change.threadId);
    }
    if (endsWork(change) && threads.find(change.threadId)) look(change.threadId);
  });
  return () => {
    isOver = true;
    stop();
  };
}

/** Whether another thread works in its folder or did since that step, or has another work tree of its repository. */
function isBesideOthers(
  threadId: ThreadId,
  began: number,
  { threads, worktrees, written }: OverlapParts,
): boolean {
  const workspace = threads.find(threadId)?.workspace;
  if (workspace === undefined) return false;
  const trees = worktrees.inUse();
  const own = trees.find(({ path }) => path === workspace);
  const origin = own?.origin ?? workspace;
  if (own || trees.some((tree) => isInside(origin, tree.origin) || isInside(tree.origin, origin)))
    return true;
  const others = [...threads.threadsWithCurrentTurn(), ...written.threadsSince(began)].filter(
    (id) => id !== threadId,
  );
  return others.some((id) => {
    const there = threads.find(id)?.workspace;
    return there !== undefined && (isInside(origin, there) || isInside(there, origin));
  });
}

function gather(written: readonly WrittenPath[], trees: readonly Worktree[]): Written[] {
  const found = new Map<string, Written>();
  for (const each of written) {
    const { path, threadId } = each;
    const worktree = trees.find((tree) => path.startsWith(tree.path + sep));
    const name = worktree ? join(worktree.origin, relative(worktree.path, path)) : path;
    const key = `${threadId}\0${path}`;
    const one = found.get(key) ?? { threadId, name, worktree, versions: [] };
    one.versions.push(each);
    found.set(key, one);
  }
  return [...found.values()];
}

/** A file of the repository's own folder, and the same file in each work tree that was made for it. */
function namesOf(name: string, trees: readonly Worktree[]): string[] {
  const here = trees.filter(({ origin }) => name.startsWith(origin + sep));
  return [name, ...here.map(({ origin, path }) => join(path, relative(origin, name)))];
}

/**
 * The same bytes are no matter. In one folder a thread meets those at work, and what was written since its command or
 * call began; what a work tree began with is not met either.
 */
function meeting(own: Written, theirs: Written, atWork: ReadonlySet<ThreadId>): Meeting | undefined {
  const [here, there] = [own.worktree, theirs.worktree];
  if (here === there) {
    const began = Math.min(...own.versions.map(({ began, step }) => began ?? step));
    const isSince = theirs.versions.some(({ step }) => step > began);
    return isSince || atWork.has(theirs.threadId) ? meetingInPlace(own, theirs) : undefined;
  }
  const [mine, other] = [own.versions.at(-1)!, theirs.versions.at(-1)!];
  if (mine.hash === other.hash && mine.hash !== unknownHash) return undefined;
  const began = (tree: Worktree | undefined, { step }: WrittenPath) =>
    tree === undefined || step > tree.firstStep;
  return began(here, other) && began(there, mine) ? "both" : undefined;
}

/** While commands of both run in one folder, what changes there counts for both, since nobody can tell which did it. */
function meetingInPlace(own: Written, theirs: Written): Meeting | undefined {
  const [mine, other] = [hashesOf(own), hashesOf(theirs)];
  const onlyMine = [...mine].some((hash) => !other.has(hash));
  const onlyTheirs = [...other].some((hash) => !mine.has(hash));
  if (onlyMine && onlyTheirs) return "both";
  return onlyMine || onlyTheirs || mine.size > 1 ? "either" : undefined;
}

function hashesOf({ versions }: Written): Set<string | null> {
  return new Set(versions.map(({ hash }) => hash));
}

type Told = { how: Meeting; names: readonly string[]; trees: readonly Worktree[] };

function tell(threadId: ThreadId, other: ThreadId, what: Told, { threads, log }: OverlapParts): void {
  const [own, theirs] = [threads.find(threadId), threads.find(other)];
  if (!own || !theirs) return;
  for (const [to, from] of [
    [own, theirs],
    [theirs, own],
  ] as const) {
    const text = describe(to, from, what);
    const itemId = `overlap:${from.id}:${log.lastSeq(to.id)}`;
    log.append(to.id, [{ type: "notice.added", itemId, level: "warning", text }]);
  }
}

function describe(to: ThreadRow, from: ThreadRow, { how, names, trees }: Told): string {
  const root = trees.find(({ path }) => path === to.workspace)?.origin ?? to.workspace;
  const shown = names
    .slice(0, namedPaths)
    .map((name) => visibleText(relative(root, name)))
    .join(", ");
  const more = names.length > namedPaths ? ` and ${names.length - namedPaths} more` : "";
  const thread = `The thread “${withoutQuotes(visibleText(from.title))}”`;
  if (how === "either")
    return `${thread} and this one ran commands in this folder at the same time, and ${shown}${more} changed more than once: each may have changed what the other did.`;
  const branch = trees.find(({ path }) => path === from.workspace)?.branch;
  const where =
    to.workspace === from.workspace
      ? "in this folder at the same time: each may undo what the other did"
      : `${branch ? `on its branch ${visibleText(branch)}` : `in ${visibleText(from.workspace)}`}: the two may conflict when they are merged`;
  return `${thread} changed ${shown}${more} too, ${where}.`;
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
