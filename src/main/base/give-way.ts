/** Cuts long work into turns of the event loop, so that the window is answered between two steps of busy agents. */
import { AsyncLocalStorage } from "node:async_hooks";
import { isLongerThan } from "../../shared/wire/json-bytes.ts";

/** What one turn may take before the next piece of work waits for another; a step after it may still be long. */
const turnMs = 1;

let turnBeganAt: number | undefined;
type Waiting = (() => void)[];

/** In the order in which they go: to the start of what a person allowed, from an answer to its card, and all else. */
const waiting = { allowed: [] as Waiting, answered: [] as Waiting, other: [] as Waiting };

/** What work is on its way to just now; it may change with every step. */
export type Lane = { lane: keyof typeof waiting };

const lanes = new AsyncLocalStorage<Lane>();

/** All that is begun by `act` waits in the lane that `lane` says at the time. */
export function inLane<T>(lane: Lane, act: () => T): T {
  return lanes.run(lane, act);
}

/** One at a time: whatever is let go runs until it waits for something, and that may be long. */
function letOneGo(): void {
  turnBeganAt = performance.now();
  (waiting.allowed.shift() ?? waiting.answered.shift() ?? waiting.other.shift())?.();
  setImmediate(isAnyWaiting() ? letOneGo : endTurn);
}

const isAnyWaiting = (): boolean => Object.values(waiting).some((lane) => lane.length > 0);

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
    const isAlone = !isAnyWaiting();
    waiting[lanes.getStore()?.lane ?? "other"].push(resolve);
    if (isAlone) setImmediate(letOneGo);
  });
}

/**
 * Resolves at once while the turn is young, else in a later turn, in the order of the calls of a lane. A graph goes from one step
 * to the next without ever waiting for the outside, and dozens of them would otherwise run back to back.
 */
export async function giveWay(): Promise<void> {
  if (turnBeganAt === undefined) {
    turnBeganAt = performance.now();
    setImmediate(endTurn);
    return;
  }
  if (!isAnyWaiting() && performance.now() - turnBeganAt < turnMs) return;
  await waitForTurn();
}
