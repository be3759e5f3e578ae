/** Cuts long work into turns of the event loop, so that the window is answered between two steps of busy agents. */
import { isLongerThan } from "../../shared/wire/json-bytes.ts";

/** What one turn may take before the next piece of work waits for another; a step after it may still be long. */
const turnMs = 1;

let turnBeganAt: number | undefined;
const waiting: (() => void)[] = [];

/** One at a time: whatever is let go runs until it waits for something, and that may be long. */
function letOneGo(): void {
  turnBeganAt = performance.now();
  waiting.shift()?.();
  setImmediate(waiting.length > 0 ? letOneGo : endTurn);
}

function endTurn(): void {
  turnBeganAt = undefined;
}

/** From so many bytes on, one piece of work on them fills a turn. */
const heavyBytes = 50_000;

/** Resolves in a later turn when what was worked on just now, and will be next, is large; else as `giveWay` does. */
export function giveWayAfter(workedOn: unknown): Promise<void> {
  return isLongerThan(workedOn, heavyBytes) ? waitForTurn() : giveWay();
}

/** Resolves in a later turn, also when nobody knows how long this one took: for work that fills one whatever it is done with. */
export function waitForTurn(): Promise<void> {
  return new Promise<void>((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(letOneGo);
  });
}

/**
 * Resolves at once while the turn is young, else in a later turn, in the order of the calls. A graph goes from one step
 * to the next without ever waiting for the outside, and dozens of them would otherwise run back to back.
 */
export async function giveWay(): Promise<void> {
  if (turnBeganAt === undefined) {
    turnBeganAt = performance.now();
    setImmediate(endTurn);
    return;
  }
  if (waiting.length === 0 && performance.now() - turnBeganAt < turnMs) return;
  await waitForTurn();
}

/** What the steps brought; `undefined` is a step that brought nothing. Each step has to be short by itself. */
export async function gather<T>(steps: Iterable<T | undefined>): Promise<T[]> {
  const found: T[] = [];
  for (const one of steps) {
    await giveWay();
    if (one !== undefined) found.push(one);
  }
  return found;
}
