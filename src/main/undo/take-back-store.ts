/** Writes down every way back before the first file moves, so that a host that died in the middle knows where it was. */
import type Database from "better-sqlite3";
import type { ThreadId, TurnId } from "../../shared/ids.ts";
import type { ComesBack } from "./plan-take-back.ts";

/** `forth` and `back` are underway; `done` can be brought back. */
export type TakeBackState = "forth" | "done" | "back";

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
  };
};

export type TakeBackStore = {
  add(takeBack: TakeBack): void;
  setState(id: string, state: TakeBackState): void;
  remove(id: string): void;
  get(id: string): TakeBack | undefined;
  /** The newest one that can be brought back. */
  last(threadId: ThreadId): TakeBack | undefined;
  underway(): TakeBack[];
  ofThread(threadId: ThreadId): TakeBack[];
  /** Whether any of them still needs this content. */
  uses(hash: string): boolean;
};

type Row = { id: string; threadId: ThreadId; at: number; state: TakeBackState; what: string };

const columns = "SELECT id, thread_id AS threadId, at, state, what FROM take_backs";

/** @param database with the table of ways back */
export function createTakeBackStore(database: Database.Database): TakeBackStore {
  const insert = database.prepare(
    "INSERT INTO take_backs (id, thread_id, at, state, what) VALUES (@id, @threadId, @at, @state, @what)",
  );
  const setState = database.prepare("UPDATE take_backs SET state = ? WHERE id = ?");
  const remove = database.prepare("DELETE FROM take_backs WHERE id = ?");
  const one = database.prepare(`${columns} WHERE id = ?`);
  const newest = database.prepare(
    `${columns} WHERE thread_id = ? AND state = 'done' ORDER BY at DESC, rowid DESC LIMIT 1`,
  );
  const open = database.prepare(`${columns} WHERE state IN ('forth', 'back') ORDER BY at`);
  const all = database.prepare(`${columns} WHERE thread_id = ?`);
  const needs = database.prepare("SELECT 1 FROM take_backs WHERE instr(what, ?) > 0 LIMIT 1").pluck();
  const parse = (row: unknown): TakeBack => ({ ...(row as Row), what: JSON.parse((row as Row).what) });
  const maybe = (row: unknown) => (row === undefined ? undefined : parse(row));
  return {
    add: (takeBack) => void insert.run({ ...takeBack, what: JSON.stringify(takeBack.what) }),
    setState: (id, state) => void setState.run(state, id),
    remove: (id) => void remove.run(id),
    get: (id) => maybe(one.get(id)),
    last: (threadId) => maybe(newest.get(threadId)),
    underway: () => open.all().map(parse),
    ofThread: (threadId) => all.all(threadId).map(parse),
    uses: (hash) => needs.get(hash) !== undefined,
  };
}
