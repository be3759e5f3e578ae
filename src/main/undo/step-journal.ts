/** Writes down what each step of a thread did to files: a tool's change before it is made, a command's when it was found. */
import type Database from "better-sqlite3";
import type { ExecutionId, ThreadId, TurnId } from "../../shared/ids.ts";
import type { StepFile } from "./plan-take-back.ts";
import type { MaybeFile } from "./version.ts";

/** Whose step it is. */
export type StepOrigin = {
  readonly threadId: ThreadId;
  readonly turnId: TurnId;
  readonly executionId: ExecutionId;
};

/** A command that may have changed more than was found; `how` is "open" while nobody looked after it. */
export type PartlyKnown = { readonly executionId: ExecutionId; readonly how: "open" | "partial" };

export type NewStepFile = Omit<StepFile, "step">;

export type StepJournal = {
  /** Begins the step of a command, or finds the one of a tool's call. */
  begin(origin: StepOrigin, kind: "tool" | "command"): number;
  /** What is about to be changed; the first of several in one step counts. */
  before(step: number, file: Pick<NewStepFile, "path" | "before" | "kept" | "fixed">): void;
  after(step: number, path: string, after: MaybeFile, mark: string | null): void;
  /** This is what a command changed, or more of it. @param whole whether that is all; @returns false where it was forgotten */
  found(step: number, files: readonly NewStepFile[], whole: boolean): boolean;
  /** The first step of the turn or of one after it; `undefined` where there was none. */
  firstSince(threadId: ThreadId, turnId: TurnId): number | undefined;
  /** The step of one call; `undefined` where it changed no files. */
  stepOf(threadId: ThreadId, executionId: ExecutionId): number | undefined;
  /** Steps from this one on that were not taken back, in order. */
  filesSince(threadId: ThreadId, step: number): StepFile[];
  /** Commands among them of which not all is known. */
  partlyKnown(threadId: ThreadId, step: number): PartlyKnown[];
  /** The newest step; 0 where there is none. */
  lastOf(threadId: ThreadId): number;
  /** Counts steps as taken back, so that no other way back knows them. */
  takeBack(threadId: ThreadId, first: number, last: number, takeBackId: string): void;
  /** The reverse. */
  bringBack(takeBackId: string): void;
  /** Whether any step still needs this content. */
  uses(hash: string): boolean;
  /** The contents that the thread's steps need. */
  contentsOf(threadId: ThreadId): string[];
  /** What the oldest steps that stand need, oldest first. */
  oldestKept(limit: number): KeptContent[];
  /** The file of this step can no longer be brought back. */
  giveUp(step: number, path: string): void;
  /** @returns the contents that the thread's steps needed. */
  forget(threadId: ThreadId): string[];
};

export type KeptContent = { readonly step: number; readonly path: string; readonly hash: string };

type Row = {
  step: number;
  path: string;
  before_hash: string | null;
  before_mode: number | null;
  kept: number;
  settled: number;
  after_hash: string | null;
  after_mode: number | null;
  mark: string | null;
  fixed: StepFile["fixed"] | null;
};

const toVersion = (hash: string | null, mode: number | null): MaybeFile =>
  hash === null ? null : { hash, mode };

function toFile(row: Row): StepFile {
  return {
    step: row.step,
    path: row.path,
    before: toVersion(row.before_hash, row.before_mode),
    kept: row.kept === 1,
    after: row.settled === 1 ? toVersion(row.after_hash, row.after_mode) : undefined,
    mark: row.mark,
    ...(row.fixed && { fixed: row.fixed }),
  };
}

const standing = "s.thread_id = ? AND s.id >= ? AND s.taken_back IS NULL";

/** @param database with the tables of steps and of turns */
export function createStepJournal(database: Database.Database): StepJournal {
  const addStep = database.prepare(
    "INSERT INTO change_steps (thread_id, turn_id, execution_id, kind, state) VALUES (@threadId, @turnId, @executionId, @kind, @state) ON CONFLICT (execution_id) DO NOTHING",
  );
  const stepOf = database.prepare("SELECT id FROM change_steps WHERE execution_id = ?").pluck();
  const addFile = database.prepare(
    "INSERT INTO change_step_files (step, path, before_hash, before_mode, kept, settled, after_hash, after_mode, mark, fixed) VALUES (@step, @path, @beforeHash, @beforeMode, @kept, @settled, @afterHash, @afterMode, @mark, @fixed) ON CONFLICT (step, path) DO NOTHING",
  );
  const settle = database.prepare(
    "UPDATE change_step_files SET settled = 1, after_hash = ?, after_mode = ?, mark = ? WHERE step = ? AND path = ?",
  );
  const setState = database.prepare("UPDATE change_steps SET state = ? WHERE id = ?");
  const write = (step: number, { path, before, kept, after, mark, fixed }: NewStepFile) =>
    addFile.run({
      step,
      path,
      beforeHash: before?.hash ?? null,
      beforeMode: before?.mode ?? null,
      kept: Number(kept),
      settled: Number(after !== undefined),
      afterHash: after?.hash ?? null,
      afterMode: after?.mode ?? null,
      mark,
      fixed: fixed ?? null,
    });
  const { oldest, giveUp, contentsOf } = prepareKept(database);
  return {
    begin(origin, kind) {
      addStep.run({ ...origin, kind, state: kind === "command" ? "open" : "whole" });
      return stepOf.get(origin.executionId) as number;
    },
    before: (step, file) => void write(step, { ...file, after: undefined, mark: null }),
    after: (step, path, after, mark) =>
      void settle.run(after?.hash ?? null, after?.mode ?? null, mark, step, path),
    found: database.transaction((step: number, files: readonly NewStepFile[], whole: boolean) => {
      if (setState.run(whole ? "whole" : "partial", step).changes === 0) return false;
      for (const file of files) write(step, file);
      return true;
    }),
    ...createReads(database),
    takeBack: (threadId, first, last, takeBackId) =>
      void database
        .prepare(`UPDATE change_steps AS s SET taken_back = ? WHERE ${standing} AND s.id <= ?`)
        .run(takeBackId, threadId, first, last),
    bringBack: (takeBackId) =>
      void database.prepare("UPDATE change_steps SET taken_back = NULL WHERE taken_back = ?").run(takeBackId),
    contentsOf,
    oldestKept: (limit) => oldest.all(limit) as KeptContent[],
    giveUp: (step, path) => void giveUp.run(step, path),
    forget: database.transaction((threadId: ThreadId) => {
      const hashes = contentsOf(threadId);
      database
        .prepare(
          "DELETE FROM change_step_files WHERE step IN (SELECT id FROM change_steps WHERE thread_id = ?)",
        )
        .run(threadId);
      database.prepare("DELETE FROM change_steps WHERE thread_id = ?").run(threadId);
      return hashes;
    }),
  };
}

function prepareKept(database: Database.Database) {
  const ofThread = database
    .prepare(
      "SELECT DISTINCT f.before_hash FROM change_step_files f JOIN change_steps s ON s.id = f.step WHERE s.thread_id = ? AND f.kept = 1 AND f.before_hash IS NOT NULL",
    )
    .pluck();
  return {
    contentsOf: (threadId: ThreadId) => ofThread.all(threadId) as string[],
    oldest: database.prepare(
      "SELECT f.step, f.path, f.before_hash AS hash FROM change_step_files f JOIN change_steps s ON s.id = f.step WHERE f.kept = 1 AND f.before_hash IS NOT NULL AND s.taken_back IS NULL ORDER BY f.step LIMIT ?",
    ),
    giveUp: database.prepare("UPDATE change_step_files SET kept = 0 WHERE step = ? AND path = ?"),
  };
}

type Reads = Pick<StepJournal, "firstSince" | "stepOf" | "lastOf" | "filesSince" | "partlyKnown" | "uses">;

function createReads(database: Database.Database): Reads {
  const since = database.prepare(
    `SELECT f.* FROM change_steps s JOIN change_step_files f ON f.step = s.id WHERE ${standing} ORDER BY s.id, f.path`,
  );
  const partly = database.prepare(
    `SELECT s.execution_id AS executionId, s.state AS how FROM change_steps s WHERE ${standing} AND s.state <> 'whole' ORDER BY s.id`,
  );
  const last = database.prepare("SELECT coalesce(max(id), 0) FROM change_steps WHERE thread_id = ?").pluck();
  const needs = database
    .prepare("SELECT 1 FROM change_step_files WHERE before_hash = ? AND kept = 1 LIMIT 1")
    .pluck();
  const first = database
    .prepare(
      "SELECT min(id) FROM change_steps WHERE thread_id = @threadId AND (turn_id = @turnId OR turn_id IN (SELECT later.id FROM turns AS later JOIN turns AS this ON later.thread_id = this.thread_id AND later.rowid > this.rowid WHERE this.id = @turnId))",
    )
    .pluck();
  const ofCall = database
    .prepare("SELECT id FROM change_steps WHERE thread_id = ? AND execution_id = ?")
    .pluck();
  return {
    stepOf: (threadId, executionId) => ofCall.get(threadId, executionId) as number | undefined,
    firstSince: (threadId, turnId) => (first.get({ threadId, turnId }) as number | null) ?? undefined,
    lastOf: (threadId) => last.get(threadId) as number,
    filesSince: (threadId, step) => (since.all(threadId, step) as Row[]).map(toFile),
    partlyKnown: (threadId, step) => partly.all(threadId, step) as PartlyKnown[],
    uses: (hash) => needs.get(hash) !== undefined,
  };
}
