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
  let over = false;
  const turn = () => {
    const now = threadTime();
    longest = Math.max(longest, now - last);
    last = now;
    if (!over) setImmediate(turn);
  };
  setImmediate(turn);
  return () => {
    over = true;
    turn();
    return longest;
  };
}
