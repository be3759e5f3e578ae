/** Whether work grows with its input or with the square of it, told by processor time, which a busy machine does not add to. */

const factor = 8;

/** What work that grows with the square of its input comes to; work that grows with its input comes to an eighth. */
export const quadraticGrowth = factor * factor;

/**
 * How many times more of the processor `work` takes for eight times the input. @returns 0 where even the larger one
 * takes less than the clock can tell apart.
 */
export function measureGrowth(work: (size: number) => void, size: number): number {
  work(size);
  const large = leastCpuMs(() => work(size * factor));
  return large < 20
    ? 0
    : large /
        Math.max(
          leastCpuMs(() => work(size)),
          0.5,
        );
}

/** The least of three runs: what else the process does at the same time only adds. */
function leastCpuMs(work: () => void): number {
  const runs = Array.from({ length: 3 }, () => {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...runs);
}
