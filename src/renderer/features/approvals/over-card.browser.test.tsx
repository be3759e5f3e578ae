/** Nothing of the console lies over a card's words; what else does, such as a menu, keeps them from counting as seen. */
import { describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { coveredIn } from "../../testing/card-geometry.ts";
import { openLiveQueue } from "../../testing/live-queue.ts";
import { fortyCards } from "../../testing/mixed-cards.ts";
import { sampleApproval } from "../../testing/samples.ts";
import { setNote, useQueue } from "./queue-store.ts";
import { isRead } from "./read-gauge.ts";
import { strings } from "./strings.ts";

const region = page.getByRole("region", { name: "Approvals" });
const cards = () => [...document.querySelectorAll("[data-approval]")];
const status = () => document.querySelector<HTMLElement>("[data-queue] [role=status]");

const sizes = [
  [1440, 900, "#/queue"],
  [1024, 720, "#/queue"],
  [480, 800, "#/queue"],
  [1280, 800, "#/thread/t1"],
] as const;

/** Everything that a row can say of the last press. */
const says = [
  ...Object.values(strings.notes).map((text) => [text, (id: string) => setNote(id, text)] as const),
  [strings.keepHolding, (id: string) => useQueue.setState({ holding: id as never })] as const,
  [strings.pressAgain, (id: string) => useQueue.setState({ confirming: id as never })] as const,
];

describe.each(sizes)("at %i x %i, %s", (width, height, hash) => {
  it("what a press says has its own place, whole, and moves nothing", async () => {
    await page.viewport(width, height);
    openLiveQueue(fortyCards().slice(0, 6), { hash });
    await expect.element(region.getByRole("article").first()).toBeVisible();
    await document.fonts.ready;
    const [first] = cards();
    const id = (first as HTMLElement).dataset.approval ?? "";
    const list = first?.closest("[data-scroll]");
    const stands = () => [list?.clientHeight, first?.getBoundingClientRect().top, first?.clientHeight];
    const before = stands();
    for (const [text, say] of says) {
      useQueue.setState({ note: undefined, holding: undefined, confirming: undefined });
      say(id);
      await vi.waitFor(() => expect(status()?.textContent).toBe(text));
      const { bottom, right } = (status() as HTMLElement).getBoundingClientRect();
      const place = ((status() as HTMLElement).parentElement as HTMLElement).getBoundingClientRect();
      expect([bottom <= place.bottom, right <= place.right], text).toEqual([true, true]);
      expect(cards().flatMap(coveredIn), text).toEqual([]);
      expect(stands(), text).toEqual(before);
    }
  });
});

const panels = [
  ["the filters", () => region.getByRole("button", { name: "Filter" })],
  ["a card's menu", () => region.getByRole("button", { name: "More" }).first()],
] as const;

it.each(panels)("under %s no line counts as seen before that is gone", async (_, button) => {
  await page.viewport(800, 900);
  const long = (version: string) =>
    Array.from({ length: 5 }, (_, at) => `make ${version}-${at} ${"and all ".repeat(8)}`);
  const card = (id: string, version: string) => ({
    approval: sampleApproval(id, long(version).join("\n"), {
      digest: version,
      requestedAt: id === "a" ? 1 : 2,
      allowedDecisions: ["approve"],
    }),
  });
  const queue = openLiveQueue([card("a", "one"), card("b", "one")]);
  await vi.waitFor(() => expect(isRead("a", "one") && isRead("b", "one")).toBe(true));
  await button().click();
  await vi.waitFor(() => expect(cards().flatMap(coveredIn).length).toBeGreaterThan(0));
  const under = cards().map((one) => coveredIn(one.querySelector("[data-subject]") as Element).length > 0);
  expect(under).toContain(true);
  for (const id of ["a", "b"]) queue.put(card(id, "two"));
  const ids = ["a", "b"].filter((_, index) => under[index]);
  const clear = ["a", "b"].filter((_, index) => !under[index]);
  // The other one tells that there was time enough to look at both.
  await vi.waitFor(() => expect(clear.every((id) => isRead(id, "two"))).toBe(true));
  expect(ids.map((id) => isRead(id, "two"))).toEqual(ids.map(() => false));
  await userEvent.keyboard("{Escape}");
  await vi.waitFor(() => expect(ids.every((id) => isRead(id, "two"))).toBe(true));
});
