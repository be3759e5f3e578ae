/** Has what a first turn needs loaded and found out while nobody waits for it, once somebody has a window open. */

/** By then a window that has just been let in was painted, and whoever only looks in has looked. */
export const warmUpAfterMs = 1_500;

export type WarmUp = {
  /** A window was let in: the loading begins in a while, once for this host. */
  windowOpened(): void;
  end(): void;
};

/**
 * @param parts what the first turn would wait for, begun all together
 * @param afterMs never when absent: a host that nobody looks at loads it with its first turn
 */
export function createWarmUp(
  parts: readonly (() => Promise<unknown>)[],
  afterMs: number | undefined,
  onError: (error: unknown) => unknown,
): WarmUp {
  let timer: NodeJS.Timeout | undefined;
  return {
    windowOpened() {
      if (afterMs === undefined || timer) return;
      timer = setTimeout(() => void Promise.all(parts.map((begin) => begin())).catch(onError), afterMs);
      timer.unref();
    },
    end: () => clearTimeout(timer),
  };
}
