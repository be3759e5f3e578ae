/** Rows of turns: what was sent to a thread, how far its work came, and where it can be forked. */
import type Database from "better-sqlite3";
import { type ModelRef, modelRefSchema } from "../../shared/contract/models.ts";
import { type Attachment, attachmentSchema } from "../../shared/contract/threads.ts";
import type { AgentId, MessageId, ThreadId, TurnId } from "../../shared/ids.ts";

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

/** What a turn was sent to: its thread may have another agent and model by now. */
type SentTo = { agentId: AgentId | null; model: ModelRef | null };

/** A turn that is over, as it travels in an exported thread; times in ms since 1970. */
export type PastTurn = Omit<TurnRow, "id" | "threadId"> & { createdAt: number; finishedAt: number | null };

export type TurnStore = {
  /** It is sent to the agent and the model that its thread has now. */
  addTurn(turn: TurnRow): void;
  /** Nothing of a turn from before this was kept. */
  sentTo(id: TurnId): SentTo;
  /** The turn that is unfinished goes on with the model that its thread has now. */
  takeModelOfThread(threadId: ThreadId): void;
  setTurnStatus(id: TurnId, status: TurnStatus): void;
  setTurnCheckpoint(id: TurnId, checkpointId: string | null): void;
  /** The turn that runs or that a crash left running. */
  currentTurn(threadId: ThreadId): TurnRow | undefined;
  /** The newest turn that began and was not taken back, whatever came of it. */
  latestTurn(threadId: ThreadId): TurnRow | undefined;
  nextQueued(threadId: ThreadId): TurnRow | undefined;
  queued(threadId: ThreadId): TurnRow[];
  turnOfMessage(threadId: ThreadId, messageId: MessageId): TurnRow | undefined;
  /** Gives a fork the turns it begins with, so that it can be forked at them in turn. */
  copyTurns(from: ThreadId, to: ThreadId, before: TurnId): void;
  /** The thread's turns in order, without those that were taken back. */
  pastTurns(threadId: ThreadId): PastTurn[];
  /** Adds a turn that happened elsewhere: it can be forked at and never goes on here. */
  addPastTurn(threadId: ThreadId, turn: PastTurn): void;
  /** The checkpoints that the newest `turns` turns began from. */
  newestBookmarks(threadId: ThreadId, turns: number): string[];
  /** Threads with a message that nobody stopped since it was sent. */
  threadsWithQueued(): ThreadId[];
  /** Threads with a turn that runs or that a crash left running. */
  threadsWithCurrentTurn(): Set<ThreadId>;
  queuedCounts(): Map<ThreadId, number>;
};

type RawTurn = Omit<TurnRow, "attachments"> & { attachments: string };

const turnColumns =
  "id, thread_id AS threadId, message_id AS messageId, text, attachments, status, checkpoint_before AS checkpointBefore";

/** @param now in ms since 1970 */
export function createTurnStore(database: Database.Database, now: () => number): TurnStore {
  const turnWhere = (condition: string) =>
    database.prepare(`SELECT ${turnColumns} FROM turns WHERE thread_id = ? AND ${condition}`);
  const current = turnWhere("status = 'running' LIMIT 1");
  const latest = turnWhere(
    "status NOT IN ('queued', 'cancelled') AND taken_back IS NULL ORDER BY rowid DESC LIMIT 1",
  );
  const queuedTurns = turnWhere("status = 'queued' ORDER BY rowid");
  const byMessage = turnWhere("message_id = ?");
  const sent = database.prepare("SELECT agent_id AS agentId, model FROM turns WHERE id = ?");
  const turn = (row: unknown) => (row ? parseTurn(row as RawTurn) : undefined);

  return {
    ...createHistory(database),
    addTurn(row) {
      database
        .prepare(
          "INSERT INTO turns (id, thread_id, message_id, text, attachments, status, checkpoint_before, created_at, agent_id, model) VALUES (@id, @threadId, @messageId, @text, @attachments, @status, @checkpointBefore, @at, (SELECT agent_id FROM threads WHERE id = @threadId), (SELECT model FROM threads WHERE id = @threadId))",
        )
        .run({ ...row, attachments: JSON.stringify(row.attachments), at: now() });
    },
    sentTo(id) {
      const row = sent.get(id) as { agentId: AgentId | null; model: string | null } | undefined;
      return {
        agentId: row?.agentId ?? null,
        model: row?.model ? modelRefSchema.parse(JSON.parse(row.model)) : null,
      };
    },
    takeModelOfThread: (threadId) =>
      void database
        .prepare(
          "UPDATE turns SET model = (SELECT model FROM threads WHERE id = @threadId) WHERE thread_id = @threadId AND status NOT IN ('queued', 'cancelled', 'done')",
        )
        .run({ threadId }),
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

type History = Pick<TurnStore, "copyTurns" | "pastTurns" | "addPastTurn" | "newestBookmarks">;

/** What forks, exports and pruning read and write of turns that are over. */
function createHistory(database: Database.Database): History {
  return {
    copyTurns: (from, to, before) =>
      void database
        .prepare(
          "INSERT INTO turns (id, thread_id, message_id, text, attachments, status, checkpoint_before, created_at, finished_at) SELECT 'turn-' || lower(hex(randomblob(16))), ?, message_id, text, attachments, 'done', checkpoint_before, created_at, finished_at FROM turns WHERE thread_id = ? AND status NOT IN ('queued', 'cancelled') AND rowid < (SELECT rowid FROM turns WHERE id = ?) AND (taken_back IS NULL OR taken_back = (SELECT taken_back FROM turns WHERE id = ?)) ORDER BY rowid",
        )
        .run(to, from, before, before),
    pastTurns: (threadId) =>
      (
        database
          .prepare(
            "SELECT message_id AS messageId, text, attachments, status, checkpoint_before AS checkpointBefore, created_at AS createdAt, finished_at AS finishedAt FROM turns WHERE thread_id = ? AND taken_back IS NULL ORDER BY rowid",
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
  };
}

function parseTurn(row: RawTurn): TurnRow {
  return { ...row, attachments: parseAttachments(row.attachments) };
}

function parseAttachments(text: string): Attachment[] {
  return attachmentSchema.array().parse(JSON.parse(text));
}
