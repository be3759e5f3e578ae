/** Where gates wait in memory for their rows to be decided, so that an approved call starts at once. */
import type { ApprovalId, ThreadId } from "../../shared/ids.ts";

type Seat = { approvalId: ApprovalId; threadId: ThreadId; wake(outcome: "changed" | "parked"): void };

export type WaitingRoom = {
  /** Resolves when the row may have changed (`changed`) or when the run must end (`parked`); rejects on abort. */
  wait(approvalId: ApprovalId, threadId: ThreadId, signal: AbortSignal): Promise<"changed" | "parked">;
  wake(approvalId: ApprovalId): void;
  /** Ends the waiting of every gate of a thread. @returns how many there were. */
  park(threadId: ThreadId): number;
  count(threadId: ThreadId): number;
};

/** In memory alone: after a start every gate walks in anew. */
export function createWaitingRoom(): WaitingRoom {
  // Sub-agents that work side by side may wait for the same row.
  const seats = new Set<Seat>();
  const ofThread = (threadId: ThreadId) => [...seats].filter((seat) => seat.threadId === threadId);
  return {
    wait(approvalId, threadId, signal) {
      signal.throwIfAborted();
      return new Promise((resolve, reject) => {
        const leave = () => {
          signal.removeEventListener("abort", abort);
          seats.delete(seat);
        };
        const abort = () => {
          leave();
          reject(signal.reason);
        };
        const seat: Seat = {
          approvalId,
          threadId,
          wake(outcome) {
            leave();
            resolve(outcome);
          },
        };
        signal.addEventListener("abort", abort, { once: true });
        seats.add(seat);
      });
    },
    wake(approvalId) {
      for (const seat of [...seats]) if (seat.approvalId === approvalId) seat.wake("changed");
    },
    park(threadId) {
      const waiting = ofThread(threadId);
      for (const seat of waiting) seat.wake("parked");
      return waiting.length;
    },
    count: (threadId) => ofThread(threadId).length,
  };
}
