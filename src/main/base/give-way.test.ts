import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { giveWay, giveWayAfter } from "./give-way.ts";

/** Holds the event loop, as a step of a graph does. */
function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** How many turns of the loop went by while a promise was waited for. */
async function turnsUntil(promise: Promise<void>): Promise<number> {
  let settled = false;
  const done = promise.then(() => {
    settled = true;
  });
  let turns = 0;
  // What needs no turn of the loop settles within these.
  for (let tick = 0; tick < 10; tick += 1) await Promise.resolve();
  while (!settled) {
    await turn();
    turns += 1;
  }
  await done;
  return turns;
}

describe("giving way", () => {
  beforeEach(async () => {
    await turn();
    await turn();
  });
  afterEach(() => void vi.restoreAllMocks());

  it("costs nothing while the turn is young", async () => {
    vi.spyOn(performance, "now").mockReturnValue(performance.now());
    expect(await turnsUntil(giveWay())).toBe(0);
    expect(await turnsUntil(giveWay())).toBe(0);
  });

  it("waits for a later turn once this one took long", async () => {
    await giveWay();
    work(8);
    expect(await turnsUntil(giveWay())).toBeGreaterThan(0);
  });

  it("waits for a later turn after work on something large, however young this one is", async () => {
    vi.spyOn(performance, "now").mockReturnValue(performance.now());
    expect(await turnsUntil(giveWayAfter({ text: "x".repeat(40_000) }))).toBe(0);
    expect(await turnsUntil(giveWayAfter({ text: "x".repeat(60_000) }))).toBeGreaterThan(0);
  });

  it("lets those who wait go one in a turn, in their order, and timers between them", async () => {
    await giveWay();
    work(8);
    const happened: string[] = [];
    const steps = ["a", "b", "c", "d"].map(async (name) => {
      await giveWay();
      happened.push(name);
      work(8);
    });
    const timer = setInterval(() => happened.push("timer"), 1);
    await Promise.all(steps);
    clearInterval(timer);
    expect(happened.filter((name) => name !== "timer")).toEqual(["a", "b", "c", "d"]);
    expect(
      happened.slice(0, happened.indexOf("d")).filter((name) => name === "timer").length,
    ).toBeGreaterThan(1);
  });
});
