/** One thread's transcript: its live end with events folded in and live text appended, and an older window where one is read. */
import { createStore, type StoreApi } from "zustand";
import type { ThreadEvent, ThreadEventData } from "../../../../shared/contract/thread-events.ts";
import type { Delta, ThreadItem } from "../../../../shared/contract/thread-reading.ts";
import type { ToolCallItem, TranscriptItem } from "../../../../shared/contract/transcript.ts";
import type { ThreadId } from "../../../../shared/ids.ts";
import { foldEvent } from "../../../../shared/transcript/fold-event.ts";
import { joinDeltas } from "../../../../shared/transcript/join-deltas.ts";
import { applyTaken } from "../../../../shared/transcript/taken-back.ts";
import { client } from "../../../base/client.ts";
import { followStream } from "../../../base/follow-stream.ts";
import { createFrameBatch } from "../../../base/stores/frame-batch.ts";
import { type Arrangement, arrangeTranscript, taskOfMessage } from "./arrange-transcript.ts";

export type LiveMessage = Delta & {
  text: string;
  reasoning: string;
  /** The `task` call it is written in, where that is known. */
  parentId?: string;
};

/** A stretch of the transcript without gaps. */
export type Part = Arrangement & {
  /** By id, in the order of their positions. */
  items: ReadonlyMap<string, TranscriptItem>;
  /** Whether there are older ones. */
  hasMore: boolean;
};

/** An item the person asked to see; a new object each time they ask. */
export type Target = { itemId: string; purpose: "open" | "find" };

/** The part at the end of the thread, which follows what happens, and what else is known of it. */
export type Transcript = Part & {
  status: "loading" | "ready" | "gone";
  problem?: string;
  /** Messages that are being written now, by message id. */
  live: ReadonlyMap<string, LiveMessage>;
  /** Those of them that stand at the top level; a new array only when one comes or goes. */
  liveIds: readonly string[];
  seq: number;
  /** An older part that is read instead of the end; what happens goes on being folded into both. */
  window?: Part;
  /** Grows when other rows take the place of those that were shown. */
  generation: number;
  target?: Target;
};

export type TranscriptStore = StoreApi<Transcript>;

export const emptyTranscript: Transcript = {
  status: "loading",
  order: [],
  children: new Map(),
  items: new Map(),
  live: new Map(),
  liveIds: [],
  hasMore: false,
  seq: 0,
  generation: 0,
};

/** The part that is on the screen. */
export function shownPart(state: Transcript): Part {
  return state.window ?? state;
}

/** Watches a thread until the signal aborts; after a lost connection it goes on from the last event it saw. */
export function followTranscript(threadId: ThreadId, signal: AbortSignal): TranscriptStore {
  const store = createStore<Transcript>(() => emptyTranscript);
  const batch = createFrameBatch<ThreadItem>((arrived) =>
    store.setState(arrived.reduce(applyItem, store.getState())),
  );
  const input = () => {
    const { status, seq, live } = store.getState();
    // Missed events come again, missed live text does not: with some on the screen a whole page is asked for.
    return status === "ready" && live.size === 0 ? { threadId, since: seq } : { threadId };
  };
  void followStream(client(), "threads.watch", input, batch.push, signal, (error) =>
    store.setState({ status: "gone", problem: error.message }),
  );
  return store;
}

/** Applies one stream item; exported for its test. */
export function applyItem(state: Transcript, arrived: ThreadItem): Transcript {
  switch (arrived.kind) {
    case "page":
      return applyPage(state, arrived);
    case "deltas":
      return withLive(state, appendDeltas(state, new Map(state.live), arrived.deltas));
    case "events":
      return applyEvents(state, arrived.events);
  }
}

/** The newest page replaces what it covers; older items stay when nothing is missing between them and it. */
function applyPage(state: Transcript, page: Extract<ThreadItem, { kind: "page" }>): Transcript {
  const first = page.items[0]?.position ?? 0;
  const older = [...state.items.values()].filter((item) => item.position < first);
  const adjoins = older.length > 0 && older.length < state.items.size;
  const items = new Map((adjoins ? [...older, ...page.items] : page.items).map((item) => [item.id, item]));
  const next: Transcript = {
    ...state,
    ...arrangeTranscript([...items.values()]),
    status: "ready",
    items,
    hasMore: adjoins ? state.hasMore : page.hasMore,
    seq: page.seq,
  };
  return withLive(next, appendDeltas(next, new Map(), page.live));
}

function applyEvents(state: Transcript, events: readonly ThreadEvent[]): Transcript {
  let items = new Map(state.items);
  const live = new Map(state.live);
  let { seq, window } = state;
  let moved = false;
  for (const event of events) {
    if (event.seq <= seq) continue;
    seq = event.seq;
    const { itemId, type } = event.data;
    const next = foldEvent(items.get(itemId), event);
    window &&= foldIntoWindow(window, event);
    if (type === "message.finished") live.delete(itemId);
    if (type === "turn.finished") dropTurn(live, event.data.turnId);
    if (!next) continue;
    moved ||= !items.has(itemId) || movesOthers(type);
    items.set(itemId, next);
    items = applyTaken(items, event.data);
  }
  const arranged = moved ? arrangeTranscript([...items.values()]) : undefined;
  return withLive({ ...state, seq, items, window, ...arranged }, live);
}

/** Only what it holds already changes; new items stand at the end. */
function foldIntoWindow(window: Part, event: ThreadEvent): Part {
  const { itemId, type } = event.data;
  const before = window.items.get(itemId);
  const next = before && foldEvent(before, event);
  const isMoving = movesOthers(type);
  if (!next && !isMoving) return window;
  const folded = new Map(window.items);
  if (next) folded.set(itemId, next);
  const items = applyTaken(folded, event.data);
  return { ...window, items, ...(isMoving && arrangeTranscript([...items.values()])) };
}

/** Whether an event changes where items stand that are there already. */
function movesOthers(type: ThreadEventData["type"]): boolean {
  return type === "message.dequeued" || type === "turns.takenBack" || type === "turns.broughtBack";
}

/** A turn that ended writes no more; what it left unfinished is in the log, or was nothing. */
function dropTurn(live: Map<string, LiveMessage>, turnId: string): void {
  for (const [id, message] of live) if (message.turnId === turnId) live.delete(id);
}

function withLive(state: Transcript, live: ReadonlyMap<string, LiveMessage>): Transcript {
  const ids = [...live.values()].filter((one) => !one.parentId).map((one) => one.messageId as string);
  const same = ids.length === state.liveIds.length && ids.every((id, index) => id === state.liveIds[index]);
  return { ...state, live, liveIds: same ? state.liveIds : ids };
}

function appendDeltas(
  state: Transcript,
  live: Map<string, LiveMessage>,
  deltas: readonly Delta[],
): Map<string, LiveMessage> {
  for (const delta of deltas) {
    if (state.items.has(delta.messageId)) continue;
    const before = live.get(delta.messageId);
    const joined = joinDeltas(before, delta);
    live.set(delta.messageId, {
      ...joined,
      text: joined.text ?? "",
      reasoning: joined.reasoning ?? "",
      parentId: before ? before.parentId : taskOfMessage({ ...delta, at: Date.now() }, tasksIn(state)),
    });
  }
  return live;
}

function tasksIn({ items, children }: Transcript): ToolCallItem[] {
  return [...children.keys()]
    .map((id) => items.get(id))
    .filter((item): item is ToolCallItem => item?.kind === "toolCall");
}
