import { beforeEach, describe, expect, it, vi } from "vitest";
import { askAnewAtLimit } from "../../gate/spending-limit.ts";
import { threadId } from "../../gate/testing/test-journal.ts";
import { GateThread } from "./testing/gate-thread.ts";

let thread: GateThread;
const asked = () => thread.journal.until(() => thread.journal.pending.length === 1);
const decide = (type: "approve" | "reject") => thread.journal.decide("", { type });

beforeEach(() => {
  thread = new GateThread();
  thread.journal.limitCents = 500;
});

describe("a thread at its spending limit", () => {
  it("goes on unasked below it, and without one", async () => {
    thread.journal.dollars = 4.99;
    expect(await thread.send("say hello")).toEqual({ kind: "done" });
    thread.journal.dollars = 1_000;
    thread.journal.limitCents = 0;
    expect(await thread.send("say hello")).toEqual({ kind: "done" });
    expect(thread.journal.questions).toEqual([]);
  });

  it("waits before the next model call, and again when a yes is used up", async () => {
    thread.journal.dollars = 5.5;
    const ended = thread.send("say hello");
    await asked();
    expect(thread.journal.pending[0]).toMatchObject({
      kind: "spending",
      subject: { dollars: 5.5, more: false, limit: 5, nextLimit: 10.5 },
      allowed: ["approve", "reject"],
    });
    expect(thread.offered).toEqual([]);
    await decide("approve");
    expect(await ended).toEqual({ kind: "done" });
    expect(thread.journal.ledger).toEqual([{ tool: "spending", decision: "approve", by: "person" }]);
    expect(thread.journal.events).toContainEqual(
      expect.objectContaining({
        type: "notice.added",
        text: "It reached its spending limit, and was let go on.",
      }),
    );

    thread.journal.dollars = 10.4;
    expect(await thread.send("say hello")).toEqual({ kind: "done" });
    thread.journal.dollars = 10.5;
    const again = thread.send("say hello");
    await asked();
    expect(thread.journal.pending[0]?.subject).toMatchObject({ limit: 10.5, nextLimit: 15.5 });
    await decide("approve");
    expect(await again).toEqual({ kind: "done" });
    expect(thread.journal.questions).toHaveLength(2);
  });

  it("ends its turn on a no, with a sentence and without a call", async () => {
    thread.journal.dollars = 6;
    const ended = thread.send("run ls");
    await asked();
    await decide("reject");
    expect(await ended).toEqual({
      kind: "stopped",
      problem: "It reached its spending limit, and you did not let it go on.",
    });
    expect([thread.offered, thread.commands]).toEqual([[], []]);
    expect(thread.journal.ledger).toEqual([{ tool: "spending", decision: "reject", by: "person" }]);
  });

  it("still waits after the process was killed, and goes on with what was decided then", async () => {
    thread.journal.dollars = 6;
    void thread.send("run deploy");
    await asked();
    const [before] = thread.journal.pending;
    thread.die();
    expect(thread.journal.pending).toEqual([before]);
    await decide("approve");
    const ended = thread.goOn();
    await thread.journal.until(() => thread.journal.pending.some(({ tool }) => tool === "execute"));
    await thread.journal.decide("deploy", { type: "approve" });
    expect(await ended).toEqual({ kind: "done" });
    expect(thread.commands).toEqual(["deploy"]);
    expect(thread.journal.questions).toHaveLength(2);
  });

  it("rests when its run has to, and asks no second time", async () => {
    thread.journal.dollars = 6;
    const ended = thread.send("say hello");
    await asked();
    thread.journal.park();
    expect(await ended).toEqual({ kind: "waiting" });
    await decide("approve");
    expect(await thread.goOn()).toEqual({ kind: "done" });
    expect(thread.journal.questions).toHaveLength(1);
    expect(thread.reported).toEqual([]);
  });

  it("goes on unasked once its limit is raised or taken away, and asks with the new figures while it is still at it", async () => {
    for (const [cents, then] of [
      [0, { kind: "done" }],
      [5_000, { kind: "done" }],
      [550, undefined],
    ] as const) {
      thread = new GateThread();
      thread.journal.limitCents = 500;
      thread.journal.dollars = 6;
      const ended = thread.send("say hello");
      await asked();
      const [before] = thread.journal.pending;
      const { journal } = thread.journal.running();
      const moved = () => askAnewAtLimit(journal, ({ id }) => journal.room.wake(id));
      moved();
      expect(thread.journal.pending).toEqual([before]);
      thread.journal.limitCents = cents;
      moved();
      if (then) expect(await ended).toEqual(then);
      else {
        await asked();
        expect(thread.journal.pending[0]?.subject).toMatchObject({ limit: 5.5, nextLimit: 11.5 });
        await decide("approve");
        expect(await ended).toEqual({ kind: "done" });
      }
      expect(thread.journal.pending).toEqual([]);
    }
  });

  it("asks once for sub-agents that work side by side", async () => {
    const ended = thread.send("delegate general-purpose: run ls\ndelegate general-purpose: run pwd");
    await thread.journal.until(() => thread.journal.pending.length === 2);
    thread.journal.dollars = 6;
    await thread.journal.decide("ls", { type: "approve" });
    await thread.journal.decide("pwd", { type: "approve" });
    const { room } = thread.journal.running().journal;
    await vi.waitFor(() => expect(room.count(threadId)).toBe(2));
    await decide("approve");
    expect(await ended).toEqual({ kind: "done" });
    expect(thread.journal.questions.map(({ kind }) => kind)).toEqual(["tool", "tool", "spending"]);
    expect(thread.journal.ledger.filter(({ tool }) => tool === "spending")).toHaveLength(1);
  });

  it("ends its turn where nobody is there to ask", async () => {
    thread.journal.dollars = 6;
    thread.journal.running().journal.isUnattended = true;
    const end = await thread.send("say hello");
    expect(end).toMatchObject({
      kind: "failed",
      error: { message: expect.stringContaining("nobody is there to ask") },
    });
    expect(thread.journal.questions).toEqual([]);
  });
});
