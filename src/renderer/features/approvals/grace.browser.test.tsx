/** What waits before it starts, so that it can be taken back: what runs and is not trivial, and nothing else. */
import { expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { Decision } from "../../../shared/contract/decisions.ts";
import { openLiveQueue } from "../../testing/live-queue.ts";
import { pressOnceRead } from "../../testing/press-once-read.ts";
import { sampleApproval } from "../../testing/samples.ts";
import { isRead } from "../seen/read-gauge.ts";
import { decide } from "./decide.ts";
import { isArmed, useQueue } from "./queue-store.ts";
import { useUndo } from "./undo.ts";

/** Longer than any test: no Undo may go away under it. */
const graceMs = 600_000;
const approve: Decision = { type: "approve" };
const edit: Decision = { type: "edit", args: { command: "make other" } };

const card = (id: string, at: number, risk: string) =>
  sampleApproval(id, `make ${id}`, { requestedAt: at, risk });

async function atCard(approval: Approval): Promise<void> {
  const { id, digest } = approval;
  await vi.waitFor(() =>
    expect([useQueue.getState().currentId, isRead(id, digest), isArmed()]).toEqual([id, true, true]),
  );
}

it.each([
  ["approve", "medium", approve, graceMs],
  ["approve", "high", approve, graceMs],
  ["approve", "low", approve, 0],
  ["edit", "medium", edit, graceMs],
  ["edit", "low", edit, 0],
  ["reject", "medium", { type: "reject" } as Decision, 0],
  ["respond", "high", { type: "respond", answer: "done" } as Decision, 0],
])("%s of a card of %s risk", async (_what, risk, decision, expected) => {
  const approval = card("a", 1, risk);
  const queue = openLiveQueue([{ approval }, { approval: card("b", 2, "medium") }], { graceMs });
  await atCard(approval);
  expect(await decide(approval, decision, { by: "key" })).toBe(true);
  expect(queue.host.inputsOf("approvals.decide")).toMatchObject([{ graceMs: expected, decision }]);
  expect(useUndo.getState().entries.map(({ ids }) => ids)).toEqual(expected > 0 ? [["a"]] : []);
  expect(useQueue.getState().busy.size).toBe(0);
});

it.each([
  ["all of them trivial", ["low", "low"], 0],
  ["one that is not", ["low", "medium"], graceMs],
])("many at once, %s", async (_what, risks, expected) => {
  const approvals = risks.map((risk, at) => card(`c${at}`, at + 1, risk));
  const queue = openLiveQueue(
    approvals.map((approval) => ({ approval })),
    { graceMs },
  );
  await atCard(approvals[0] as Approval);
  await userEvent.keyboard("{Shift>}JY{/Shift}");
  await pressOnceRead(page.getByRole("dialog").getByRole("button", { name: "Approve 2" }));
  await vi.waitFor(() => expect(queue.decided).toHaveLength(2));
  expect(queue.host.inputsOf("approvals.decide")).toMatchObject([{ graceMs: expected }]);
});

it("with the grace off nothing waits", async () => {
  const approval = card("a", 1, "high");
  const queue = openLiveQueue([{ approval }], { graceMs: 0 });
  await atCard(approval);
  await decide(approval, approve, { by: "key" });
  expect(queue.host.inputsOf("approvals.decide")).toMatchObject([{ graceMs: 0 }]);
  expect(useUndo.getState().entries).toEqual([]);
});
