/** Knows which threads wrote a path: by their steps, and by commands that still run and stand in no journal before they end. */
import type Database from "better-sqlite3";
import type { ExecutionId, ThreadId } from "../../shared/ids.ts";
import type { WhileRunning } from "../files/running-looks.ts";

/** Whoever holds threads' writes against each other. */
export type LiveListener = {
  /** Whether anybody else could write what a command of this thread does, or did since it began. */
  isWanted(threadId: ThreadId, began: number): boolean;
  heard(threadId: ThreadId): void;
};

export type LiveWrites = {
  /** @param began the step of the command */
  ofCommand(threadId: ThreadId, executionId: ExecutionId, began: number): WhileRunning;
  /** All that was seen of each path, in order. */
  of(threadId: ThreadId): WrittenPath[];
  byOthers(threadId: ThreadId, paths: readonly string[]): WrittenPath[];
  /** There is one. */
  listen(listener: LiveListener): void;
};

/** Of a file that is written all the time; it was told of by then. */
const mostVersions = 20;

type Running = { readonly threadId: ThreadId; readonly byPath: Map<string, WrittenPath[]> };

/** @param nextStep what comes after all steps that were begun */
export function createLiveWrites(nextStep: () => number): LiveWrites {
  const running = new Map<ExecutionId, Running>();
  let listener: LiveListener | undefined;
  return {
    ofCommand(threadId, executionId, began) {
      return {
        isWanted: () => listener?.isWanted(threadId, began) ?? false,
        tell(changes) {
          const { byPath } = running.get(executionId) ?? { byPath: new Map<string, WrittenPath[]>() };
          running.set(executionId, { threadId, byPath });
          const step = nextStep();
          for (const { path, hash } of changes) {
            const versions = [...(byPath.get(path) ?? []), { threadId, path, hash, step, began }];
            byPath.set(path, versions.slice(-mostVersions));
          }
          listener?.heard(threadId);
        },
        end: () => void running.delete(executionId),
      };
    },
    of: (threadId) =>
      [...running.values()].flatMap((one) =>
        one.threadId === threadId ? [...one.byPath.values()].flat() : [],
      ),
    byOthers: (threadId, paths) =>
      [...running.values()].flatMap((one) =>
        one.threadId === threadId ? [] : paths.flatMap((path) => one.byPath.get(path) ?? []),
      ),
    listen(one) {
      listener = one;
    },
  };
}

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
  const threadsSince = database
    .prepare("SELECT DISTINCT thread_id FROM change_steps NOT INDEXED WHERE id > ?")
    .pluck();
  return {
    threadsSince: (step) => threadsSince.all(step) as ThreadId[],
    nextStep: () => (newest.get() as number) + 1,
    since: (threadId, step, limit) => since.all(threadId, step, limit) as WrittenPath[],
    byOthers: (threadId, paths) => byOthers.all(threadId, JSON.stringify(paths)) as WrittenPath[],
  };
}
