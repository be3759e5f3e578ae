/** Executions: every side effect has a row here, on disk before it starts, and a receipt after it ended (I1). */
import type Database from "better-sqlite3";
import { z } from "zod";
import { type Width, widthSchema } from "../../shared/contract/decisions.ts";
import {
  type Receipt,
  receiptSchema,
  type ToolOutcome,
  toolOutcomeSchema,
} from "../../shared/contract/thread-events.ts";
import type { ExecutionId, ThreadId, TurnId } from "../../shared/ids.ts";
import { type PackedText, packText, unpackText } from "../storage/packed-text.ts";

/** suspended: the tool waits for an answer in the middle of its work · started: the effect may have happened · finished: its receipt is replayed · closed: a crash left it unknown and a person settled it · dropped: refused before it began, since the file was not what had been shown. */
export type ExecutionState = "started" | "suspended" | "finished" | "closed" | "dropped";

export type ExecutionRow = {
  id: ExecutionId;
  callKey: string;
  threadId: ThreadId;
  turnId: TurnId;
  itemId: string;
  tool: string;
  state: ExecutionState;
  /** What runs, in words a person recognises: the command line or the file. */
  what: string;
  /** How far a command may reach; `null` for what is none. The shell starts it with this and nothing else (I8). */
  width: Width | null;
  /** The arguments it ran with, after an edit. */
  args: Record<string, unknown>;
  pid: number | null;
  /** The kernel's start time of the process, so that a reused pid is not taken for it. */
  processStarted: string | null;
  logPath: string | null;
  startedAt: number;
  finishedAt: number | null;
  outcome: ToolOutcome | null;
  /** The tool message's content, replayed when the call is walked into again; `null` where the transcript has it whole. */
  result: string | null;
  receipt: Receipt | null;
};

export type NewExecution = Pick<
  ExecutionRow,
  "id" | "callKey" | "threadId" | "turnId" | "itemId" | "tool" | "what" | "args"
> & { width: Width | undefined };

export type ExecutionStore = {
  start(execution: NewExecution): void;
  noteProcess(
    id: ExecutionId,
    process: { pid: number; processStarted: string | null; logPath: string | null },
  ): void;
  finish(id: ExecutionId, end: { outcome: ToolOutcome; result: string | null; receipt: Receipt }): void;
  suspend(id: ExecutionId): void;
  continue(id: ExecutionId): void;
  /** A person said what a crash left open. */
  close(id: ExecutionId, end?: { outcome: ToolOutcome; result: string }): void;
  /** The effect did not happen after all, so nothing is left to replay; the row stays, since its ledger line does. */
  drop(id: ExecutionId): void;
  /** The newest execution of a call that was closed for another to take its place is unknown again: that one was dropped. */
  reopen(callKey: string): void;
  get(id: ExecutionId): ExecutionRow | undefined;
  /** The newest execution of a call that was not dropped. */
  latestOf(callKey: string): (ExecutionRow & { state: Exclude<ExecutionState, "dropped"> }) | undefined;
  started(): ExecutionRow[];
  /** Whether it is started, and for a command with this width. */
  isStarted(id: ExecutionId, width: Width): boolean;
  /** All of a thread, without what may be long. */
  ofThread(threadId: ThreadId): Pick<ExecutionRow, "id" | "state" | "logPath">[];
  removeThread(threadId: ThreadId): void;
};

/** In rows of approvals too: an item that is named after its call is not named once more. */
export const itemIdColumn = "iif(item_id = '', call_key, item_id) AS itemId";
export const itemIdValue = "iif(@itemId = @callKey, '', @itemId)";

const columns = `id, call_key AS callKey, thread_id AS threadId, turn_id AS turnId, ${itemIdColumn}, tool, state, what, width, args, pid, process_started AS processStarted, log_path AS logPath, started_at AS startedAt, finished_at AS finishedAt, outcome, result, receipt`;

const packedSchema = z
  .union([z.string(), z.instanceof(Buffer)])
  .transform((packed: PackedText) => unpackText(packed));

const endSchema = z.object({
  args: packedSchema.transform((value) => z.record(z.string(), z.unknown()).parse(JSON.parse(value))),
  width: widthSchema.nullable(),
  outcome: toolOutcomeSchema.nullable(),
  result: packedSchema.nullable(),
  receipt: z
    .string()
    .nullable()
    .transform((value) => (value === null ? null : receiptSchema.parse(JSON.parse(value)))),
});

/** @param now milliseconds since 1970, as in every store. */
export function createExecutionStore(database: Database.Database, now: () => number): ExecutionStore {
  const parse = (row: unknown) =>
    row ? ({ ...(row as ExecutionRow), ...endSchema.parse(row) } as ExecutionRow) : undefined;
  const byId = database.prepare(`SELECT ${columns} FROM executions WHERE id = ?`);
  const byCall = database.prepare(
    `SELECT ${columns} FROM executions WHERE call_key = ? AND state <> 'dropped' ORDER BY rowid DESC LIMIT 1`,
  );
  const open = database.prepare(`SELECT ${columns} FROM executions WHERE state = 'started'`);
  const startedById = database.prepare(
    "SELECT 1 FROM executions WHERE id = ? AND state = 'started' AND width = ?",
  );
  const byThread = database.prepare(
    "SELECT id, state, log_path AS logPath FROM executions WHERE thread_id = ?",
  );
  const insert = database.prepare(
    `INSERT INTO executions (id, call_key, thread_id, turn_id, item_id, tool, state, what, width, args, started_at) VALUES (@id, @callKey, @threadId, @turnId, ${itemIdValue}, @tool, 'started', @what, @width, @args, @at)`,
  );
  const end = database.prepare(
    "UPDATE executions SET state = 'finished', finished_at = ?, outcome = ?, result = ?, receipt = ? WHERE id = ? AND state = 'started'",
  );
  const closeRow = database.prepare(
    "UPDATE executions SET state = 'closed', finished_at = ?, outcome = ?, result = ? WHERE id = ? AND state = 'started'",
  );
  const dropRow = database.prepare(
    "UPDATE executions SET state = 'dropped', finished_at = ?, outcome = 'cancelled' WHERE id = ? AND state = 'started'",
  );
  const reopenRow = database.prepare(
    "UPDATE executions SET state = 'started', finished_at = NULL WHERE id = (SELECT id FROM executions WHERE call_key = ? AND state <> 'dropped' ORDER BY rowid DESC LIMIT 1) AND state = 'closed' AND outcome IS NULL",
  );
  const note = database.prepare(
    "UPDATE executions SET pid = ?, process_started = ?, log_path = ? WHERE id = ?",
  );
  const move = database.prepare("UPDATE executions SET state = ? WHERE id = ? AND state = ?");
  return {
    start: (execution) =>
      void insert.run({
        ...execution,
        width: execution.width ?? null,
        args: packText(JSON.stringify(execution.args)),
        at: now(),
      }),
    noteProcess: (id, process) => void note.run(process.pid, process.processStarted, process.logPath, id),
    finish: (id, { outcome, result, receipt }) =>
      void end.run(now(), outcome, result === null ? null : packText(result), JSON.stringify(receipt), id),
    suspend: (id) => void move.run("suspended", id, "started"),
    continue: (id) => void move.run("started", id, "suspended"),
    close: (id, end) => void closeRow.run(now(), end?.outcome ?? null, end ? packText(end.result) : null, id),
    drop: (id) => void dropRow.run(now(), id),
    reopen: (callKey) => void reopenRow.run(callKey),
    get: (id) => parse(byId.get(id)),
    latestOf: (callKey) => parse(byCall.get(callKey)) as ReturnType<ExecutionStore["latestOf"]>,
    started: () => open.all().map((row) => parse(row)!),
    isStarted: (id, width) => startedById.get(id, width) !== undefined,
    ofThread: (threadId) => byThread.all(threadId) as ReturnType<ExecutionStore["ofThread"]>,
    removeThread: (threadId) =>
      void database.prepare("DELETE FROM executions WHERE thread_id = ?").run(threadId),
  };
}
