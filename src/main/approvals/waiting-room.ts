/** Where gates wait in memory for their rows to be decided, so that an approved call starts at once. */
import type { ApprovalId, ThreadId } from "../../shared/ids.ts";

type Seat = { threadId: ThreadId; wake(outcome: "look" | "parked"): void };

export type WaitingRoom = {
  /** Resolves when the row may have changed (`look` at it) or when the run must end (`parked`); rejects on abort. */
  wait(approvalId: ApprovalId, threadId: ThreadId, signal: AbortSignal): Promise<"look" | "parked">;
  wake(approvalId: ApprovalId): void;
  /** Ends the waiting of every gate of a thread. @returns how many there were. */
  park(threadId: ThreadId): number;
  count(threadId: ThreadId): number;
};

export function createWaitingRoom(): WaitingRoom {
  const seats = new Map<ApprovalId, Seat>();
  const ofThread = (threadId: ThreadId) => [...seats.values()].filter((seat) => seat.threadId === threadId);
  return {
    wait(approvalId, threadId, signal) {
      signal.throwIfAborted();
      return new Promise((resolve, reject) => {
        const leave = () => {
          signal.removeEventListener("abort", abort);
          if (seats.get(approvalId) === seat) seats.delete(approvalId);
        };
        const abort = () => {
          leave();
          reject(signal.reason);
        };
        const seat: Seat = {
          threadId,
          wake(outcome) {
            leave();
            resolve(outcome);
          },
        };
        signal.addEventListener("abort", abort, { once: true });
        seats.set(approvalId, seat);
      });
    },
    wake: (approvalId) => seats.get(approvalId)?.wake("look"),
    park(threadId) {
      const waiting = ofThread(threadId);
      for (const seat of waiting) seat.wake("parked");
      return waiting.length;
    },
    count: (threadId) => ofThread(threadId).length,
  };
}
