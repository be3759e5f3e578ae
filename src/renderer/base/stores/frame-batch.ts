/** Gathers what arrives within one screen frame into a single store write; a timer stands in where frames stop (hidden tab). */

const watchdogMs = 100;

/**
 * @param apply gets everything that was pushed since the last call, in order.
 * @returns `push`, which schedules, and `flush`, which applies what is there now.
 */
export function createFrameBatch<T>(apply: (items: T[]) => void): { push(item: T): void; flush(): void } {
  let waiting: T[] = [];
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    frame = 0;
    if (waiting.length === 0) return;
    const items = waiting;
    waiting = [];
    apply(items);
  }

  function push(item: T): void {
    waiting.push(item);
    if (frame !== 0) return;
    frame = requestAnimationFrame(flush);
    timer = setTimeout(flush, watchdogMs);
  }

  return { push, flush };
}
