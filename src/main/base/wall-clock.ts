/** The clock for what is compared with moments of other threads and processes. */

/**
 * Milliseconds since 1970 with a fraction. `Date.now()` has none, so that two moments could look like one, and jumps
 * when the system's clock is set; this one goes on evenly for the life of the process, threads included. Processes can
 * compare theirs, since each begins with the system's clock.
 */
export function wallClock(): number {
  return performance.timeOrigin + performance.now();
}
