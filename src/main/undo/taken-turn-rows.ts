/** Which turns of a thread a way back takes, and the mark that they carry while they are taken back. */
import type Database from "better-sqlite3";
import type { ThreadId, TurnId } from "../../shared/ids.ts";

/** Where the turns from one on begin, as far as their rows tell. */
export type TurnsSince = {
  readonly turns: readonly TurnId[];
  /** What the first of them began from; `null` is before the first checkpoint, `undefined` that nobody knows. */
  readonly checkpoint: string | null | undefined;
};

export type TakenTurnRows = {
  /** The turns from this one on that began and are not taken back; none where this one is or never began. */
  since(threadId: ThreadId, turnId: TurnId): TurnsSince;
  mark(turns: readonly TurnId[], takeBackId: string): void;
  unmark(takeBackId: string): void;
  /** Whether the thread has a turn that was sent after all of these. */
  hasLater(threadId: ThreadId, turns: readonly TurnId[]): boolean;
};

const stands = "status NOT IN ('queued', 'cancelled') AND taken_back IS NULL";

/** @param database with the table of turns */
export function createTakenTurnRows(database: Database.Database): TakenTurnRows {
  const one = database.prepare(
    `SELECT rowid AS at, checkpoint_before AS checkpoint FROM turns WHERE thread_id = ? AND id = ? AND ${stands}`,
  );
  const following = database
    .prepare(`SELECT id FROM turns WHERE thread_id = ? AND rowid >= ? AND ${stands} ORDER BY rowid`)
    .pluck();
  const earlier = database.prepare(
    `SELECT 1 FROM turns WHERE thread_id = ? AND rowid < ? AND ${stands} LIMIT 1`,
  );
  const setMark = database.prepare("UPDATE turns SET taken_back = ? WHERE id = ?");
  const clear = database.prepare("UPDATE turns SET taken_back = NULL WHERE taken_back = ?");
  const later = database
    .prepare(
      "SELECT 1 FROM turns WHERE thread_id = ? AND taken_back IS NULL AND status <> 'cancelled' AND rowid > (SELECT max(rowid) FROM turns WHERE id IN (SELECT value FROM json_each(?))) LIMIT 1",
    )
    .pluck();
  return {
    since(threadId, turnId) {
      const row = one.get(threadId, turnId) as { at: number; checkpoint: string | null } | undefined;
      if (!row) return { turns: [], checkpoint: undefined };
      // A turn that failed before it began noted nothing either; only for the first one that means an empty memory.
      const isUnknown = row.checkpoint === null && earlier.get(threadId, row.at) !== undefined;
      return {
        turns: following.all(threadId, row.at) as TurnId[],
        checkpoint: isUnknown ? undefined : row.checkpoint,
      };
    },
    mark(turns, takeBackId) {
      for (const turn of turns) setMark.run(takeBackId, turn);
    },
    unmark: (takeBackId) => void clear.run(takeBackId),
    hasLater: (threadId, turns) => later.get(threadId, JSON.stringify(turns)) !== undefined,
  };
}
