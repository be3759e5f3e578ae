/** What is shown of a thread must equal what its log says, whatever arrives how often. */
import { describe, expect, it } from "vitest";
import { threadItemSchema } from "../../../../shared/contract/thread-reading.ts";
import { applyItem, emptyTranscript as empty, type Transcript } from "./transcript-store.ts";

function apply(state: Transcript, ...arrived: unknown[]): Transcript {
  return arrived.reduce<Transcript>((before, item) => applyItem(before, threadItemSchema.parse(item)), state);
}

const sent = (seq: number) => ({
  seq,
  threadId: "t",
  at: seq,
  data: {
    type: "message.sent",
    itemId: `m${seq}`,
    turnId: "turn",
    text: "hi",
    attachments: [],
    queued: false,
  },
});
const delta = (text: string) => ({
  kind: "deltas",
  deltas: [{ messageId: "a", turnId: "turn", agentPath: [], text }],
});
const finished = {
  seq: 2,
  threadId: "t",
  at: 2,
  data: {
    type: "message.finished",
    itemId: "a",
    turnId: "turn",
    agentPath: [],
    text: "Hello",
    partial: false,
  },
};

describe("applyItem", () => {
  it("appends live text and replaces it by the finished message", () => {
    const writing = apply(empty, delta("Hel"), delta("lo"));
    expect(writing.live.get("a")?.text).toBe("Hello");
    const done = apply(writing, { kind: "events", events: [finished] });
    expect(done.live.size).toBe(0);
    expect(done.order).toEqual(["a"]);
  });

  it("takes an event that arrives twice once", () => {
    const state = apply(
      empty,
      { kind: "events", events: [sent(1)] },
      { kind: "events", events: [sent(1), sent(3)] },
    );
    expect(state.order).toEqual(["m1", "m3"]);
  });

  it("starts over with a page", () => {
    const state = apply(
      empty,
      { kind: "events", events: [sent(1)] },
      { kind: "page", items: [], hasMore: true, seq: 9, live: [] },
    );
    expect(state).toMatchObject({ status: "ready", order: [], seq: 9, hasMore: true });
  });

  it("drops live text of a turn that ended without finishing it", () => {
    const end = {
      seq: 5,
      threadId: "t",
      at: 5,
      data: { type: "turn.finished", itemId: "end", turnId: "turn", outcome: "stopped" },
    };
    expect(apply(empty, delta("Hel"), { kind: "events", events: [end] }).live.size).toBe(0);
  });

  it("keeps older pages when a whole page comes again and nothing is missing in between", () => {
    const message = (position: number) => ({
      id: `m${position}`,
      position,
      at: position,
      turnId: `t${position}`,
      kind: "notice",
      level: "info",
      text: "x",
    });
    const page = (positions: number[]) => ({
      kind: "page",
      items: positions.map(message),
      hasMore: false,
      seq: 9,
      live: [],
    });
    expect(apply(empty, page([1, 2, 3]), page([3, 4])).order).toEqual(["m1", "m2", "m3", "m4"]);
    expect(apply(empty, page([1, 2]), page([7, 8])).order).toEqual(["m7", "m8"]);
  });

  it("keeps the list of live messages the same while only their text grows", () => {
    const writing = apply(empty, delta("a"));
    expect(apply(writing, delta("b")).liveIds).toBe(writing.liveIds);
  });
});
