/** How long to wait before trying again: longer after each failure, and from the beginning after a success. */
const firstPauseMs = 250;
const longestPauseMs = 5_000;

export function createGrowingPause(): { nextMs(): number; reset(): void } {
  let pauseMs = firstPauseMs;
  return {
    nextMs() {
      const ms = pauseMs;
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      return ms;
    },
    reset() {
      pauseMs = firstPauseMs;
    },
  };
}
