/** The host's internal news: who changed, heard by the feeds; listeners never throw into the one who tells. */
import type { ThreadEvent } from "../../shared/contract/thread-events.ts";
import type { Delta } from "../../shared/contract/thread-reading.ts";
import type { QueueEntry } from "../../shared/contract/threads.ts";
import type { ApprovalId, ThreadId } from "../../shared/ids.ts";

export type Change =
  | { kind: "thread"; threadId: ThreadId }
  /** @property isAsked it is a new question. */
  | { kind: "approval"; approvalId: ApprovalId; threadId: ThreadId; isAsked: boolean }
  | { kind: "events"; threadId: ThreadId; events: ThreadEvent[] }
  | { kind: "delta"; threadId: ThreadId; delta: Delta }
  | { kind: "settings" }
  /** A person asked for this outside of the window. */
  | { kind: "show"; entry: QueueEntry }
  /** The facts about this host changed, such as its warnings. */
  | { kind: "host" };

export type Changes = {
  tell(change: Change): void;
  /** @returns a function that stops listening. */
  listen(listener: (change: Change) => void): () => void;
};

/** Whether a call or a turn of a thread ended with it, so that what the thread works on may be another by now. */
export function endsWork(change: Change): change is Extract<Change, { kind: "events" }> {
  if (change.kind !== "events") return false;
  return change.events.some(({ data: { type } }) => type === "toolCall.finished" || type === "turn.finished");
}

/** @param onError hears of a listener that throws; the others are told all the same. */
export function createChanges(onError: (error: unknown) => void): Changes {
  const listeners = new Set<(change: Change) => void>();
  return {
    tell(change) {
      for (const listener of listeners) {
        try {
          listener(change);
        } catch (error) {
          onError(error);
        }
      }
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
