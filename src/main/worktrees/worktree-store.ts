/** Writes down each worktree that this app makes, before it is made and until it is gone: no other is ever touched. */
import type Database from "better-sqlite3";
import type { ThreadId } from "../../shared/ids.ts";

/**
 * `wanted`: for a thread that has not begun. `making`: git is asked for it. `there`: its thread works in it. `going`: it was
 * moved aside, and what was not committed is being kept. `kept`: nothing of it is needed any more.
 */
export type WorktreeState = "wanted" | "making" | "there" | "going" | "kept";

/** A worktree that git was asked for, or has made. Paths are real and absolute. */
export type Worktree = {
  readonly id: string;
  readonly threadId: ThreadId;
  readonly state: Exclude<WorktreeState, "wanted">;
  /** The folder that it was made for, whose trust and rules hold in it. */
  readonly origin: string;
  /** The store that all work trees of the repository share. */
  readonly common: string;
  /** Its own part of that store; empty until it is made. */
  readonly gitDir: string;
  readonly path: string;
  readonly branch: string;
  /** The commit that it began at. */
  readonly base: string;
  /** The newest change of files by any thread when it began. */
  readonly firstStep: number;
};

export type WorktreeStore = {
  /** Whether the thread is to have one, once it begins. @returns its id and the folder it is for. */
  wanted(threadId: ThreadId): { id: string; origin: string } | undefined;
  want(id: string, threadId: ThreadId, origin: string): void;
  unwant(threadId: ThreadId): void;
  /** What git is about to be asked for. */
  making(id: string, what: Pick<Worktree, "common" | "path" | "branch" | "base">): void;
  /** Making it failed and nothing is left of it. */
  wantAgain(id: string): void;
  made(id: string, gitDir: string): void;
  setState(id: string, state: "there" | "going" | "kept"): void;
  /** Gives it to another thread that works in it. */
  giveTo(id: string, threadId: ThreadId): void;
  remove(id: string): void;
  /** The one that lies at a path and is in use. */
  at(path: string): Worktree | undefined;
  /** Those that were made for a folder and may be in use, or in use again where they cannot go. */
  madeFor(origin: string): Worktree[];
  inUse(): Worktree[];
  /** Those that were being made or removed when the app ended. */
  unfinished(): Worktree[];
  /** Whether threads that begin in a folder are to have one: what the person chose there last. */
  isChosen(folder: string): boolean;
  choose(folder: string, wanted: boolean): void;
};

const columns =
  "SELECT id, thread_id AS threadId, state, origin, common, git_dir AS gitDir, path, branch, base, first_step AS firstStep FROM worktrees";

/** @param database with the tables of worktrees */
export function createWorktreeStore(database: Database.Database): WorktreeStore {
  const wanted = database.prepare(
    "SELECT id, origin FROM worktrees WHERE thread_id = ? AND state = 'wanted'",
  );
  const want = database.prepare(
    "INSERT INTO worktrees (id, thread_id, state, origin) VALUES (?, ?, 'wanted', ?)",
  );
  const unwant = database.prepare("DELETE FROM worktrees WHERE thread_id = ? AND state = 'wanted'");
  const making = database.prepare(
    "UPDATE worktrees SET state = 'making', common = @common, path = @path, branch = @branch, base = @base WHERE id = @id",
  );
  const wantAgain = database.prepare("UPDATE worktrees SET state = 'wanted' WHERE id = ?");
  const made = database.prepare(
    "UPDATE worktrees SET state = 'there', git_dir = ?, first_step = (SELECT coalesce(max(id), 0) FROM change_steps) WHERE id = ?",
  );
  const setState = database.prepare("UPDATE worktrees SET state = ? WHERE id = ?");
  const giveTo = database.prepare("UPDATE worktrees SET thread_id = ? WHERE id = ?");
  const remove = database.prepare("DELETE FROM worktrees WHERE id = ?");
  const at = database.prepare(`${columns} WHERE path = ? AND state = 'there'`);
  const madeFor = database.prepare(`${columns} WHERE origin = ? AND state IN ('there', 'going')`);
  const inUse = database.prepare(`${columns} WHERE state = 'there'`);
  const unfinished = database.prepare(`${columns} WHERE state IN ('making', 'going', 'kept')`);
  const chosen = database.prepare("SELECT 1 FROM worktree_choices WHERE folder = ?").pluck();
  const choose = database.prepare("INSERT OR IGNORE INTO worktree_choices (folder) VALUES (?)");
  const unchoose = database.prepare("DELETE FROM worktree_choices WHERE folder = ?");
  return {
    wanted: (threadId) => wanted.get(threadId) as { id: string; origin: string } | undefined,
    want: (id, threadId, origin) => void want.run(id, threadId, origin),
    unwant: (threadId) => void unwant.run(threadId),
    making: (id, what) => void making.run({ id, ...what }),
    wantAgain: (id) => void wantAgain.run(id),
    made: (id, gitDir) => void made.run(gitDir, id),
    setState: (id, state) => void setState.run(state, id),
    giveTo: (id, threadId) => void giveTo.run(threadId, id),
    remove: (id) => void remove.run(id),
    at: (path) => at.get(path) as Worktree | undefined,
    madeFor: (origin) => madeFor.all(origin) as Worktree[],
    inUse: () => inUse.all() as Worktree[],
    unfinished: () => unfinished.all() as Worktree[],
    isChosen: (folder) => chosen.get(folder) === 1,
    choose: (folder, isWanted) => void (isWanted ? choose : unchoose).run(folder),
  };
}
