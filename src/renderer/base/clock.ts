/** One shared clock for everything that shows an age or a countdown, so that a thousand cards need one timer. */
import { useSyncExternalStore } from "react";

type Clock = { subscribe: (listener: () => void) => () => void; read: () => number };
const clocks = new Map<number, Clock>();

/** The current time in epoch milliseconds, renewed every `everyMs`. */
export function useNow(everyMs: number): number {
  const clock = clockOf(everyMs);
  return useSyncExternalStore(clock.subscribe, clock.read);
}

/** Tells `listener` every `everyMs`, together with all that shows the time. @returns a function that ends it. */
export function subscribeToClock(everyMs: number, listener: () => void): () => void {
  return clockOf(everyMs).subscribe(listener);
}

function clockOf(everyMs: number): Clock {
  const clock = clocks.get(everyMs) ?? createClock(everyMs);
  clocks.set(everyMs, clock);
  return clock;
}

/** Less than what anything shows of an age. */
const unseenMs = 1_000;

/** Ticks only while somebody listens; a reader that comes after a pause gets the time of now. */
function createClock(everyMs: number): Clock {
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  let now = Date.now();
  const tick = () => {
    now = Date.now();
    for (const tell of listeners) tell();
  };
  return {
    read: () => now,
    subscribe(listener) {
      listeners.add(listener);
      if (timer === undefined) {
        timer = setInterval(tick, everyMs);
        // Either way: a system's clock may have been put back.
        if (Math.abs(Date.now() - now) >= Math.min(everyMs, unseenMs)) queueMicrotask(tick);
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}
