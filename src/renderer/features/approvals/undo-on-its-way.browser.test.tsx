/** Undo pressed before a decision has its answer takes back that decision, and no other. */
import { expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { openLiveQueue } from "../../testing/live-queue.ts";
import { region } from "../../testing/open-cards.ts";
import { pressOnceRead } from "../../testing/press-once-read.ts";
import { sampleApproval } from "../../testing/samples.ts";
import { isRead } from "../seen/read-gauge.ts";
import { isArmed, useQueue } from "./queue-store.ts";

function open(count: number, answer?: Promise<void>) {
  const cards = Array.from({ length: count }, (_, at) => ({
    approval: sampleApproval(`c${at}`, `make part-${at}`, { requestedAt: at + 1 }),
  }));
  return openLiveQueue(cards, { answer });
}

async function atCard(id: string): Promise<void> {
  await vi.waitFor(() =>
    expect([useQueue.getState().currentId, isRead(id, `digest-${id}`), isArmed()]).toEqual([id, true, true]),
  );
}

it("one after the other, the last one first", async () => {
  const answer = Promise.withResolvers<void>();
  const queue = open(3, answer.promise);
  await atCard("c0");
  await userEvent.keyboard("y");
  await atCard("c1");
  await userEvent.keyboard("y");
  await atCard("c2");
  await userEvent.keyboard("z");
  expect(queue.host.inputsOf("approvals.undo")).toEqual([]);
  answer.resolve();
  await vi.waitFor(() => expect(queue.host.inputsOf("approvals.undo")).toEqual([{ ids: ["c1"] }]));
  await atCard("c1");
  await userEvent.keyboard("z");
  await vi.waitFor(() =>
    expect(queue.host.inputsOf("approvals.undo")).toEqual([{ ids: ["c1"] }, { ids: ["c0"] }]),
  );
  await atCard("c0");
  expect(
    queue
      .pending()
      .map(({ id }) => id)
      .sort(),
  ).toEqual(["c0", "c1", "c2"]);
});

it("all of many that were decided together", async () => {
  const answer = Promise.withResolvers<void>();
  const queue = open(3, answer.promise);
  await atCard("c0");
  await userEvent.keyboard("{Shift>}JJY{/Shift}");
  await pressOnceRead(page.getByRole("dialog").getByRole("button", { name: "Approve 3" }));
  await vi.waitFor(() => expect(queue.decided).toHaveLength(3));
  await userEvent.keyboard("z");
  answer.resolve();
  await vi.waitFor(() => expect(queue.pending()).toHaveLength(3));
  expect(queue.host.inputsOf("approvals.undo")).toEqual([{ ids: ["c0", "c1", "c2"] }]);
  await expect.element(region.getByRole("article", { name: "make part-0" })).toBeVisible();
});
