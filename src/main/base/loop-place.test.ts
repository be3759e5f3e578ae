import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createLoopPlace, type LoopPlace, type Stretch } from "./loop-place.ts";

const never = new AbortController().signal;

/** Ten turns of the loop: enough for whoever is let in. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 10; turns += 1) await turn();
}

describe("the place on the loop", () => {
  afterEach(() => void vi.useRealTimers());

  it("is one run's at a time, in the order of what is urgent and then of who came first", async () => {
    const stretch = fc.constantFrom<Stretch>("result", "begin", "answer");
    await fc.assert(
      fc.asyncProperty(fc.array(stretch, { minLength: 1, maxLength: 12 }), async (stretches) => {
        const first = createLoopPlace(never);
        await first.take("result");
        let inside = 0;
        const came: string[] = [];
        const all = stretches.map(async (which, at) => {
          const place = createLoopPlace(never);
          await place.take(which);
          inside += 1;
          expect(inside).toBe(1);
          came.push(`${which} ${at}`);
          // Steps of a graph, between which others would run.
          await turn();
          await turn();
          inside -= 1;
          place.leave();
        });
        first.leave();
        await Promise.all(all);
        const named = stretches.map((which, at) => ({ which, name: `${which} ${at}` }));
        const urgent = ["answer", "begin", "result"].flatMap((which) =>
          named.filter((one) => one.which === which).map(({ name }) => name),
        );
        expect(came).toEqual(urgent);
      }),
      { numRuns: 50 },
    );
  });

  it("is shared by what goes on side by side in one run", async () => {
    const [held, run] = [createLoopPlace(never), createLoopPlace(never)];
    await held.take("begin");
    const siblings = Promise.all([run.take("answer"), run.take("result"), run.take("answer")]);
    held.leave();
    await siblings;
    await run.take("result");
    run.leave();
    await settle();
    expect(await isFree()).toBe(true);
  });

  it("passes on from whoever waits for something in the middle of it", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const stuck = createLoopPlace(never);
    await stuck.take("answer");
    const next = createLoopPlace(never);
    const waited = next.take("result");
    expect(await isSettled(waited)).toBe(false);
    vi.advanceTimersByTime(100);
    await waited;
    // Its time was over, and it is the other's now.
    stuck.leave();
    expect(await isFree()).toBe(false);
    next.leave();
    expect(await isFree()).toBe(true);
  });

  it("is not waited for by a run that was stopped, nor kept for it", async () => {
    const held = createLoopPlace(never);
    await held.take("answer");
    const stopper = new AbortController();
    const stopped = createLoopPlace(stopper.signal);
    const waited = stopped.take("result");
    expect(await isSettled(waited)).toBe(false);
    stopper.abort();
    await waited;
    await stopped.take("answer");
    held.leave();
    await settle();
    expect(await isFree()).toBe(true);
  });
});

/** Whether a newcomer has it at once, who leaves it then. */
async function isFree(): Promise<boolean> {
  const stopper = new AbortController();
  const place: LoopPlace = createLoopPlace(stopper.signal);
  const has = await isSettled(place.take("result"));
  place.leave();
  stopper.abort();
  await settle();
  return has;
}

async function isSettled(promise: Promise<void>): Promise<boolean> {
  let settled = false;
  void promise.then(() => {
    settled = true;
  });
  await settle();
  return settled;
}
