/** Caps how many model calls run at once over all threads; whoever waits longest with the fewest running goes first. */
import type { ThreadId } from "../../shared/ids.ts";

type Waiting = { threadId: ThreadId; admit(): void };

export type ModelSlots = {
  /** Waits for a free slot. @returns a function that gives it back. Rejects when the signal aborts first. */
  acquire(threadId: ThreadId, signal: AbortSignal): Promise<() => void>;
  /** Threads that wait in line. */
  waiting(): Set<ThreadId>;
  /** Lets in whoever a raised limit has room for; a lowered one takes effect as running calls end. */
  limitChanged(): void;
};

/** @param limit read at each admission. */
export function createModelSlots(limit: () => number, onChanged: (threadId: ThreadId) => void): ModelSlots {
  const running = new Map<ThreadId, number>();
  const queue: Waiting[] = [];
  let total = 0;

  function enter(threadId: ThreadId): () => void {
    total += 1;
    running.set(threadId, (running.get(threadId) ?? 0) + 1);
    let given = true;
    return () => {
      if (!given) return;
      given = false;
      total -= 1;
      const left = (running.get(threadId) ?? 1) - 1;
      if (left === 0) running.delete(threadId);
      else running.set(threadId, left);
      admitNext();
    };
  }

  function admitNext(): void {
    while (total < limit() && queue.length > 0) {
      const load = (waiting: Waiting) => running.get(waiting.threadId) ?? 0;
      const next = queue.reduce((best, one) => (load(one) < load(best) ? one : best));
      queue.splice(queue.indexOf(next), 1);
      next.admit();
    }
  }

  return {
    acquire(threadId, signal) {
      if (signal.aborted) return Promise.reject(signal.reason);
      if (total < limit() && queue.length === 0) return Promise.resolve(enter(threadId));
      return new Promise((resolve, reject) => {
        const leave = () => {
          queue.splice(queue.indexOf(waiting), 1);
          onChanged(threadId);
          reject(signal.reason);
        };
        const waiting: Waiting = {
          threadId,
          admit() {
            signal.removeEventListener("abort", leave);
            onChanged(threadId);
            resolve(enter(threadId));
          },
        };
        signal.addEventListener("abort", leave, { once: true });
        queue.push(waiting);
        onChanged(threadId);
      });
    },
    waiting: () => new Set(queue.map((one) => one.threadId)),
    limitChanged: admitNext,
  };
}
