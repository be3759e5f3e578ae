/** Joins a thread to its agent for one run: builds the graph, feeds it the message or the answers, and names how it ended. */

import type { ThreadEventData } from "../../shared/contract/thread-events.ts";
import type { Attachment, Delta } from "../../shared/contract/threads.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { type RunContext, TurnStopped } from "../gate/run-context.ts";
import type { TurnEnd } from "../threads/thread-actors.ts";
import type { ThreadRow, TurnRow } from "../threads/thread-store.ts";
import type { Graph, GraphState, RunEnd, RunInput } from "./deep-agent/run-turn.ts";

export type RunsParts = {
  graphOf(thread: ThreadRow): Promise<Graph>;
  record(threadId: ThreadId, events: ThreadEventData[]): void;
  onDelta(threadId: ThreadId, delta: Delta): void;
  onForeignInterrupt(threadId: ThreadId, turn: TurnRow, interrupt: { id: string; value: unknown }): void;
  /** Decided answers for the interrupts a checkpoint waits on, keyed by interrupt id. */
  foreignAnswers(threadId: ThreadId, waiting: { id: string; value: unknown }[]): Record<string, unknown>;
  /** Answers were given that only a fresh run can deliver. */
  hasInterruptAnswers(threadId: ThreadId): boolean;
  /** Ends the waiting of the thread's gates, so that the run comes to rest. */
  park(threadId: ThreadId): void;
  noteCheckpoint(turn: TurnRow, checkpointId: string | null): void;
  explainError(error: unknown): { problem: string; retryable: boolean };
};

export type Runs = {
  run(thread: ThreadRow, turn: TurnRow, how: "begin" | "continue", signal: AbortSignal): Promise<TurnEnd>;
  /** An answer was given: when nothing but waiting goes on in the run, it comes to rest and goes on with the answer. */
  considerParking(threadId: ThreadId): void;
  /** Ends the thread's run, if there is one, as failed: what it does can be written down no more. */
  fail(threadId: ThreadId, error: unknown): void;
};

export function createRuns(parts: RunsParts): Runs {
  const active = new Map<ThreadId, RunContext>();
  const failing = new Map<ThreadId, AbortController>();

  function considerParking(threadId: ThreadId): void {
    const run = active.get(threadId);
    if (run && run.busy === 0 && parts.hasInterruptAnswers(threadId)) parts.park(threadId);
  }

  return {
    considerParking,
    fail: (threadId, error) => failing.get(threadId)?.abort(error),
    async run(thread, turn, how, signal) {
      const { runTurn } = await import("./deep-agent/run-turn.ts");
      const failure = new AbortController();
      const context: RunContext = {
        threadId: thread.id,
        turnId: turn.id,
        workspace: thread.workspace,
        signal: AbortSignal.any([signal, failure.signal]),
        subAgents: new Map(),
        busy: 0,
        onQuiet: () => queueMicrotask(() => considerParking(thread.id)),
        finishedMessages: new Set(),
        refusals: new Map(),
      };
      active.set(thread.id, context);
      failing.set(thread.id, failure);
      const failed = () => toTurnEnd({ kind: "failed", error: failure.signal.reason });
      try {
        const graph = await parts.graphOf(thread);
        const input = await readInput(graph, thread.id, turn, how);
        const end = await runTurn(graph, input, context, {
          onDelta: (delta) => parts.onDelta(thread.id, delta),
          record: (events) => parts.record(thread.id, events),
          onForeignInterrupt: (interrupt) => parts.onForeignInterrupt(thread.id, turn, interrupt),
        });
        return failure.signal.aborted && !signal.aborted ? failed() : toTurnEnd(end);
      } catch (error) {
        if (failure.signal.aborted && !signal.aborted) return failed();
        return signal.aborted ? { kind: "stopped" } : toTurnEnd({ kind: "failed", error });
      } finally {
        active.delete(thread.id);
        failing.delete(thread.id);
      }
    },
  };

  async function readInput(
    graph: Graph,
    threadId: ThreadId,
    turn: TurnRow,
    how: "begin" | "continue",
  ): Promise<RunInput> {
    const state = await graph.getState({ configurable: { thread_id: threadId } });
    if (how === "continue" && hasBegun(state, turn)) {
      const waiting = state.tasks
        .filter((task) => task.result === undefined)
        .flatMap((task) => task.interrupts ?? [])
        .flatMap(({ id, value }) => (id ? [{ id, value }] : []));
      return { kind: "continue", answers: parts.foreignAnswers(threadId, waiting) };
    }
    const checkpointId: unknown = state.config.configurable?.checkpoint_id;
    parts.noteCheckpoint(turn, typeof checkpointId === "string" ? checkpointId : null);
    return { kind: "message", content: toContent(turn), messageId: turn.messageId };
  }

  function toTurnEnd(end: RunEnd): TurnEnd {
    if (end.kind === "failed")
      return {
        kind: "failed",
        ...(end.error instanceof TurnStopped
          ? { problem: end.error.message, retryable: true }
          : parts.explainError(end.error)),
      };
    return end;
  }
}

/** A crash may have come between the turn's row and its first checkpoint; then the message has to be sent again. */
function hasBegun(state: GraphState, turn: TurnRow): boolean {
  const messages: unknown =
    state.values && typeof state.values === "object" && "messages" in state.values
      ? state.values.messages
      : [];
  return (
    Array.isArray(messages) &&
    messages.some(
      (message: unknown) =>
        typeof message === "object" && message !== null && "id" in message && message.id === turn.messageId,
    )
  );
}

function toContent(turn: TurnRow): unknown {
  if (turn.attachments.length === 0) return turn.text;
  return [{ type: "text", text: turn.text }, ...turn.attachments.map(toBlock)];
}

function toBlock(attachment: Attachment): Record<string, unknown> {
  if (attachment.kind === "file")
    return {
      type: "text",
      text: `The person attached the file ${attachment.path}. Read it when you need it.`,
    };
  return { type: "image", mimeType: attachment.mediaType, data: attachment.base64 };
}
