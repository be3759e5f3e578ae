/** How long servers are let alone between two rounds: less while a person looks, more while one does not answer. */
import type { ServerNetwork } from "./server-request.ts";

export type PollPace = {
  /** A person has a window in view, until what it gives is called. */
  inView(): () => void;
  /** Resolves when the next round is due. @param failures rounds in a row without an answer */
  nextRound(failures: number, signal: AbortSignal): Promise<void>;
};

/** While a person has a window in view. */
const inViewMs = 5_000;
const outOfViewMs = 60_000;
const longestPauseMs = 300_000;

/** Holds in memory how many windows are in view. */
export function createPollPace({ pause }: Pick<ServerNetwork, "pause">): PollPace {
  let windows = 0;
  /** Aborted when the first window comes into view: whoever waits for the next round does not any more. */
  let cameIntoView = new AbortController();
  return {
    inView() {
      let isIn = true;
      windows += 1;
      if (windows === 1) {
        cameIntoView.abort();
        cameIntoView = new AbortController();
      }
      return () => {
        windows -= Number(isIn);
        isIn = false;
      };
    },
    async nextRound(failures, signal) {
      const everyMs = windows > 0 ? inViewMs : outOfViewMs;
      const pauseMs = Math.min(everyMs * 2 ** failures, longestPauseMs) * (0.75 + Math.random() / 2);
      // One that does not answer is asked no sooner for it.
      const until = failures > 0 ? signal : AbortSignal.any([signal, cameIntoView.signal]);
      await pause(pauseMs, until).catch(() => undefined);
    },
  };
}
