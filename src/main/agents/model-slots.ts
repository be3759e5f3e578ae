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

/** A call that takes longer than this gives its place to whoever waits, and goes on beside. */
const defaultPatienceMs = 120_000;

/**
 * @param limit read at each admission. Calls that take long without an end can double it, so that they hold nobody up;
 *   each ends at the limit of a single call. Such a call lends its place: it counts no more in `total`, but in `lent`.
 */
export function createModelSlots(
  limit: () => number,
  onChanged: (threadId: ThreadId) => void,
  patienceMs = defaultPatienceMs,
): ModelSlots {
  const running = new Map<ThreadId, number>();
  const queue: Waiting[] = [];
  let total = 0;
  let lent = 0;
  const overdue = new Set<{ isLent: boolean }>();

  function lend(): void {
    for (const place of overdue) {
      if (queue.length === 0 || total < limit() || lent >= limit()) return;
      overdue.delete(place);
      place.isLent = true;
      lent += 1;
      total -= 1;
      admitNext();
    }
  }

  function enter(threadId: ThreadId): () => void {
    total += 1;
    running.set(threadId, (running.get(threadId) ?? 0) + 1);
    const place = { isLent: false };
    const timer = setTimeout(() => {
      overdue.add(place);
      lend();
    }, patienceMs).unref();
    let given = true;
    return () => {
      if (!given) return;
      given = false;
      clearTimeout(timer);
      overdue.delete(place);
      if (place.isLent) lent -= 1;
      else total -= 1;
      const left = (running.get(threadId) ?? 1) - 1;
      if (left === 0) running.delete(threadId);
      else running.set(threadId, left);
      admitNext();
      lend();
    };
  }

  function admitNext(): void {
    while (total < limit() && queue.length > 0) {
      takeNext(queue, running).admit();
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
        lend();
      });
    },
    waiting: () => new Set(queue.map((one) => one.threadId)),
    limitChanged: admitNext,
  };
}

/** Takes whoever has the fewest running calls out of the line, and of those who waits longest. */
function takeNext(queue: Waiting[], running: ReadonlyMap<ThreadId, number>): Waiting {
  const load = (waiting: Waiting) => running.get(waiting.threadId) ?? 0;
  const next = queue.reduce((best, one) => (load(one) < load(best) ? one : best));
  queue.splice(queue.indexOf(next), 1);
  return next;
}
