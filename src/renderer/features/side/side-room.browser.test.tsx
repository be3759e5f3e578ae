/** Where the side panel stands when the window has no room for all: never over what is to be decided, unless one pane fits. */
import { expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { go } from "../../base/navigation.ts";
import { coveredIn } from "../../testing/card-geometry.ts";
import { openLiveQueue } from "../../testing/live-queue.ts";
import { armed, region } from "../../testing/open-cards.ts";
import { lastPosition, sampleApproval } from "../../testing/samples.ts";

const panel = page.getByRole("complementary", { name: "Plan, files and terminals" });
const threads = page.getByRole("complementary", { name: "Threads and what waits" });
const decisions = () => region.getByRole("group", { name: "Decisions" }).element();

async function openWithPanel(width: number, height: number) {
  await page.viewport(width, height);
  const queue = openLiveQueue([{ approval: sampleApproval("a", "npm publish") }], { hash: "#/thread/t1" });
  const first = { kind: "page" as const, items: [], hasMore: false, seq: lastPosition(), live: [] };
  await vi.waitFor(() => expect(queue.host.push("threads.watch", first)).toBeGreaterThan(0));
  await expect.element(region.getByRole("article", { name: "npm publish" })).toBeVisible();
  await page.getByRole("button", { name: "Plan, files and terminals" }).click();
  await expect.element(panel).toBeVisible();
  return queue;
}

it.each([1179, 1024, 900])(
  "takes the place of the threads at %i pixels, and gives it back",
  async (width) => {
    await openWithPanel(width, 720);
    await expect.element(threads).not.toBeInTheDocument();
    const message = page.getByRole("textbox", { name: "Message" }).element();
    expect([...coveredIn(decisions()), ...coveredIn(message)]).toEqual([]);
    expect(panel.element().getBoundingClientRect().left).toBeGreaterThan(
      decisions().getBoundingClientRect().right,
    );
    await panel.getByRole("button", { name: "Close" }).click();
    await expect.element(threads).toBeVisible();
  },
);

it("lies over the conversation where one pane fits, and goes when a key is pressed for what it covers", async () => {
  const queue = await openWithPanel(480, 800);
  expect(coveredIn(decisions()).length).toBeGreaterThan(0);
  await armed();
  await userEvent.keyboard("y");
  await expect.element(panel).not.toBeInTheDocument();
  expect([queue.decided, coveredIn(decisions())]).toEqual([[], []]);
  await vi.waitFor(async () => {
    await userEvent.keyboard("y");
    expect(queue.decided).toHaveLength(1);
  });
});

it("does not lie over the next thread, which nobody asked it for", async () => {
  await openWithPanel(480, 800);
  go({ view: "thread", id: "t2" });
  await expect.element(page.getByRole("heading", { name: "Thread t2", level: 1 })).toBeVisible();
  await expect.element(panel).not.toBeInTheDocument();
});
