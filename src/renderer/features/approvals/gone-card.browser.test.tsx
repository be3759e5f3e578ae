/** A card that is decided or withdrawn elsewhere while a person is at it: they are told, and nothing of it goes to the next one. */
import { expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { openLiveQueue } from "../../testing/live-queue.ts";
import { sampleApproval } from "../../testing/samples.ts";
import { isArmed } from "./queue-store.ts";

const region = page.getByRole("region", { name: "Approvals" });
const cardOf = (command: string) => region.getByRole("article", { name: command });
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

it.each(deeds)("while it %s", async (what, begin) => {
  const queue = open();
  await expect.element(cardOf("make first")).toBeVisible();
  await userEvent.keyboard("gg");
  await vi.waitFor(() => expect(isArmed()).toBe(true));
  await begin();
  const writes = what !== "is looked at";
  if (writes) await vi.waitFor(() => expect(document.activeElement?.tagName).toBe("TEXTAREA"));
  if (writes) await userEvent.keyboard("why");
  queue.withdraw("first");
  await expect.element(cardOf("make first")).not.toBeInTheDocument();
  await expect.element(told()).toBeVisible();
  // The rest of what was being written.
  await userEvent.keyboard(writes ? "ny yny{Enter}" : "y");
  expect(queue.decided).toEqual([]);
  await expect.element(region.getByRole("textbox", { name: "Reason" })).not.toBeInTheDocument();
});

it("says nothing of a card that the person decided here", async () => {
  const queue = open();
  await expect.element(cardOf("make first")).toBeVisible();
  await userEvent.keyboard("gg");
  await vi.waitFor(() => expect(isArmed()).toBe(true));
  await userEvent.keyboard("y");
  await expect.element(cardOf("make first")).not.toBeInTheDocument();
  expect(queue.decided).toHaveLength(1);
  expect(told().query()).toBeNull();
});
