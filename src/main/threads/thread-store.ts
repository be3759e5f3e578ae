/** Rows of threads and their turns: the truth about what each thread is doing, readable without any agent. */
import type Database from "better-sqlite3";
import { ContractError } from "../../shared/contract/errors.ts";
import { type ModelRef, modelRefSchema } from "../../shared/contract/models.ts";
import type { Attachment, ThreadStatus } from "../../shared/contract/threads.ts";
import { attachmentSchema } from "../../shared/contract/threads.ts";
import type { AgentId, MessageId, ThreadId, TurnId } from "../../shared/ids.ts";

/** The source of agents that are configured here. */
export const builtInSource = "deep-agent";

export type ThreadRow = {
  id: ThreadId;
  title: string;
  titled: boolean;
  workspace: string;
  /** The name of the agent source that works on its turns. */
  source: string;
  agentId: AgentId;
  model: ModelRef;
  status: ThreadStatus;
  problem: string | undefined;
  unread: boolean;
  pinned: boolean;
  archived: boolean;
  forkedFrom: ThreadId | undefined;
  createdAt: number;
  updatedAt: number;
};

export type TurnStatus = "queued" | "running" | "done" | "stopped" | "failed" | "interrupted" | "cancelled";

export type TurnRow = {
  id: TurnId;
  threadId: ThreadId;
  messageId: MessageId;
  text: string;
  attachments: Attachment[];
  status: TurnStatus;
  /** The checkpoint the turn began from, for editing and forking; `null` before the first one. */
  checkpointBefore: string | null;
};

/** A turn that is over, as it travels in an exported thread; times in ms since 1970. */
export type PastTurn = Omit<TurnRow, "id" | "threadId"> & { createdAt: number; finishedAt: number | null };

type NewThread = Pick<
  ThreadRow,
  "id" | "title" | "titled" | "workspace" | "source" | "agentId" | "model" | "forkedFrom"
>;
type ThreadPatch = Partial<
  Pick<ThreadRow, "title" | "titled" | "model" | "status" | "problem" | "unread" | "pinned" | "archived">
>;

export type ThreadStore = {
  create(thread: NewThread): ThreadRow;
  /** @throws ContractError `not-found` */
  get(id: ThreadId): ThreadRow;
  find(id: ThreadId): ThreadRow | undefined;
  list(): ThreadRow[];
  /** Changes the given columns; `updatedAt` moves only when the status does. */
  update(id: ThreadId, patch: ThreadPatch): void;
  remove(id: ThreadId): void;
  addTurn(turn: TurnRow): void;
  setTurnStatus(id: TurnId, status: TurnStatus): void;
  setTurnCheckpoint(id: TurnId, checkpointId: string | null): void;
  /** The turn that runs or that a crash left running. */
  currentTurn(threadId: ThreadId): TurnRow | undefined;
  /** The newest turn that began, whatever came of it. */
  latestTurn(threadId: ThreadId): TurnRow | undefined;
  nextQueued(threadId: ThreadId): TurnRow | undefined;
  queued(threadId: ThreadId): TurnRow[];
  turnOfMessage(threadId: ThreadId, messageId: MessageId): TurnRow | undefined;
  /** Gives a fork the turns it begins with, so that it can be forked at them in turn. */
  copyTurns(from: ThreadId, to: ThreadId, before: TurnId): void;
  /** The thread's turns in order. */
  pastTurns(threadId: ThreadId): PastTurn[];
  /** Adds a turn that happened elsewhere: it can be forked at and never goes on here. */
  addPastTurn(threadId: ThreadId, turn: PastTurn): void;
  /** The checkpoints that the newest `turns` turns began from. */
  newestBookmarks(threadId: ThreadId, turns: number): string[];
  threadsWithStatus(statuses: ThreadStatus[]): ThreadId[];
  /** Threads with a message that nobody stopped since it was sent. */
  threadsWithQueued(): ThreadId[];
  /** Threads with a turn that runs or that a crash left running. */
  threadsWithCurrentTurn(): Set<ThreadId>;
  queuedCounts(): Map<ThreadId, number>;
};

type RawThread = Omit<
  ThreadRow,
  "model" | "titled" | "unread" | "pinned" | "archived" | "problem" | "forkedFrom"
> & {
  model: string;
  titled: number;
  unread: number;
  pinned: number;
  archived: number;
  problem: string | null;
  forkedFrom: ThreadId | null;
};
type RawTurn = Omit<TurnRow, "attachments"> & { attachments: string };

const threadColumns =
  "id, title, titled, workspace, source, agent_id AS agentId, model, status, problem, unread, pinned, archived, forked_from AS forkedFrom, created_at AS createdAt, updated_at AS updatedAt";
const turnColumns =
  "id, thread_id AS threadId, message_id AS messageId, text, attachments, status, checkpoint_before AS checkpointBefore";

/** @param onChanged called after a thread's row changed, also when it is gone. */
export function createThreadStore(
  database: Database.Database,
  now: () => number,
  onChanged: (id: ThreadId) => void,
): ThreadStore {
  const one = database.prepare(`SELECT ${threadColumns} FROM threads WHERE id = ?`);
  const all = database.prepare(`SELECT ${threadColumns} FROM threads ORDER BY updated_at DESC`);
  const insert = database.prepare(
    "INSERT INTO threads (id, title, titled, workspace, source, agent_id, model, forked_from, created_at, updated_at) VALUES (@id, @title, @titled, @workspace, @source, @agentId, @model, @forkedFrom, @at, @at)",
  );
  /** By their assignments: the columns that change together are few combinations. */
  const updates = new Map<string, Database.Statement>();
  const turnWhere = (condition: string) =>
    database.prepare(`SELECT ${turnColumns} FROM turns WHERE thread_id = ? AND ${condition}`);
  const current = turnWhere("status = 'running' LIMIT 1");
  const latest = turnWhere("status NOT IN ('queued', 'cancelled') ORDER BY rowid DESC LIMIT 1");
  const queuedTurns = turnWhere("status = 'queued' ORDER BY rowid");
  const byMessage = turnWhere("message_id = ?");
  const find = (id: ThreadId) => {
    const row = one.get(id) as RawThread | undefined;
    return row && parseThread(row);
  };
  const turn = (row: unknown) => (row ? parseTurn(row as RawTurn) : undefined);

  return {
    create(thread) {
      insert.run({
        ...thread,
        titled: thread.titled ? 1 : 0,
        model: JSON.stringify(thread.model),
        forkedFrom: thread.forkedFrom ?? null,
        at: now(),
      });
      onChanged(thread.id);
      return find(thread.id)!;
    },
    get(id) {
      const row = find(id);
      if (!row)
        throw new ContractError("not-found", "This thread does not exist any more.", { field: "threadId" });
      return row;
    },
    find,
    list: () => (all.all() as RawThread[]).map(parseThread),
    update(id, patch) {
      const columns = Object.entries({ ...patch, ...(patch.status ? { updated_at: now() } : {}) });
      if (columns.length === 0) return;
      const assignments = columns.map(([name]) => `${name} = ?`).join(", ");
      const statement =
        updates.get(assignments) ?? database.prepare(`UPDATE threads SET ${assignments} WHERE id = ?`);
      updates.set(assignments, statement);
      statement.run(...columns.map(([, value]) => toColumn(value)), id);
      onChanged(id);
    },
    remove(id) {
      database.prepare("DELETE FROM threads WHERE id = ?").run(id);
      onChanged(id);
    },
    addTurn(row) {
      database
        .prepare(
          "INSERT INTO turns (id, thread_id, message_id, text, attachments, status, checkpoint_before, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .run(
          row.id,
          row.threadId,
          row.messageId,
          row.text,
          JSON.stringify(row.attachments),
          row.status,
          row.checkpointBefore,
          now(),
        );
    },
    setTurnStatus(id, status) {
      const over = status !== "queued" && status !== "running";
      database
        .prepare("UPDATE turns SET status = ?, finished_at = ? WHERE id = ?")
        .run(status, over ? now() : null, id);
    },
    setTurnCheckpoint: (id, checkpointId) =>
      void database.prepare("UPDATE turns SET checkpoint_before = ? WHERE id = ?").run(checkpointId, id),
    currentTurn: (threadId) => turn(current.get(threadId)),
    latestTurn: (threadId) => turn(latest.get(threadId)),
    nextQueued: (threadId) => turn(queuedTurns.get(threadId)),
    queued: (threadId) => (queuedTurns.all(threadId) as RawTurn[]).map(parseTurn),
    turnOfMessage: (threadId, messageId) => turn(byMessage.get(threadId, messageId)),
    copyTurns: (from, to, before) =>
      void database
        .prepare(
          "INSERT INTO turns (id, thread_id, message_id, text, attachments, status, checkpoint_before, created_at, finished_at) SELECT 'turn-' || lower(hex(randomblob(16))), ?, message_id, text, attachments, 'done', checkpoint_before, created_at, finished_at FROM turns WHERE thread_id = ? AND status NOT IN ('queued', 'cancelled') AND rowid < (SELECT rowid FROM turns WHERE id = ?) ORDER BY rowid",
        )
        .run(to, from, before),
    pastTurns: (threadId) =>
      (
        database
          .prepare(
            "SELECT message_id AS messageId, text, attachments, status, checkpoint_before AS checkpointBefore, created_at AS createdAt, finished_at AS finishedAt FROM turns WHERE thread_id = ? ORDER BY rowid",
          )
          .all(threadId) as (Omit<PastTurn, "attachments"> & { attachments: string })[]
      ).map((turn) => ({ ...turn, attachments: parseAttachments(turn.attachments) })),
    addPastTurn: (threadId, turn) =>
      void database
        .prepare(
          "INSERT INTO turns (id, thread_id, message_id, text, attachments, status, checkpoint_before, created_at, finished_at) VALUES ('turn-' || lower(hex(randomblob(16))), @threadId, @messageId, @text, @attachments, @status, @checkpointBefore, @createdAt, @finishedAt)",
        )
        .run({
          ...turn,
          threadId,
          attachments: JSON.stringify(turn.attachments),
          status: turn.status === "queued" || turn.status === "cancelled" ? "cancelled" : "done",
        }),
    newestBookmarks: (threadId, turns) =>
      database
        .prepare(
          "SELECT checkpoint_before FROM turns WHERE thread_id = ? AND checkpoint_before IS NOT NULL ORDER BY rowid DESC LIMIT ?",
        )
        .pluck()
        .all(threadId, turns) as string[],
    threadsWithStatus: (statuses) =>
      database
        .prepare(`SELECT id FROM threads WHERE status IN (${statuses.map(() => "?").join(", ")})`)
        .pluck()
        .all(...statuses) as ThreadId[],
    threadsWithQueued: () =>
      database
        .prepare(
          "SELECT DISTINCT thread_id FROM turns q WHERE status = 'queued' AND NOT EXISTS (SELECT 1 FROM turns s WHERE s.thread_id = q.thread_id AND s.status = 'stopped' AND s.finished_at > q.created_at)",
        )
        .pluck()
        .all() as ThreadId[],
    threadsWithCurrentTurn: () =>
      new Set(
        database.prepare("SELECT thread_id FROM turns WHERE status = 'running'").pluck().all() as ThreadId[],
      ),
    queuedCounts() {
      const rows = database
        .prepare(
          "SELECT thread_id AS id, count(*) AS n FROM turns WHERE status = 'queued' GROUP BY thread_id",
        )
        .all() as { id: ThreadId; n: number }[];
      return new Map(rows.map((row) => [row.id, row.n]));
    },
  };
}

function toColumn(value: unknown): string | number | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "boolean") return value ? 1 : 0;
  return typeof value === "number" || typeof value === "string" ? value : JSON.stringify(value);
}

/** Thousands of threads share a handful of models, so each distinct text is checked once. */
const knownModels = new Map<string, ModelRef>();

function parseModel(text: string): ModelRef {
  const model = knownModels.get(text) ?? modelRefSchema.parse(JSON.parse(text));
  knownModels.set(text, model);
  return model;
}

function parseThread(row: RawThread): ThreadRow {
  return {
    ...row,
    model: parseModel(row.model),
    titled: row.titled === 1,
    unread: row.unread === 1,
    pinned: row.pinned === 1,
    archived: row.archived === 1,
    problem: row.problem ?? undefined,
    forkedFrom: row.forkedFrom ?? undefined,
  };
}

function parseTurn(row: RawTurn): TurnRow {
  return { ...row, attachments: parseAttachments(row.attachments) };
}

function parseAttachments(text: string): Attachment[] {
  return attachmentSchema.array().parse(JSON.parse(text));
}
