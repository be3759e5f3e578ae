/**
 * Lets one run after another have the event loop for a whole stretch of its work, the one with something to show to a
 * person first. Dozens of runs that share it step by step all come late; one after another, most of them come early.
 */

/**
 * What a run is about to do, the most urgent first: an `answer` of its model may become a card, with `begin` a turn begins
 * or goes on, and a `result` of an effect is handed to the model.
 */
const byUrgency = ["answer", "begin", "result"] as const;
export type Stretch = (typeof byUrgency)[number];

/** The place of one run on the loop; what goes on side by side in the run shares it. */
export type LoopPlace = {
  /** Resolves when no other run is in a stretch, and at once when this one is, or when its signal aborts. Never rejects. */
  take(stretch: Stretch): Promise<void>;
  /** To be called before the run waits for a model, an effect or a person; also without having taken it. */
  leave(): void;
};

type Waiting = { place: LoopPlace; stretch: Stretch; go(): void };

/** A stretch takes some ten milliseconds. What is not done by now waits for something, and nobody waits with it. */
const longestMs = 100;

let holder: LoopPlace | undefined;
let limit: NodeJS.Timeout | undefined;
const waiting: Waiting[] = [];

/** The loop is one for the whole process, and so is its order. @param signal of the run: an aborted one waits for nobody. */
export function createLoopPlace(signal: AbortSignal): LoopPlace {
  const place: LoopPlace = {
    take(stretch) {
      if (holder === place || signal.aborted) return Promise.resolve();
      if (holder === undefined && waiting.length === 0) {
        hold(place);
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        const go = () => {
          signal.removeEventListener("abort", go);
          waiting.splice(waiting.indexOf(one), 1);
          resolve();
        };
        const one: Waiting = { place, stretch, go };
        signal.addEventListener("abort", go);
        waiting.push(one);
      });
    },
    leave() {
      if (holder === place) end();
    },
  };
  return place;
}

function hold(place: LoopPlace): void {
  holder = place;
  limit = setTimeout(end, longestMs).unref();
}

/** What came in meanwhile, such as a decision or the answer of a model, is read before the next is chosen. */
function end(): void {
  clearTimeout(limit);
  holder = undefined;
  setImmediate(admitNext);
}

function admitNext(): void {
  if (holder !== undefined) return;
  const next = byUrgency.map((stretch) => waiting.find((one) => one.stretch === stretch)).find(Boolean);
  if (next === undefined) return;
  hold(next.place);
  for (const one of waiting.filter(({ place }) => place === next.place)) one.go();
}
