/** The find bar of the open thread: whether it is there, what is sought, where that was found, and which place is current. */
import { create } from "zustand";
import type { ThreadId } from "../../../../shared/ids.ts";
import { matcherOf } from "../../../../shared/transcript/find-text.ts";
import { client } from "../../../base/client.ts";
import { describeError } from "../../../base/words.ts";
import type { TranscriptStore } from "../transcript/transcript-store.ts";
import { type Place, showItem } from "../transcript/transcript-window.ts";

type Found = {
  query: string;
  matcher: RegExp;
  /** In reading order. */
  places: readonly Place[];
  ids: ReadonlySet<string>;
  /** False when there are more than can be gone through; then these are the newest. */
  complete: boolean;
};

type Find = {
  /** The thread it is open for. */
  threadId?: ThreadId;
  /** Grows each time it is asked for, also while it is open. */
  asked: number;
  query: string;
  found?: Found;
  /** Index into the places, or -1. */
  current: number;
  /** Position the person was at; the place found nearest to it becomes current. */
  from: number;
  problem?: string;
};

const closed: Find = { asked: 0, query: "", current: -1, from: 0 };
export const useFind = create<Find>(() => closed);

let newestCall = 0;
/** Whether the person waits to be taken somewhere; a later call of another reason must not swallow that. */
let hasToShow = false;
let returnTo: Element | null = null;

/** @param from position of the first item in view. @param query what was selected, if anything. */
export function openFind(threadId: ThreadId, from: number, query: string): void {
  const state = useFind.getState();
  if (state.threadId !== threadId) returnTo = document.activeElement;
  const again = state.threadId === threadId ? state : { ...closed, asked: state.asked };
  useFind.setState({ ...again, threadId, from, asked: again.asked + 1, query: query || again.query }, true);
}

/** Closes it and gives the focus back to where it was, or to `otherwise` when that is gone. */
export function closeFind(otherwise: () => HTMLElement | null): void {
  const back = returnTo instanceof HTMLElement && returnTo !== document.body ? returnTo : null;
  forgetFind();
  (back?.isConnected ? back : otherwise())?.focus({ preventScroll: true });
}

/** Forgets everything about a thread that is left. */
export function forgetFind(): void {
  newestCall += 1;
  hasToShow = false;
  returnTo = null;
  useFind.setState(({ asked }) => ({ ...closed, asked }), true);
}

/**
 * Asks the host where the query stands in the thread.
 * @param show goes to the nearest place; without it the current one stays, such as when the thread grew.
 */
export async function findPlaces(threadId: ThreadId, store: TranscriptStore, show: boolean): Promise<void> {
  newestCall += 1;
  const call = newestCall;
  hasToShow ||= show;
  const query = useFind.getState().query.trim();
  if (query === "") {
    hasToShow = false;
    return useFind.setState({ found: undefined, current: -1, problem: undefined });
  }
  try {
    const { hits, complete } = await client().call("threads.find", { threadId, query });
    if (call !== newestCall) return;
    const before = useFind.getState();
    const current = hasToShow
      ? nearestPlace(hits, before.from)
      : placeAgain(hits, before.found?.places[before.current]);
    const ids = new Set(hits.map((hit) => hit.itemId));
    const found = { query, matcher: matcherOf(query), places: hits, ids, complete };
    useFind.setState({ found, current, problem: undefined });
    if (!hasToShow) return;
    hasToShow = false;
    await showCurrent(threadId, store);
  } catch (error) {
    if (call !== newestCall) return;
    hasToShow = false;
    useFind.setState({ found: undefined, current: -1, problem: describeError(error) });
  }
}

/** Goes to the next place (1) or the one before (-1), round the ends. A query not yet answered is asked at once. */
export async function stepFind(threadId: ThreadId, store: TranscriptStore, step: 1 | -1): Promise<void> {
  const { found, query, current } = useFind.getState();
  if (found?.query !== query.trim()) return findPlaces(threadId, store, true);
  useFind.setState({ current: stepPlace(found.places.length, current, step) });
  try {
    await showCurrent(threadId, store);
  } catch (error) {
    useFind.setState({ problem: describeError(error) });
  }
}

async function showCurrent(threadId: ThreadId, store: TranscriptStore): Promise<void> {
  const { found, current } = useFind.getState();
  const place = found?.places[current];
  if (!place) return;
  useFind.setState({ from: place.position });
  await showItem(store, threadId, place, "find");
}

/** The expression that finds the sought text, for the item of the current place; `undefined` for all others. */
export function matcherFor(itemId: string, state = useFind.getState()): RegExp | undefined {
  return state.found?.places[state.current]?.itemId === itemId ? state.found.matcher : undefined;
}

/** As `matcherFor`, for a part of a row that opens where the text stands in it. */
export function useSought(itemId: string): RegExp | undefined {
  return useFind((state) => matcherFor(itemId, state));
}

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
