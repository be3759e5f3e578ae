/** Which of the found places becomes the current one. */
import type { Place } from "../transcript/transcript-window.ts";

/** The first at or after where the person is, else the last before it; -1 when there are none. */
export function nearestPlace(places: readonly Place[], from: number): number {
  const after = places.findIndex((place) => place.position >= from);
  return after >= 0 ? after : places.length - 1;
}

/** The same place in a newer answer, or the nearest to where it was. */
export function placeAgain(places: readonly Place[], before: Place | undefined): number {
  if (!before) return nearestPlace(places, Number.POSITIVE_INFINITY);
  const same = places.findIndex((place) => place.itemId === before.itemId);
  return same >= 0 ? same : nearestPlace(places, before.position);
}

/** One further or one back, round the ends. */
export function stepPlace(count: number, current: number, step: 1 | -1): number {
  return count === 0 ? -1 : (current + step + count) % count;
}
