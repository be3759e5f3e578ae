/** Takes the conversation of a thread back to before a turn: what its agent knows, its turns and how it stands. */
import type Database from "better-sqlite3";
import { ContractError } from "../../shared/contract/errors.ts";
import type { ThreadStatus } from "../../shared/contract/threads.ts";
import type { ThreadId, TurnId } from "../../shared/ids.ts";
import { messageOf } from "../../shared/message-of.ts";

/** What an agent knows of a thread, as far as that can go back and forth. */
export type Memory = {
  at(threadId: ThreadId): Promise<string | null>;
  has(threadId: ThreadId, checkpointId: string | null): Promise<boolean>;
  to(threadId: ThreadId, where: { checkpointId: string | null; from: string; mark: string }): Promise<void>;
  undo(threadId: ThreadId, mark: string): Promise<void>;
};

/** What is written down before the conversation goes back, and is enough to bring it forth again. */
export type ConversationBack = {
  readonly turns: readonly TurnId[];
  /** The checkpoint that the agent goes on from. */
  readonly to: string | null;
  /** The one that it stood at. */
  readonly from: string | null;
  readonly status: ThreadStatus;
  readonly problem?: string;
};

type Stand = { readonly status: ThreadStatus; readonly problem: string | undefined };

/** Why the conversation stays as it is. */
export type ConversationStays = "not-able" | "not-over" | "in-line" | "taken-back" | "not-known" | "too-long";

export type ConversationPlan =
  | { readonly back: ConversationBack; readonly why?: undefined }
  | { readonly back?: undefined; readonly why: ConversationStays };

/** One line of the log names them all. */
const mostTurns = 1_000;

export type ConversationParts = {
  threads: {
    get(threadId: ThreadId): Stand;
    find(threadId: ThreadId): Stand | undefined;
    update(threadId: ThreadId, stand: Stand): void;
    /** The turn that is not over, and the message that waits in line; of each only whether there is one. */
    currentTurn(threadId: ThreadId): object | undefined;
    nextQueued(threadId: ThreadId): object | undefined;
  };
  rows: TakenTurnRows;
  /** Absent where the thread's agent cannot go back. */
  memoryOf(threadId: ThreadId): Memory | undefined;
  isRunning(threadId: ThreadId): boolean;
  hasPending(threadId: ThreadId): boolean;
};

type Taken = { readonly id: string; readonly threadId: ThreadId; readonly conversation: ConversationBack };

export type Conversation = {
  /** Changes nothing. */
  plan(threadId: ThreadId, turnId: TurnId): Promise<ConversationPlan>;
  /** Makes the agent know what it knew before, or now again; what was done already is not done twice. */
  move(taken: Taken, way: "forth" | "back"): Promise<void>;
  /** Writes down what holds from now on; to be called in a transaction. */
  settle(taken: Taken, way: "forth" | "back"): void;
  /** Whether something was said since, so that it cannot be brought back. */
  wentOn(taken: Taken): boolean;
  /** Whether what the agent knew is kept. */
  isKept(taken: Taken): Promise<boolean>;
};

/** What waits for a person is never lost with it: then the conversation stays until that is decided or stopped. */
export function createConversation(parts: ConversationParts): Conversation {
  const { threads, rows, memoryOf } = parts;

  function whyNow(threadId: ThreadId): ConversationStays | undefined {
    const current = threads.currentTurn(threadId);
    const isCutOff = threads.get(threadId).status === "interrupted" && !parts.hasPending(threadId);
    if (parts.isRunning(threadId) || (current && !isCutOff) || parts.hasPending(threadId)) return "not-over";
    return threads.nextQueued(threadId) ? "in-line" : undefined;
  }

  return {
    async plan(threadId, turnId) {
      const memory = memoryOf(threadId);
      if (!memory) return { why: "not-able" };
      const { turns, checkpoint } = rows.since(threadId, turnId);
      if (turns.length === 0) return { why: "taken-back" };
      if (turns.length > mostTurns) return { why: "too-long" };
      const why = whyNow(threadId);
      if (why) return { why };
      if (checkpoint === undefined || !(await memory.has(threadId, checkpoint))) return { why: "not-known" };
      const from = await memory.at(threadId);
      const { status, problem } = threads.get(threadId);
      return { back: { turns, to: checkpoint, from, status, ...(problem !== undefined && { problem }) } };
    },
    async move({ id, threadId, conversation }, way) {
      // An agent that never knew anything has nothing to forget.
      const { from, to } = conversation;
      if (from === null) return;
      try {
        const memory = memoryOf(threadId);
        if (!memory) throw new Error("Its agent is not part of this Countersign.");
        if (way === "forth") await memory.to(threadId, { checkpointId: to, from, mark: id });
        else await memory.undo(threadId, id);
      } catch (error) {
        throw new ContractError("conflict", `The conversation stays as it is. ${messageOf(error)}`);
      }
    },
    settle({ id, threadId, conversation }, way) {
      if (way === "forth") rows.mark(conversation.turns, id);
      else rows.unmark(id);
      if (!threads.find(threadId)) return;
      const before = { status: conversation.status, problem: conversation.problem };
      threads.update(threadId, way === "forth" ? { status: "done", problem: undefined } : before);
    },
    isKept: async ({ threadId, conversation: { from } }) =>
      from === null || (await memoryOf(threadId)?.has(threadId, from)) === true,
    wentOn: ({ threadId, conversation }) => rows.hasLater(threadId, conversation.turns),
  };
}

/** Where the turns from one on begin, as far as their rows tell. */
type TurnsSince = {
  readonly turns: readonly TurnId[];
  /** What the first of them began from; `null` is before the first checkpoint, `undefined` that nobody knows. */
  readonly checkpoint: string | null | undefined;
};

type TakenTurnRows = {
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
