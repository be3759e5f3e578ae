/** What a person looks at stays where it is while cards come and go, as counted by the browser's own measure of layout shifts. */
import { expect, it, onTestFinished, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { openLiveQueue } from "../../testing/live-queue.ts";
import { mixedCard } from "../../testing/mixed-cards.ts";
import { sampleApproval } from "../../testing/samples.ts";
import { isArmed } from "./queue-store.ts";

type Shift = PerformanceEntry & {
  value: number;
  sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
};

/** The words with which a decided row says that it can be taken back stand where its own words stood. */
const isOfDecided = (node: Node | null) =>
  /starts in|Answered|Rejected|On its way/.test(node?.textContent ?? "");

function isInQueue(node: Node | null): boolean {
  const element = node instanceof Element ? node : node?.parentElement;
  return element?.closest("[data-queue]") != null;
}

/** Counts from now on what moves in the approvals. @returns what moved, by its words and by how far. */
async function countShifts(): Promise<() => Promise<string[]>> {
  const moved: string[] = [];
  const take = (entries: PerformanceEntryList) => {
    for (const { sources } of entries as Shift[])
      for (const { node, previousRect: from, currentRect: to } of sources)
        if (isInQueue(node) && !isOfDecided(node))
          moved.push(`${node?.textContent?.slice(0, 40)} ${to.x - from.x},${to.y - from.y}`);
  };
  const observer = new PerformanceObserver((list) => take(list.getEntries()));
  observer.observe({ type: "layout-shift" });
  onTestFinished(() => observer.disconnect());
  return async () => {
    // Shifts are told of once the frame in which they happened was painted.
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    take(observer.takeRecords());
    return moved;
  };
}

const script = Array.from({ length: 13 }, (_, at) => `make part-${at}`);
const noted = (id: string, requestedAt: number) => ({
  approval: sampleApproval(id, script.join("\n"), {
    requestedAt,
    verdict: {
      verdict: "ask",
      units: [2, 3, 11].map((line) => ({
        text: script[line],
        at: script.slice(0, line).join("\n").length + 1,
        verdict: "ask",
        reason: `Reason of line ${line}, which is told at such a length that it takes several lines beside it.`,
      })),
    },
  }),
});

it.each([
  ["wide", 1440, 900],
  ["narrow", 480, 800],
] as const)(
  "deciding moves nothing in a %s window, beside notes and while more comes",
  async (_, width, height) => {
    await page.viewport(width, height);
    const { decided, put } = openLiveQueue([
      noted("n1", 1),
      ...[1, 2, 8].map((index) => mixedCard(`c${index}`, index)),
      noted("n2", 9_000),
    ]);
    await expect.element(page.getByRole("article", { name: /^make part-0/ })).toBeVisible();
    await vi.waitFor(() => expect(isArmed()).toBe(true));
    await Promise.all(
      ["13px 'Inter Variable'", "13px 'JetBrains Mono Variable'"].map((font) => document.fonts.load(font)),
    );
    const shifts = await countShifts();
    for (let count = 1; count <= 5; count += 1) {
      put(mixedCard(`later${count}`, 0, 1, { requestedAt: 20_000 + count }));
      await vi.waitFor(async () => {
        // A press that comes too early, or before the end was seen, leads on and decides nothing.
        await userEvent.keyboard("y");
        expect(decided).toHaveLength(count);
      });
    }
    expect(decided.map(({ approval }) => approval.id)).toEqual(["n1", "c1", "c2", "c8", "n2"]);
    expect(await shifts()).toEqual([]);
  },
);

it("an answer, a rejection and what starts at once leave every row where it was", async () => {
  await page.viewport(1440, 900);
  const command = (id: string, change = {}) => ({
    approval: sampleApproval(id, `make ${id}`, { requestedAt: 10, ...change }),
  });
  const { decided } = openLiveQueue([
    mixedCard("c6", 6, 1, { requestedAt: 1 }),
    command("no"),
    command("low", { risk: "low", requestedAt: 20 }),
    command("last", { requestedAt: 30 }),
  ]);
  const top = () => document.querySelector('[data-queue-row="last"]')?.getBoundingClientRect().top;
  await expect.element(page.getByRole("row", { name: /make last/ })).toBeVisible();
  await vi.waitFor(() => expect(isArmed()).toBe(true));
  const before = top();
  const objectLeft = (name: RegExp) =>
    page.getByRole("row", { name }).getByRole("gridcell").nth(2).element().getBoundingClientRect().left;
  const left = objectLeft(/make last/);
  for (const [count, keys, said] of [
    [1, ["1", "{Enter}"], "Answered"],
    [2, ["n", "{Enter}"], "Rejected"],
    [3, ["y"], "Approved"],
  ] as const) {
    await vi.waitFor(() => expect(isArmed()).toBe(true));
    for (const key of keys) {
      const focused = document.activeElement;
      await userEvent.keyboard(key);
      // What the first of two keys leads to has the focus before the second is pressed.
      if (keys.length > 1 && key !== "{Enter}")
        await vi.waitFor(() => expect(document.activeElement).not.toBe(focused));
    }
    await vi.waitFor(() => expect(decided).toHaveLength(count));
    await expect.element(page.getByRole("row", { name: new RegExp(said) })).toBeVisible();
    expect(top()).toBe(before);
    expect(objectLeft(new RegExp(said))).toBe(left);
  }
});
