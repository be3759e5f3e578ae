/** What the engine writes into a thread's log by itself: how its turns begin and end, and what auto-approve let pass. */
import { counted } from "../../shared/counted.ts";
import type { LeaseEnd } from "../approvals/auto-approve.ts";
import type { TurnEnd } from "../threads/drive-turn.ts";
import type { EventLog } from "../threads/event-log.ts";
import type { ThreadStore } from "../threads/thread-store.ts";
import type { TurnRow } from "../threads/turn-store.ts";

export type ThreadNotes = {
  /** A message that waited in line is taken up. */
  turnBegan(turn: TurnRow): void;
  turnEnded(turn: TurnRow, end: Exclude<TurnEnd, { kind: "waiting" }>): void;
  autoApproveEnded(end: LeaseEnd): void;
};

/** Of a thread that is deleted already nothing is written. */
export function createThreadNotes(
  log: EventLog,
  threads: Pick<ThreadStore, "find">,
  now: () => number,
): ThreadNotes {
  return {
    turnBegan({ threadId, messageId }) {
      const item = log.item(threadId, messageId);
      if (item?.kind === "userMessage" && item.queued)
        log.append(threadId, [{ type: "message.dequeued", itemId: messageId, cancelled: false }]);
    },
    turnEnded({ id: turnId, threadId }, end) {
      if (!threads.find(threadId)) return;
      const problem = "problem" in end ? end.problem : undefined;
      const retryable = end.kind === "failed" ? end.retryable : undefined;
      const itemId = `end:${turnId}:${log.lastSeq(threadId)}`;
      log.append(threadId, [
        { type: "turn.finished", itemId, turnId, outcome: end.kind, problem, retryable },
      ]);
    },
    autoApproveEnded({ threadId, why, used, items, approvals }) {
      if (!threads.find(threadId)) return;
      const text = `Auto-approve is off: ${why}. It let ${counted(used, "action")} pass for you.`;
      const itemId = `receipt:${threadId}:${now()}`;
      log.append(threadId, [{ type: "notice.added", itemId, level: "info", text, approvals, items }]);
    },
  };
}
