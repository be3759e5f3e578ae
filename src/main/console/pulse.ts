/** Lets a feed sleep until something happened, and then at most once per interval, so that bursts become one batch. */

export type Pulse = {
  /** Something happened; what a person waits for is `urgent`. */
  beat(urgent?: "urgent"): void;
  /**
   * Resolves after the next beat, but not sooner than its interval after the last time, and for what is urgent after the last
   * urgent time: what happened besides is never in its way. Rejects never, ends on abort.
   */
  next(signal: AbortSignal): Promise<void>;
};

/** @param urgentMs the interval for what is urgent; what happened besides comes with it. */
export function createPulse(intervalMs: number, urgentMs = intervalMs): Pulse {
  let pending: "ordinary" | "urgent" | undefined;
  let wake: (() => void) | undefined;
  let lastAt = Number.NEGATIVE_INFINITY;
  let lastUrgentAt = Number.NEGATIVE_INFINITY;

  /** For a time, or until the next beat when none is given; an urgent beat and an abort end either. */
  function sleep(signal: AbortSignal, ms?: number): Promise<void> {
    return new Promise<void>((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(() => end(), ms);
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        wake = undefined;
        resolve();
      };
      wake = end;
      signal.addEventListener("abort", end, { once: true });
    });
  }

  return {
    beat(urgent) {
      const isNews = pending === undefined || (urgent && pending !== "urgent");
      pending = urgent ?? pending ?? "ordinary";
      if (isNews) wake?.();
    },
    async next(signal) {
      while (!signal.aborted) {
        if (pending === undefined) {
          await sleep(signal);
          continue;
        }
        const next = pending === "urgent" ? lastUrgentAt + urgentMs : lastAt + intervalMs;
        const wait = next - performance.now();
        if (wait <= 0) break;
        await sleep(signal, wait);
      }
      lastAt = performance.now();
      if (pending === "urgent") lastUrgentAt = lastAt;
      pending = undefined;
    },
  };
}
