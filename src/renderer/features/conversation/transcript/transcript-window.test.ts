/** Moving through a long thread: an older window stands for itself until it meets the live end, which loses nothing meanwhile. */
import { beforeEach, describe, expect, it } from "vitest";
import { createStore } from "zustand";
import { type ThreadItem, threadItemSchema } from "../../../../shared/contract/thread-reading.ts";
import { type TranscriptItem, transcriptItemSchema } from "../../../../shared/contract/transcript.ts";
import { threadIdSchema } from "../../../../shared/ids.ts";
import { type Client, provideClient } from "../../../base/client.ts";
import { applyItem, emptyTranscript, shownPart, type Transcript } from "./transcript-store.ts";
import { loadNewer, loadOlder, pathTo, showEnd, showItem, withPageAround } from "./transcript-window.ts";

const threadId = threadIdSchema.parse("t");
const item = (position: number, change: Record<string, unknown>): TranscriptItem =>
  transcriptItemSchema.parse({
    id: `m${position}`,
    position,
    at: position,
    turnId: "turn",
    agentPath: [],
    ...change,
  });
const said = (position: number) =>
  item(position, { kind: "agentMessage", text: `message ${position}`, partial: false });
const call = (position: number, change: Record<string, unknown> = {}) =>
  item(position, {
    kind: "toolCall",
    toolCallId: "c",
    tool: "execute",
    args: {},
    state: "running",
    ...change,
  });

/** A host with a thread of 1,000 messages, answering pages as the real one does. */
let thread: TranscriptItem[];
let asked: { around?: number; before?: number; after?: number }[];

function answer({ around, before, after, limit }: { limit: number } & (typeof asked)[number]) {
  asked.push({ around, before, after });
  const start =
    around !== undefined
      ? thread.findIndex((one) => one.position >= around) - limit / 2
      : after !== undefined
        ? thread.findIndex((one) => one.position > after)
        : thread.findIndex((one) => one.position >= (before ?? Number.POSITIVE_INFINITY)) - limit;
  const items = thread.slice(Math.max(0, start), start + limit);
  return {
    items,
    hasMore: items[0]?.position !== thread[0]?.position,
    hasNewer: items.at(-1)?.position !== thread.at(-1)?.position,
  };
}

function openThread(tail: number) {
  const page = { kind: "page", items: thread.slice(-tail), hasMore: true, seq: thread.length, live: [] };
  return createStore<Transcript>(() => applyItem(emptyTranscript, threadItemSchema.parse(page)));
}

function hear(store: ReturnType<typeof openThread>, item: unknown): void {
  const arrived: ThreadItem = threadItemSchema.parse(item);
  store.setState(applyItem(store.getState(), arrived), true);
}
const event = (seq: number, data: Record<string, unknown>) => ({
  kind: "events",
  events: [{ seq, threadId, at: seq, data }],
});
const finished = (seq: number) =>
  event(seq, {
    type: "message.finished",
    itemId: `m${seq}`,
    turnId: "turn",
    agentPath: [],
    text: "late",
    partial: false,
  });
const shownIds = (store: ReturnType<typeof openThread>) => shownPart(store.getState()).order;

beforeEach(() => {
  thread = Array.from({ length: 1_000 }, (_, index) => said(index + 1));
  asked = [];
  provideClient({ call: async (_name: string, input: never) => answer(input) } as unknown as Client);
});

describe("showItem", () => {
  it("reads only the page around an item far up, and shows that instead of the end", async () => {
    const store = openThread(60);
    expect(await showItem(store, threadId, { itemId: "m200", position: 200 }, "open")).toBe(true);
    expect(asked).toEqual([{ around: 200 }]);
    expect(shownIds(store)).toContain("m200");
    expect(shownIds(store)).not.toContain("m1000");
    expect(store.getState()).toMatchObject({ target: { itemId: "m200", purpose: "open" }, generation: 1 });
  });

  it("reads nothing for an item that is there, and goes back to the end for one of its items", async () => {
    const store = openThread(60);
    await showItem(store, threadId, { itemId: "m990", position: 990 }, "find");
    expect(store.getState().generation).toBe(0);
    await showItem(store, threadId, { itemId: "m200", position: 200 }, "find");
    await showItem(store, threadId, { itemId: "m990", position: 990 }, "find");
    expect(asked).toHaveLength(1);
    expect(store.getState().window).toBeUndefined();
    expect(shownIds(store)).toContain("m990");
  });

  it("joins a page that touches the end with it", async () => {
    const store = openThread(60);
    await showItem(store, threadId, { itemId: "m930", position: 930 }, "open");
    expect(store.getState().window).toBeUndefined();
    expect(shownIds(store)).toEqual(thread.slice(899).map((one) => one.id));
    expect(store.getState().hasMore).toBe(true);
  });

  it("says so when the item is gone, and lets the last of two asks win", async () => {
    const store = openThread(60);
    expect(await showItem(store, threadId, { itemId: "gone", position: 200 }, "open")).toBe(false);
    expect([store.getState().generation, store.getState().target]).toEqual([0, undefined]);
    await Promise.all([
      showItem(store, threadId, { itemId: "m300", position: 300 }, "find"),
      showItem(store, threadId, { itemId: "m500", position: 500 }, "find"),
    ]);
    expect(store.getState().target?.itemId).toBe("m500");
    expect(shownIds(store)).toContain("m500");
  });
});

describe("an older window", () => {
  it("grows at both ends, and is one with the end again when it reaches it", async () => {
    const store = openThread(60);
    await showItem(store, threadId, { itemId: "m850", position: 850 }, "open");
    await loadOlder(store, threadId);
    await loadNewer(store, threadId);
    expect(shownIds(store)).toEqual(thread.slice(759, 939).map((one) => one.id));
    expect(store.getState().window).toBeDefined();
    await loadNewer(store, threadId);
    expect(store.getState()).toMatchObject({ window: undefined, hasMore: true, generation: 1 });
    expect(shownIds(store)).toEqual(thread.slice(759).map((one) => one.id));
  });

  it("takes what happens to its items, and new ones wait at the end", async () => {
    thread[199] = call(200);
    const store = openThread(60);
    await showItem(store, threadId, { itemId: "m200", position: 200 }, "open");
    hear(store, event(1_001, { type: "toolCall.finished", itemId: "m200", outcome: "ok", result: "made" }));
    hear(store, finished(1_002));
    hear(store, {
      kind: "deltas",
      deltas: [{ messageId: "next", turnId: "turn", agentPath: [], text: "and" }],
    });
    expect(store.getState().window?.items.get("m200")).toMatchObject({ state: "finished", result: "made" });
    expect(shownIds(store)).not.toContain("m1002");
    showEnd(store);
    expect(shownIds(store).slice(-2)).toEqual(["m1000", "m1002"]);
    expect(store.getState().live.get("next")?.text).toBe("and");
    expect(store.getState()).toMatchObject({ seq: 1_002, target: undefined, generation: 2 });
  });

  it("stays when the end is read anew after a lost connection", async () => {
    const store = openThread(60);
    await showItem(store, threadId, { itemId: "m200", position: 200 }, "open");
    const before = shownIds(store);
    thread.push(said(1_001));
    hear(store, { kind: "page", items: thread.slice(-60), hasMore: true, seq: 1_001, live: [] });
    expect(shownIds(store)).toEqual(before);
    showEnd(store);
    expect(shownIds(store).at(-1)).toBe("m1001");
  });

  it("keeps what the end knows already over what a page says of it", async () => {
    thread[949] = call(950);
    const store = openThread(60);
    const late = answer({ around: 930, limit: 60 });
    hear(store, event(1_001, { type: "toolCall.finished", itemId: "m950", outcome: "ok", result: "" }));
    store.setState((state) => withPageAround(state, late));
    expect(store.getState().items.get("m950")).toMatchObject({ state: "finished" });
  });
});

describe("pathTo", () => {
  it("leads through the runs of sub-agents, and nowhere for an item that is not shown", () => {
    const task = (position: number, change = {}) => call(position, { tool: "task", ...change });
    thread = [task(1), task(2, { parentItemId: "m1" }), call(3, { parentItemId: "m2" }), said(4)];
    const { order, children, items } = openThread(4).getState();
    const part = { order, children, items, hasMore: false };
    expect(pathTo(part, "m3")).toEqual(["m1", "m2", "m3"]);
    expect(pathTo(part, "m4")).toEqual(["m4"]);
    expect(pathTo(part, "m9")).toEqual([]);
  });
});
