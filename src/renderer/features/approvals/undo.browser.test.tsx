/** Taking back what was approved: the last first, as long as it has not started, and what the host says counts. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { DecideOutcome } from "../../../shared/contract/approvals.ts";
import type { ApprovalId, RuleId } from "../../../shared/ids.ts";
import { provideClient } from "../../base/client.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { createFakeHost } from "../../testing/fake-host.ts";
import { openLiveQueue } from "../../testing/live-queue.ts";
import { openConsole } from "../../testing/open-console.ts";
import { sampleApproval, sampleThread } from "../../testing/samples.ts";
import { isRead } from "../seen/read-gauge.ts";
import { isArmed, useQueue } from "./queue-store.ts";
import { addUndo, beginWay, bindRule, canUndo, endWay, undo, undoLast, useUndo } from "./undo.ts";

/** Longer than any test: no Undo may go away under it. */
const graceMs = 600_000;
const status = page.getByRole("contentinfo");
const messages = page.getByRole("region", { name: "Notifications" });
const idOf = (id: string) => id as ApprovalId;

const cards = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    approval: sampleApproval(`c${at}`, `make part-${at}`, { requestedAt: at + 1 }),
  }));

/** Approves the cards from the first on, each once the host has answered for the one before. */
async function approve(count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const id = `c${at}`;
    await vi.waitFor(() =>
      expect([useQueue.getState().currentId, isRead(id, `digest-${id}`), isArmed()]).toEqual([
        id,
        true,
        true,
      ]),
    );
    await userEvent.keyboard("y");
    await vi.waitFor(() => expect(useUndo.getState().entries).toHaveLength(at + 1));
  }
}

describe("of several that wait to start", () => {
  it("z takes back the last one, then the one before it", async () => {
    const queue = openLiveQueue(cards(4), { graceMs });
    await approve(3);
    const taken: string[][] = [];
    for (const id of ["c2", "c1", "c0"]) {
      taken.push([id]);
      await userEvent.keyboard("z");
      await vi.waitFor(() =>
        expect(queue.host.inputsOf("approvals.undo").map(({ ids }) => ids)).toEqual(taken),
      );
      await vi.waitFor(() => expect(useQueue.getState().currentId).toBe(id));
    }
    expect(queue.pending()).toHaveLength(4);
    await userEvent.keyboard("z");
    expect(queue.host.inputsOf("approvals.undo")).toHaveLength(3);
  });

  it("the status line names the last one, counts the others, and takes back what it names", async () => {
    // Where one card fills the pane, no row offers the way back.
    await page.viewport(700, 800);
    const queue = openLiveQueue(cards(3), { graceMs });
    await approve(2);
    await expect.element(status).toHaveTextContent("make part-1");
    await expect.element(status).not.toHaveTextContent("make part-0");
    await expect.element(status).toHaveTextContent("and 1 more");
    await status.getByRole("button", { name: "Undo" }).click();
    await vi.waitFor(() => expect(queue.host.inputsOf("approvals.undo")).toEqual([{ ids: ["c1"] }]));
    await expect.element(status).toHaveTextContent("make part-0");
    await expect.element(status).not.toHaveTextContent("more");
  });
});

describe("once it has started", () => {
  const outcomeOf = (id: string): DecideOutcome => ({
    ok: false,
    reason: "It has started.",
    approval: { ...sampleApproval(id, `make ${id}`), status: "decided" },
  });

  /** The stores alone over a host, with the time told by hand. */
  function openStores(answers: Parameters<typeof createFakeHost>[1] = {}) {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    for (const store of [useUndo, useQueue, useApprovals])
      (store as typeof useUndo).setState(store.getInitialState() as never, true);
    const host = createFakeHost({ threads: [], approvals: [] }, answers);
    provideClient(host.client);
    return host;
  }

  it("there is nothing to take back any more, and z asks the host for nothing", () => {
    const host = openStores();
    addUndo({ ids: [idOf("first")], effectiveAt: Date.now() + 1_000 });
    addUndo({ ids: [idOf("second")], effectiveAt: Date.now() + 3_000 });
    vi.advanceTimersByTime(999);
    expect(useUndo.getState().entries.map(({ ids }) => ids[0])).toEqual(["first", "second"]);
    vi.advanceTimersByTime(1);
    expect(useUndo.getState().entries.map(({ ids }) => ids[0])).toEqual(["second"]);
    vi.advanceTimersByTime(1_999);
    expect(canUndo()).toBe(true);
    vi.advanceTimersByTime(1);
    expect(canUndo()).toBe(false);
    undoLast();
    expect(host.calls).toEqual([]);
    // What has started by its time already is offered for no moment longer.
    addUndo({ ids: [idOf("late")], effectiveAt: Date.now() - 5_000 });
    vi.advanceTimersByTime(0);
    expect(canUndo()).toBe(false);
  });

  it("what came too late for the host is said with its reason, and only the rest waits again", async () => {
    const waiting = sampleApproval("b", "make b");
    const host = openConsole(
      { threads: [sampleThread("t1")], approvals: [sampleApproval("z", "make z")] },
      {
        "approvals.undo": ({ ids }) => ({
          outcomes: ids.map((id) => (id === "b" ? { ok: true, approval: waiting } : outcomeOf(id))),
        }),
      },
    );
    await expect.element(page.getByRole("article", { name: "make z" })).toBeVisible();
    await undo({ ids: [idOf("a")], effectiveAt: 0 });
    await expect.element(messages).toHaveTextContent("1 was not taken back");
    await expect.element(messages).toHaveTextContent("It has started.");
    await expect.element(messages).not.toHaveTextContent("wait");
    expect([useQueue.getState().restored, useQueue.getState().currentId]).toEqual([new Set(), "z"]);

    await undo({ ids: ["b", "a", "c"].map(idOf), effectiveAt: 0 });
    await expect.element(messages).toHaveTextContent("2 were not taken back");
    await expect.element(messages).toHaveTextContent("Taken back. It waits again.");
    await vi.waitFor(() => expect(useQueue.getState().currentId).toBe("b"));
    expect(
      useApprovals
        .getState()
        .pending.map(({ id }) => id)
        .sort(),
    ).toEqual(["b", "z"]);
    expect(host.inputsOf("approvals.undo")).toEqual([{ ids: ["a"] }, { ids: ["b", "a", "c"] }]);
  });

  it("a rule that cannot be removed is told, and the approval is taken back all the same", async () => {
    const host = openConsole(
      { threads: [], approvals: [] },
      { "approvals.undo": ({ ids }) => ({ outcomes: ids.map(outcomeOf) }) },
    );
    await expect.element(page.getByRole("heading", { name: "Approvals", level: 1 })).toBeVisible();
    await undo({ ids: [idOf("a")], effectiveAt: 0, rule: Promise.resolve("rule-a" as RuleId) });
    await expect.element(messages).toHaveTextContent("Its rule could not be removed");
    expect(host.inputsOf("approvals.undo")).toEqual([{ ids: ["a"] }]);
  });

  it("a host that does not answer is told, and nothing is offered twice", async () => {
    openConsole({ threads: [], approvals: [] }, {});
    await expect.element(page.getByRole("heading", { name: "Approvals", level: 1 })).toBeVisible();
    const entry = { ids: [idOf("a")], effectiveAt: Date.now() + graceMs };
    addUndo(entry);
    await undo(entry);
    await expect.element(messages).toHaveTextContent("The decision did not arrive");
    expect(canUndo()).toBe(false);
  });

  it.each([
    [1_000, [500, 500]],
    [1_001, [500, 500, 1]],
  ])("asks for as many at a time as the host takes, of %i", async (count, parts) => {
    const host = openStores({ "approvals.undo": ({ ids }) => ({ outcomes: ids.map(outcomeOf) }) });
    const ids = Array.from({ length: count }, (_, at) => idOf(`m${at}`));
    await undo({ ids, effectiveAt: 0 });
    const asked = host.inputsOf("approvals.undo").map((input) => input.ids);
    expect(asked.map(({ length }) => length)).toEqual(parts);
    expect(asked.flat()).toEqual(ids);
  });

  it("takes back what is on its way before what has its answer, the last one first, and each once", () => {
    openStores();
    addUndo({ ids: [idOf("a")], effectiveAt: Date.now() + 1_000 });
    const ways = [beginWay(), beginWay()];
    const takenBack = () => ways.map((way) => way.takenBack);
    undoLast();
    expect(takenBack()).toEqual([false, true]);
    undoLast();
    expect([takenBack(), useUndo.getState().entries.length]).toEqual([[true, true], 1]);
    for (const way of ways) endWay(way);
    expect(canUndo()).toBe(true);
    const one = beginWay();
    endWay(one);
    undoLast();
    expect([one.takenBack, useUndo.getState().entries.length]).toEqual([false, 0]);
  });

  it("removes the rule that was made with it first, and no other rule", async () => {
    const host = openStores({
      "approvals.undo": ({ ids }) => ({ outcomes: ids.map(outcomeOf) }),
      "rules.remove": () => ({}),
    });
    const entries = ["a", "b"].map((id) => ({ ids: [idOf(id)], effectiveAt: Date.now() + 1_000 }));
    for (const entry of entries) addUndo(entry);
    bindRule(idOf("b"), Promise.resolve("rule-b" as RuleId));
    bindRule(idOf("gone"), Promise.resolve("rule-gone" as RuleId));
    await undo(entries[0]!);
    expect(host.calls.map(({ name }) => name)).toEqual(["approvals.undo"]);
    await undo(entries[1]!);
    expect(host.calls.slice(1)).toEqual([
      { name: "rules.remove", input: { id: "rule-b" } },
      { name: "approvals.undo", input: { ids: ["b"] } },
    ]);
  });
});
