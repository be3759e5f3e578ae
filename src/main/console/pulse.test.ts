/** When a feed is woken, by a clock of the test's own. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createPulse } from "./pulse.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Follows a pulse and notes when it was woken. */
function follow(pulse = createPulse(50, 5)) {
  const leaving = new AbortController();
  const woken: number[] = [];
  const from = performance.now();
  void (async () => {
    while (!leaving.signal.aborted) {
      await pulse.next(leaving.signal);
      woken.push(performance.now() - from);
    }
  })();
  const at = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms - (performance.now() - from));
  };
  return { pulse, woken, at, leave: () => leaving.abort() };
}

it("wakes at once for the first news, and then once per interval for all that follow", async () => {
  const { pulse, woken, at } = follow();
  await at(1);
  pulse.beat();
  for (const ms of [2, 10, 20, 45]) {
    await at(ms);
    pulse.beat();
  }
  await at(200);
  expect(woken).toEqual([1, 51]);
});

it("does not let what is urgent wait for what was not, and takes the others along", async () => {
  const { pulse, woken, at } = follow();
  await at(1);
  pulse.beat();
  await at(3);
  pulse.beat();
  await at(4);
  pulse.beat("urgent");
  await at(20);
  pulse.beat("urgent");
  pulse.beat();
  await at(200);
  expect(woken).toEqual([1, 4, 20]);
});

it("wakes for a burst of what is urgent once per its own interval", async () => {
  const { pulse, woken, at } = follow();
  for (let ms = 1; ms <= 20; ms += 1) {
    await at(ms);
    pulse.beat("urgent");
  }
  await at(200);
  expect(woken).toEqual([1, 6, 11, 16, 21]);
});

it("ends at once when nobody listens any more, in either wait", async () => {
  for (const beats of [0, 2]) {
    const { pulse, woken, at, leave } = follow();
    await at(1);
    for (let beat = 0; beat < beats; beat += 1) {
      pulse.beat();
      await at(2);
    }
    leave();
    await at(3);
    expect(woken).toHaveLength(beats === 0 ? 1 : 2);
    expect(vi.getTimerCount()).toBe(0);
  }
});
