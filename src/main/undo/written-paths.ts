/** Tells which threads wrote a path, from what each step did to files and was not taken back. */
import type Database from "better-sqlite3";
import type { ThreadId } from "../../shared/ids.ts";

/** What a thread made of a path, the last time by its journal. */
export type WrittenPath = {
  readonly threadId: ThreadId;
  readonly path: string;
  readonly step: number;
  /** The step of the command that wrote it, where that still runs. */
  readonly began?: number;
  /** Null where it is gone. */
  readonly hash: string | null;
};

export type WrittenPaths = {
  /** What a thread wrote from a step on, newest first, at most so many paths. */
  since(threadId: ThreadId, step: number, limit: number): WrittenPath[];
  /** Who else wrote any of these paths, the newest of each thread and path. */
  byOthers(threadId: ThreadId, paths: readonly string[]): WrittenPath[];
  /** Who began to change files after that step. */
  threadsSince(step: number): ThreadId[];
  /** What comes after all steps that were begun. */
  nextStep(): number;
};

const columns =
  "SELECT s.thread_id AS threadId, f.path, max(s.id) AS step, f.after_hash AS hash FROM change_step_files f JOIN change_steps s ON s.id = f.step WHERE f.settled = 1 AND s.taken_back IS NULL";

/** @param database with the table of steps */
export function createWrittenPaths(database: Database.Database): WrittenPaths {
  const since = database.prepare(
    `${columns} AND s.thread_id = ? AND s.id >= ? GROUP BY f.path ORDER BY step DESC LIMIT ?`,
  );
  const byOthers = database.prepare(
    `${columns} AND s.thread_id <> ? AND f.path IN (SELECT value FROM json_each(?)) GROUP BY s.thread_id, f.path`,
  );
  const newest = database.prepare("SELECT coalesce(max(id), 0) FROM change_steps").pluck();
  const threadsSince = database.prepare("SELECT DISTINCT thread_id FROM change_steps WHERE id > ?").pluck();
  return {
    threadsSince: (step) => threadsSince.all(step) as ThreadId[],
    nextStep: () => (newest.get() as number) + 1,
    since: (threadId, step, limit) => since.all(threadId, step, limit) as WrittenPath[],
    byOthers: (threadId, paths) => byOthers.all(threadId, JSON.stringify(paths)) as WrittenPath[],
  };
}
