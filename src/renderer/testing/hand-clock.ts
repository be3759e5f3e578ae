/** The page's clock, moved by hand, for what guards against stray keys: no pause of a busy machine counts on it. */
import { onTestFinished, vi } from "vitest";

export type HandClock = { goOn(ms: number): void };

/** Stops it until the test ends. The runner's own fake clock goes on with every wait; this one does not. */
export function stopClock(): HandClock {
  let now = performance.now();
  const spy = vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => spy.mockRestore());
  return {
    goOn(ms) {
      now += ms;
    },
  };
}
