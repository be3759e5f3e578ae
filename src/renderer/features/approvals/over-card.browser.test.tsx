/** Nothing of the console lies over a card's words; what else does, such as a menu, keeps them from counting as seen. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { coveredIn } from "../../testing/card-geometry.ts";
import { openLiveQueue } from "../../testing/live-queue.ts";
import { fortyCards } from "../../testing/mixed-cards.ts";
import { region } from "../../testing/open-cards.ts";
import { sampleApproval } from "../../testing/samples.ts";
import { followReading, isRead } from "../seen/read-gauge.ts";
import { setNote, useQueue } from "./queue-store.ts";
import { strings } from "./strings.ts";

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

/** Another text on the screen, free of everything: once it is read, there was time enough to look at all that is. */
function drawElsewhere(): void {
  const element = document.body.appendChild(document.createElement("div"));
  element.innerHTML = '<p data-piece="all" style="position:fixed;left:0;bottom:0;z-index:50">elsewhere</p>';
  const stop = followReading({ key: "elsewhere", digest: "one", element });
  onTestFinished(() => {
    stop();
    element.remove();
  });
}

it.each(panels)("under %s no line counts as seen before that is gone", async (_, button) => {
  await page.viewport(1100, 900);
  const text = (version: string) =>
    Array.from({ length: 5 }, (_, at) => `make ${version}-${at} ${"and all ".repeat(8)}`).join("\n");
  const card = (version: string) => ({
    approval: sampleApproval("a", text(version), { digest: version, allowedDecisions: ["approve"] }),
  });
  const queue = openLiveQueue([card("one")]);
  await vi.waitFor(() => expect(isRead("a", "one")).toBe(true));
  await button().click();
  await vi.waitFor(() => {
    const [subject] = cards().map((one) => one.querySelector("[data-subject]") as Element);
    expect(coveredIn(subject as Element).length).toBeGreaterThan(0);
  });
  queue.put(card("two"));
  await vi.waitFor(() => expect(cards()[0]?.textContent).toContain("make two-4"));
  drawElsewhere();
  await vi.waitFor(() => expect(isRead("elsewhere", "one")).toBe(true));
  expect(isRead("a", "two")).toBe(false);
  await userEvent.keyboard("{Escape}");
  await vi.waitFor(() => expect(isRead("a", "two")).toBe(true));
});
