/** Takes the conversation of a thread back to before a turn: what its agent knows, its turns and how it stands. */
import { ContractError } from "../../shared/contract/errors.ts";
import type { ThreadStatus } from "../../shared/contract/threads.ts";
import type { ThreadId, TurnId } from "../../shared/ids.ts";
import { messageOf } from "../../shared/message-of.ts";
import type { TakenTurnRows } from "./taken-turn-rows.ts";

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
