/** The longest turn of this process's loop, in processor time of its thread: others that want the processor do not count. */

/** In milliseconds. */
function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Begins to watch. @returns what ends it and answers the longest turn since, in milliseconds. */
export function watchTurns(): () => number {
  let longest = 0;
  let last = threadTime();
  let lastAt = performance.now();
  let over = false;
  const turn = () => {
    const now = threadTime();
    const at = performance.now();
    // The system counts in ticks of some milliseconds, so that a short turn may be told what the one before it took.
    longest = Math.max(longest, Math.min(now - last, at - lastAt));
    last = now;
    lastAt = at;
    if (!over) setImmediate(turn);
  };
  setImmediate(turn);
  return () => {
    over = true;
    turn();
    return longest;
  };
}
