import { getHeapStatistics } from "node:v8";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { giveBackAtRest } from "./give-back.ts";

const held = () => getHeapStatistics().total_physical_size;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it("gives back what nothing needs any more", () => {
  let needless: object[] | undefined = Array.from({ length: 500_000 }, (_, at) => ({ at }));
  const size = needless.length * 16;
  giveBackAtRest()();
  const before = held();
  needless = undefined;
  vi.advanceTimersByTime(40);
  expect(held()).toBeLessThan(before - size);
});

it("waits until nothing was asked for a while, and does it once", () => {
  const collect = vi.fn();
  const noteWork = giveBackAtRest(collect);
  vi.advanceTimersByTime(10_000);
  expect(collect).not.toHaveBeenCalled();
  noteWork();
  vi.advanceTimersByTime(39);
  noteWork();
  vi.advanceTimersByTime(39);
  expect(collect).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(collect).toHaveBeenCalledTimes(1);
  noteWork();
  vi.advanceTimersByTime(10_000);
  expect(collect).toHaveBeenCalledTimes(1);
});
