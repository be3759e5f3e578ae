/** Finding starts where the person is, and its place holds while the thread grows. */
import { expect, it } from "vitest";
import { nearestPlace, placeAgain, stepPlace } from "./find-store.ts";

const places = [10, 20, 30].map((position) => ({ itemId: `i${position}`, position }));

it("starts with what follows where the person is, and with what came last before it at the end", () => {
  expect([5, 20, 21, 31].map((from) => nearestPlace(places, from))).toEqual([0, 1, 2, 2]);
  expect(nearestPlace([], 5)).toBe(-1);
});

it("keeps its place when others come before it, and takes the nearest when it is gone", () => {
  const more = [{ itemId: "new", position: 15 }, ...places];
  expect(placeAgain(more, places[1])).toBe(2);
  expect(placeAgain(places, { itemId: "gone", position: 25 })).toBe(2);
  expect(placeAgain([], places[1])).toBe(-1);
});

it("goes round the ends", () => {
  expect([stepPlace(3, 2, 1), stepPlace(3, 0, -1), stepPlace(3, 1, 1)]).toEqual([0, 2, 2]);
  expect(stepPlace(0, -1, 1)).toBe(-1);
});
