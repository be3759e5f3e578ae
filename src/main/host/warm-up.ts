/** Has what a first turn needs loaded while nobody waits for it, once somebody has a window open. */
import type { Sources } from "../engine/sources.ts";

/** By then a window that has just been let in was painted, and whoever only looks in has looked. */
export const warmUpAfterMs = 1_500;

export type WarmUp = {
  /** A window was let in: the loading begins in a while, once for this host. */
  windowOpened(): void;
  end(): void;
};

/** @param afterMs never when absent: a host that nobody looks at loads it with its first turn. */
export function createWarmUp(
  sources: Pick<Sources, "warmUp">,
  afterMs: number | undefined,
  onError: (error: unknown) => unknown,
): WarmUp {
  let timer: NodeJS.Timeout | undefined;
  return {
    windowOpened() {
      if (afterMs === undefined || timer) return;
      timer = setTimeout(() => void sources.warmUp().catch(onError), afterMs);
      timer.unref();
    },
    end: () => clearTimeout(timer),
  };
}
