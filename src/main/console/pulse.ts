/** Lets a feed sleep until something happened, and then at most once per interval, so that bursts become one batch. */

export type Pulse = {
  /** Something happened. */
  beat(): void;
  /** Resolves after the next beat, but not sooner than the interval after the last time; rejects never, ends on abort. */
  next(signal: AbortSignal): Promise<void>;
};

export function createPulse(intervalMs: number): Pulse {
  let pending = false;
  let wake: (() => void) | undefined;
  let lastAt = 0;
  return {
    beat() {
      pending = true;
      wake?.();
    },
    async next(signal) {
      if (!pending && !signal.aborted)
        await new Promise<void>((resolve) => {
          wake = resolve;
          signal.addEventListener("abort", () => resolve(), { once: true });
        });
      wake = undefined;
      const wait = lastAt + intervalMs - performance.now();
      if (wait > 0 && !signal.aborted)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, wait);
          signal.addEventListener(
            "abort",
            () => {
              clearTimeout(timer);
              resolve();
            },
            { once: true },
          );
        });
      pending = false;
      lastAt = performance.now();
    },
  };
}
