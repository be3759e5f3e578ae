/** Writes down every way back before the first file moves, so that a host that died in the middle knows where it was. */
import type Database from "better-sqlite3";
import type { DecidedBy } from "../../shared/contract/decisions.ts";
import type { ExecutionId, ThreadId, TurnId } from "../../shared/ids.ts";
import type { ConversationBack } from "./conversation-back.ts";
import type { ComesBack } from "./plan-take-back.ts";
import type { FolderMove } from "./put-folder.ts";
import type { RepositoryMove } from "./repository-move.ts";

/**
 * `forth` and `back` are underway; `done` can be brought back. Where one of them failed and what had moved could not all be
 * put back either, its state says that it was refused: from then on it only goes the other way.
 */
export type TakeBackState = "forth" | "done" | "back" | "forthRefused" | "backRefused";

export type TakeBack = {
  readonly id: string;
  readonly threadId: ThreadId;
  readonly at: number;
  readonly state: TakeBackState;
  readonly what: {
    /** The real path of the workspace. */
    readonly root: string;
    readonly turnId: TurnId;
    /** Steps from the one to the other are taken back. */
    readonly firstStep: number;
    readonly lastStep: number;
    readonly files: readonly ComesBack[];
    /** Absent where the agent goes on knowing of it. */
    readonly conversation?: ConversationBack;
    /** Other folders that files of it lie in, by their real paths. */
    readonly otherRoots?: readonly string[];
    /** Branches and indexes that go with the files. */
    readonly repository?: RepositoryMove;
    /** Set where changes of a worktree were brought home, and how. */
    readonly home?: { readonly way: string; readonly branch?: string; readonly target?: string };
    /** Folders that go and come with the files. */
    readonly folders?: FolderMove;
    /** Set where what a rehearsed command would change is committed: whose it is, and what it printed. */
    readonly rehearsed?: Rehearsed;
    /** Who asked for it last; absent in what was written before this was. */
    readonly by?: DecidedBy;
  };
};

/** The execution that a commit ends, and with what. */
export type Rehearsed = {
  readonly executionId: ExecutionId;
  readonly exitCode: number;
  readonly result: string;
  readonly truncated: boolean;
  readonly bytes: number;
};

export type TakeBackStore = {
  add(takeBack: TakeBack): void;
  /** It is brought back from now on, as this one asked. */
  beginBack(takeBack: TakeBack, by: DecidedBy): void;
  setState(id: string, state: TakeBackState): void;
  remove(id: string): void;
  /** The newest one that can be brought back: of those that brought changes home, or of all others. */
  last(threadId: ThreadId, isHome?: boolean): TakeBack | undefined;
  underway(): TakeBack[];
  ofThread(threadId: ThreadId): TakeBack[];
  /** Whether any of them still needs this content. */
  uses(hash: string): boolean;
};

type Row = { id: string; threadId: ThreadId; at: number; state: TakeBackState; what: string };

const columns = "SELECT id, thread_id AS threadId, at, state, what FROM take_backs";

/** The contents without which it cannot go back or forth. */
export function contentsOf({ what }: TakeBack): Set<string> {
  return new Set(what.files.flatMap(({ from, to }) => [from, to].flatMap((one) => one?.hash ?? [])));
}

/** @param database with the table of ways back */
export function createTakeBackStore(database: Database.Database): TakeBackStore {
  const insert = database.prepare(
    "INSERT INTO take_backs (id, thread_id, at, state, what) VALUES (@id, @threadId, @at, @state, @what)",
  );
  const addContent = database.prepare(
    "INSERT OR IGNORE INTO take_back_contents (hash, take_back) VALUES (?, ?)",
  );
  const removeContents = database.prepare("DELETE FROM take_back_contents WHERE take_back = ?");
  const setState = database.prepare("UPDATE take_backs SET state = ? WHERE id = ?");
  const begin = database.prepare("UPDATE take_backs SET state = 'back', what = ? WHERE id = ?");
  const remove = database.prepare("DELETE FROM take_backs WHERE id = ?");
  const newest = database.prepare(
    `${columns} WHERE thread_id = ? AND state = 'done' AND (what ->> '$.home' IS NOT NULL) = ? ORDER BY at DESC, rowid DESC LIMIT 1`,
  );
  const open = database.prepare(`${columns} WHERE state <> 'done' ORDER BY at`);
  const all = database.prepare(`${columns} WHERE thread_id = ?`);
  const needs = database.prepare("SELECT 1 FROM take_back_contents WHERE hash = ? LIMIT 1").pluck();
  const parse = (row: unknown): TakeBack => ({ ...(row as Row), what: JSON.parse((row as Row).what) });
  const maybe = (row: unknown) => (row === undefined ? undefined : parse(row));
  return {
    add: database.transaction((takeBack: TakeBack) => {
      insert.run({ ...takeBack, what: JSON.stringify(takeBack.what) });
      for (const hash of contentsOf(takeBack)) addContent.run(hash, takeBack.id);
    }),
    beginBack: ({ id, what }, by) => void begin.run(JSON.stringify({ ...what, by }), id),
    setState: (id, state) => void setState.run(state, id),
    remove: database.transaction((id: string) => {
      removeContents.run(id);
      remove.run(id);
    }),
    last: (threadId, isHome = false) => maybe(newest.get(threadId, isHome ? 1 : 0)),
    underway: () => open.all().map(parse),
    ofThread: (threadId) => all.all(threadId).map(parse),
    uses: (hash) => needs.get(hash) !== undefined,
  };
}
