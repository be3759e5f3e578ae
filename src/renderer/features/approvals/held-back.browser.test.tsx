/** What comes while a person looks moves nothing: it waits above and is counted, or stands below all the others. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { type LiveQueue, openLiveQueue } from "../../testing/live-queue.ts";
import { sampleApproval } from "../../testing/samples.ts";
import { restoreCards, useQueue } from "./queue-store.ts";

const card = (at: number) => ({
  approval: sampleApproval(`c${at}`, `make part-${at}`, { requestedAt: at, shape: "" }),
});
const order = () => useQueue.getState().order;
const shows = (...places: number[]) =>
  vi.waitFor(() => expect(order()).toEqual(places.map((at) => `c${at}`)));
const held = (count: number) => page.getByRole("button", { name: `${count} new ↑` });

/** The pointer rests outside of the queue, where the console begins. */
beforeEach(async () => {
  await page.viewport(1440, 900);
});

async function open(...places: number[]): Promise<LiveQueue> {
  const queue = openLiveQueue(places.map(card));
  await shows(...places);
  await userEvent.hover(page.getByRole("navigation", { name: "Views" }));
  (document.activeElement as HTMLElement | null)?.blur();
  return queue;
}

const put = (queue: LiveQueue, ...places: number[]) => {
  for (const at of places) queue.put(card(at));
};

const looks = [
  ["the pointer is there", () => userEvent.hover(page.getByRole("grid"))],
  ["the focus is there", async () => (document.querySelector("[data-row]") as HTMLElement).focus()],
] as const;

describe.each(looks)("while %s", (_, look) => {
  it("one that belongs above or between waits and is counted, one below all comes at once", async () => {
    const queue = await open(10, 30);
    await look();
    put(queue, 40);
    await shows(10, 30, 40);
    put(queue, 20, 35, 5, 50);
    await shows(10, 30, 40, 50);
    await expect.element(held(3)).toBeVisible();
    // What stands below the last known one is known from then on, so that the next before it waits as well.
    put(queue, 45);
    await expect.element(held(4)).toBeVisible();
    await shows(10, 30, 40, 50);
    await held(4).click();
    await shows(5, 10, 20, 30, 35, 40, 45, 50);
    await expect.element(page.getByRole("button", { name: "new ↑" })).not.toBeInTheDocument();
  });

  it("those that leave let in only what stands below all the rest by then", async () => {
    const queue = await open(10, 30, 50);
    await look();
    put(queue, 20, 40);
    await expect.element(held(2)).toBeVisible();
    queue.withdraw("c50");
    await shows(10, 30, 40);
    await expect.element(held(1)).toBeVisible();
    queue.withdraw("c10");
    await shows(30, 40);
    await expect.element(held(1)).toBeVisible();
  });

  it("what was taken back is not new, wherever it stands", async () => {
    const queue = await open(10, 30);
    await look();
    restoreCards(["c20" as never], false);
    put(queue, 20, 25);
    await shows(10, 20, 30);
    await expect.element(held(1)).toBeVisible();
  });
});

describe("once nobody looks any more", () => {
  it("what waited comes in when the pointer has left", async () => {
    const queue = await open(10, 30);
    await userEvent.hover(page.getByRole("grid"));
    put(queue, 20);
    await expect.element(held(1)).toBeVisible();
    await userEvent.hover(page.getByRole("navigation", { name: "Views" }));
    await shows(10, 20, 30);
    await expect.element(page.getByRole("button", { name: "new ↑" })).not.toBeInTheDocument();
  });

  it("what waited comes in when the focus has left", async () => {
    const queue = await open(10, 30);
    (document.querySelector("[data-row]") as HTMLElement).focus();
    put(queue, 20);
    await expect.element(held(1)).toBeVisible();
    (document.activeElement as HTMLElement).blur();
    await shows(10, 20, 30);
  });

  it("what comes stands in its place at once", async () => {
    const queue = await open(10, 30);
    put(queue, 20, 5);
    await shows(5, 10, 20, 30);
  });
});
