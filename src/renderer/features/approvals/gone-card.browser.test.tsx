/** A card that is decided or withdrawn elsewhere while a person is at it: they are told, and nothing of it goes to the next one. */
import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { type HandClock, stopClock } from "../../testing/hand-clock.ts";
import { openLiveQueue } from "../../testing/live-queue.ts";
import { cardOf, region } from "../../testing/open-cards.ts";
import { sampleApproval } from "../../testing/samples.ts";
import { isRead } from "../seen/read-gauge.ts";
import { armingMs } from "./queue-store.ts";

const told = () => page.getByRole("dialog").filter({ hasText: "That card does not wait any more." }).first();

function open() {
  const card = (id: string, at: number) => ({
    approval: sampleApproval(id, `make ${id}`, { requestedAt: at }),
  });
  return openLiveQueue([card("first", 1), card("second", 2)]);
}

const deeds = [
  ["is looked at", async () => undefined],
  ["has its reason half written", async () => userEvent.keyboard("n")],
  ["is being changed", async () => userEvent.keyboard("c")],
  ["is being answered", async () => userEvent.keyboard("r")],
] as const;

/** Once the card was read and takes keys. */
async function atCard(clock: HandClock, id: string): Promise<void> {
  await expect.element(cardOf(`make ${id}`)).toBeVisible();
  await expect.poll(() => isRead(id, `digest-${id}`)).toBe(true);
  clock.goOn(armingMs);
}

it.each(deeds)("while it %s", async (what, begin) => {
  const clock = stopClock();
  const queue = open();
  await userEvent.keyboard("gg");
  await atCard(clock, "first");
  await begin();
  const writes = what !== "is looked at";
  if (writes) await expect.poll(() => document.activeElement?.tagName).toBe("TEXTAREA");
  if (writes) await userEvent.keyboard("why");
  queue.withdraw("first");
  await expect.element(cardOf("make first")).not.toBeInTheDocument();
  await expect.element(told()).toBeVisible();
  // Nothing but that it was being written a moment ago keeps the rest of it from the next card.
  if (writes) await atCard(clock, "second");
  await userEvent.keyboard(writes ? "ny yny{Enter}" : "y");
  expect(queue.decided).toEqual([]);
  await expect.element(region.getByRole("textbox", { name: "Reason" })).not.toBeInTheDocument();
  await atCard(clock, "second");
  clock.goOn(2_000);
  await userEvent.keyboard("y");
  await expect.poll(() => queue.decided).toMatchObject([{ approval: { id: "second" }, type: "approve" }]);
});

it("says nothing of a card that the person decided here", async () => {
  const clock = stopClock();
  const queue = open();
  await userEvent.keyboard("gg");
  await atCard(clock, "first");
  await userEvent.keyboard("y");
  await expect.element(cardOf("make first")).not.toBeInTheDocument();
  expect(queue.decided).toHaveLength(1);
  expect(told().query()).toBeNull();
});
