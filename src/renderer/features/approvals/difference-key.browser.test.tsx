/** The keys of a long subject: `v` shows a difference and never hides it, `e` folds and opens. */
import { expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { type Decided, openLiveQueue } from "../../testing/live-queue.ts";
import { mixedCard } from "../../testing/mixed-cards.ts";
import { region } from "../../testing/open-cards.ts";
import { isArmed, useQueue } from "./queue-store.ts";

const difference = region.getByRole("figure", { name: "Diff of src/c0.ts" });
const folded = () => useQueue.getState().folded.size;

async function open(): Promise<readonly Decided[]> {
  await page.viewport(1440, 900);
  const { decided } = openLiveQueue([mixedCard("c0", 4)]);
  await expect.element(difference).toBeVisible();
  return decided;
}

it("v never hides a difference, however often it is pressed", async () => {
  await open();
  await userEvent.keyboard("vvv");
  expect(folded()).toBe(0);
  await expect.element(difference).toBeVisible();
  await userEvent.keyboard("e");
  await expect.element(difference).not.toBeInTheDocument();
  await expect.element(region).toHaveTextContent("Its difference is folded away. Press v to see it.");
  await userEvent.keyboard("v");
  await expect.element(difference).toBeVisible();
  await userEvent.keyboard("v");
  expect(folded()).toBe(0);
});

it("what is folded away is not approved, and a press on it opens it", async () => {
  const decided = await open();
  await userEvent.keyboard("e");
  await vi.waitFor(() => expect([folded(), isArmed()]).toEqual([1, true]));
  await userEvent.keyboard("y");
  await expect.element(difference).toBeVisible();
  await expect.element(region).toHaveTextContent("Not all of it was on the screen yet.");
  expect(decided).toEqual([]);
});
