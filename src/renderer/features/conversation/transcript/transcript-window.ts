/** Moves through a thread page by page: older, newer, around an item far up, and back to its live end. */
import type { Output } from "../../../../shared/contract/contract.ts";
import type { TranscriptItem } from "../../../../shared/contract/transcript.ts";
import type { ThreadId } from "../../../../shared/ids.ts";
import { client } from "../../../base/client.ts";
import { arrangeTranscript } from "./arrange-transcript.ts";
import {
  type Part,
  shownPart,
  type Target,
  type Transcript,
  type TranscriptStore,
} from "./transcript-store.ts";

type Page = Output<"threads.page">;
export type Place = { itemId: string; position: number };

const pageItems = 60;

/** Reads the page before the oldest item that is shown. @throws ContractError */
export async function loadOlder(store: TranscriptStore, threadId: ThreadId): Promise<void> {
  const before = firstOf(shownPart(store.getState()).items)?.position;
  const place = before === undefined ? {} : { before };
  const page = await client().call("threads.page", { threadId, limit: pageItems, ...place });
  store.setState((state) => withOlder(state, page));
}

/** Reads the page after the newest item of the window; does nothing at the live end. @throws ContractError */
export async function loadNewer(store: TranscriptStore, threadId: ThreadId): Promise<void> {
  const { window } = store.getState();
  const after = window && [...window.items.values()].at(-1)?.position;
  if (after === undefined) return;
  const page = await client().call("threads.page", { threadId, limit: pageItems, after });
  store.setState((state) => (state.window === undefined ? state : withNewer(state, page)));
}

const newestAsk = new WeakMap<TranscriptStore, object>();

/**
 * Makes an item the target of what is shown; where it is not known yet, the page around it is read first.
 * Of several asked for at once the last one counts. @returns false when the item is not there any more. @throws ContractError
 */
export async function showItem(
  store: TranscriptStore,
  threadId: ThreadId,
  { itemId, position }: Place,
  purpose: Target["purpose"],
): Promise<boolean> {
  const target: Target = { itemId, purpose };
  newestAsk.set(store, target);
  if (!isKnown(store.getState(), itemId)) {
    const page = await client().call("threads.page", { threadId, limit: pageItems, around: position });
    if (newestAsk.get(store) !== target) return true;
    if (!page.items.some((item) => item.id === itemId)) return false;
    store.setState((state) => withPageAround(state, page));
  }
  store.setState((state) => withTarget(state, target));
  return true;
}

/** Goes back to the live end, which was followed all the while. */
export function showEnd(store: TranscriptStore): void {
  newestAsk.delete(store);
  store.setState((state) => (state.window ? { ...atEnd(state), target: undefined } : state));
}

/** The items one goes through to reach this one, from the row of the list inwards; empty when it is not shown. */
export function pathTo({ order, children }: Part, itemId: string): string[] {
  const path = [itemId];
  for (let at: string | undefined = itemId; ; path.unshift(at)) {
    if (order.includes(at)) return path;
    const inner: string = at;
    at = [...children].find(([, ids]) => ids.includes(inner))?.[0];
    if (at === undefined) return [];
  }
}

/** Exported for its test, as the two below. */
export function withOlder(state: Transcript, page: Page): Transcript {
  const shown = shownPart(state);
  const part = partOf([...page.items, ...shown.items.values()], page.hasMore);
  return state.window ? { ...state, window: part } : { ...state, ...part };
}

export function withNewer(state: Transcript, page: Page): Transcript {
  if (!state.window) return state;
  const items = [...state.window.items.values(), ...page.items];
  const { hasMore } = state.window;
  // The window has grown to where the end begins: the two are one again.
  if (reachesEnd(state, page)) return joined(state, items, hasMore);
  return { ...state, window: partOf(items, hasMore) };
}

export function withPageAround(state: Transcript, page: Page): Transcript {
  const next: Transcript = reachesEnd(state, page)
    ? joined(state, page.items, page.hasMore)
    : { ...state, window: partOf(page.items, page.hasMore) };
  return { ...next, generation: state.generation + 1 };
}

function withTarget(state: Transcript, target: Target): Transcript {
  const isElsewhere = state.window && !state.window.items.has(target.itemId);
  return { ...(isElsewhere ? atEnd(state) : state), target };
}

function atEnd(state: Transcript): Transcript {
  return { ...state, window: undefined, generation: state.generation + 1 };
}

/** Puts these in front of the end. What it holds itself is as new as the last event and stays. */
function joined(state: Transcript, before: readonly TranscriptItem[], hasMore: boolean): Transcript {
  const startsEarlier = positionOf(before[0]) < positionOf(firstOf(state.items));
  const part = partOf([...before, ...state.items.values()], startsEarlier ? hasMore : state.hasMore);
  return { ...state, ...part, window: undefined };
}

function reachesEnd(state: Transcript, page: Page): boolean {
  const last = page.items.at(-1);
  return !page.hasNewer || (last !== undefined && last.position >= positionOf(firstOf(state.items)));
}

/** Where nothing is, is after everything. */
function positionOf(item: TranscriptItem | undefined): number {
  return item?.position ?? Number.POSITIVE_INFINITY;
}

/** Of two with one id the later one counts. */
function partOf(items: readonly TranscriptItem[], hasMore: boolean): Part {
  const byId = new Map(items.map((item) => [item.id, item] as const));
  const sorted = [...byId.values()].sort((a, b) => a.position - b.position);
  return { ...arrangeTranscript(sorted), items: new Map(sorted.map((item) => [item.id, item])), hasMore };
}

function isKnown(state: Transcript, itemId: string): boolean {
  return state.items.has(itemId) || state.window?.items.has(itemId) === true;
}

function firstOf(items: ReadonlyMap<string, TranscriptItem>): TranscriptItem | undefined {
  for (const item of items.values()) return item;
  return undefined;
}
