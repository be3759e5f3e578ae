/** Knows which commands of each thread are alive, so that a run ends when its last process has and not before. */
import type { ThreadId } from "../../shared/ids.ts";

export type CommandsUnderway = {
  /** Counts `act` as under way until it has settled, whatever becomes of whoever waits for its result. */
  during<T>(threadId: ThreadId, act: () => Promise<T>): Promise<T>;
  /**
   * Resolves when no command of the thread is under way. Once the signal has aborted it waits for the time a command
   * gets to end and not longer: what no signal reaches must not keep the thread for ever.
   */
  ended(threadId: ThreadId, signal: AbortSignal): Promise<void>;
};

/** TERM, the shell's grace, KILL twice and the close of the log take less. */
const endWithinMs = 2_500;

/** @param limitMs how long `ended` waits after its signal. */
export function createCommandsUnderway(limitMs = endWithinMs): CommandsUnderway {
  const counts = new Map<ThreadId, number>();
  const waiters = new Set<() => void>();

  function count(threadId: ThreadId, by: 1 | -1): void {
    const now = (counts.get(threadId) ?? 0) + by;
    if (now === 0) counts.delete(threadId);
    else counts.set(threadId, now);
    for (const look of waiters) look();
  }

  return {
    async during(threadId, act) {
      count(threadId, 1);
      try {
        return await act();
      } finally {
        count(threadId, -1);
      }
    },
    async ended(threadId, signal) {
      if (!counts.has(threadId)) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const look = () => {
        if (!counts.has(threadId)) resolve();
      };
      let timer: NodeJS.Timeout | undefined;
      const limit = () => {
        timer = setTimeout(resolve, limitMs);
      };
      waiters.add(look);
      if (signal.aborted) limit();
      else signal.addEventListener("abort", limit, { once: true });
      await promise;
      waiters.delete(look);
      clearTimeout(timer);
      signal.removeEventListener("abort", limit);
    },
  };
}
