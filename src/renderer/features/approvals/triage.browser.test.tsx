/** Rows beside one whole card: what is decided keeps its row while it can be taken back, and nothing else moves. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { ApprovalId } from "../../../shared/ids.ts";
import { openLiveQueue } from "../../testing/live-queue.ts";
import { fortyCards } from "../../testing/mixed-cards.ts";
import { region } from "../../testing/open-cards.ts";
import { pressOnceRead } from "../../testing/press-once-read.ts";
import { sampleApproval } from "../../testing/samples.ts";
import { isRead } from "../seen/read-gauge.ts";
import { isArmed, useQueue } from "./queue-store.ts";

const row = (id: string) => document.querySelector<HTMLElement>(`[data-queue-row="${id}"]`);
const decidedRow = (id: string) => document.querySelector<HTMLElement>(`[data-decided="${id}"]`);
const card = () => document.querySelector<HTMLElement>("[data-approval]");
const approve = () => region.getByRole("button", { name: "Approve", exact: true });
const placeOf = (element: Element) => {
  const { left, top } = element.getBoundingClientRect();
  return [left, top];
};

const commands = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    approval: sampleApproval(`c${at}`, `make part-${at}`, { requestedAt: at, shape: "make" }),
  }));

async function ready(id: string): Promise<void> {
  await vi.waitFor(() => expect(card()?.dataset.approval).toBe(id));
  await vi.waitFor(() => expect(isArmed() && isRead(id, `digest-${id}`)).toBe(true));
}

describe("beside the rows", () => {
  it("y brings the next card to the same place, and the decided row stays in its own with its undo", async () => {
    await page.viewport(1440, 900);
    const { decided } = openLiveQueue(commands(12));
    await ready("c0");
    await userEvent.keyboard("jjj");
    await ready("c3");
    const before = ["c3", "c4", "c11"].map((id) => placeOf(row(id) as Element));
    const button = placeOf(approve().element());
    await userEvent.keyboard("y");
    await vi.waitFor(() => expect(decidedRow("c3")?.textContent).toContain("Approved · starts in"));
    await ready("c4");
    expect([decidedRow("c3"), row("c4"), row("c11")].map((one) => placeOf(one as Element))).toEqual(before);
    expect(placeOf(approve().element())).toEqual(button);
    expect(document.activeElement).toBe(card());

    await region.getByRole("button", { name: "Undo" }).click();
    await vi.waitFor(() => expect(decidedRow("c3")).toBeNull());
    await ready("c3");
    expect(["c3", "c4", "c11"].map((id) => placeOf(row(id) as Element))).toEqual(before);
    expect(decided.map(({ approval }) => approval.id)).toEqual(["c3"]);
  });

  it("one undo stands where many were approved together, and brings all of them back", async () => {
    await page.viewport(1440, 900);
    openLiveQueue(commands(6));
    await ready("c0");
    await userEvent.keyboard("gu");
    await expect.element(region.getByRole("region", { name: "6 of the same form" })).toBeVisible();
    await vi.waitFor(() => expect(isArmed()).toBe(true));
    await userEvent.keyboard("y");
    const dialog = page.getByRole("dialog");
    await pressOnceRead(dialog.getByRole("button", { name: "Approve 6" }));
    await expect.element(region.getByRole("row", { name: /Approved · starts in/ })).toBeVisible();
    expect(region.getByRole("button", { name: "Undo" }).elements()).toHaveLength(1);
    await userEvent.keyboard("z");
    await expect.element(region.getByRole("row", { name: /6 alike/, selected: true })).toBeVisible();
  });

  it("who goes through the rows stays in them, and a decision leaves the focus on the next", async () => {
    await page.viewport(1440, 900);
    openLiveQueue(commands(4));
    await ready("c0");
    await userEvent.click(row("c1") as HTMLElement);
    await ready("c1");
    expect(document.activeElement).toBe(row("c1"));
    await userEvent.keyboard("j");
    await ready("c2");
    expect(document.activeElement).toBe(row("c2"));
    await userEvent.keyboard("y");
    await ready("c3");
    expect(document.activeElement).toBe(row("c3"));
  });

  it("the rows follow the current card, and each card begins at its beginning", async () => {
    await page.viewport(1440, 900);
    const long = Array.from({ length: 50 }, (_, at) => `make step-${at}`).join("\n");
    openLiveQueue(
      Array.from({ length: 60 }, (_, at) => ({
        approval: sampleApproval(`c${at}`, `make part-${at}\n${long}`, { requestedAt: at }),
      })),
    );
    const pane = () => document.querySelector("[data-card-scroll]") as HTMLElement;
    await vi.waitFor(() => expect(card()?.dataset.approval).toBe("c0"));
    for (const [keys, id] of [
      ["{Shift>}G{/Shift}", "c59"],
      ["k", "c58"],
      ["gg", "c0"],
      ["j", "c1"],
    ] as const) {
      await vi.waitFor(() => expect(pane().scrollHeight).toBeGreaterThan(pane().clientHeight + 100));
      pane().scrollTo(0, 1e6);
      await userEvent.keyboard(keys);
      await vi.waitFor(() => expect([card()?.dataset.approval, pane().scrollTop]).toEqual([id, 0]));
      await vi.waitFor(() => {
        const { top, bottom } = (row(id) as Element).getBoundingClientRect();
        const list = region.getByRole("grid").element().parentElement as Element;
        const room = list.getBoundingClientRect();
        expect(top >= room.top - 1 && bottom <= room.bottom + 1).toBe(true);
      });
    }
  });

  it("a card drawn anew while it is current keeps its place and the focus, and is to be read again before a key counts", async () => {
    await page.viewport(1440, 900);
    const drawn = (version: number) => ({
      approval: sampleApproval("c1", `make v${version}\n${"make part\n".repeat(50)}make end`, {
        digest: `digest-${version}`,
        requestedAt: 1,
      }),
    });
    const queue = openLiveQueue([...commands(1), drawn(1)]);
    await ready("c0");
    await userEvent.keyboard("j");
    await vi.waitFor(() => expect(card()?.dataset.approval).toBe("c1"));
    const readOn = async (digest: string) => {
      await vi.waitFor(async () => {
        await userEvent.keyboard(" ");
        expect(isArmed() && isRead("c1", digest)).toBe(true);
      });
    };
    await readOn("digest-1");
    const focused = document.activeElement;
    expect(region.element().contains(focused)).toBe(true);
    queue.put(drawn(2));
    await vi.waitFor(() => expect(card()?.textContent).toContain("make v2"));
    const gauge = region.getByRole("meter").element();
    expect([isArmed(), isRead("c1", "digest-2"), document.activeElement]).toEqual([false, false, focused]);
    await vi.waitFor(() => expect(Number(gauge.getAttribute("aria-valuenow"))).toBeLessThan(100));
    await vi.waitFor(() => expect(isArmed()).toBe(true));
    await userEvent.keyboard("y");
    expect(queue.decided).toEqual([]);
    await readOn("digest-2");
    await userEvent.keyboard("y");
    await vi.waitFor(() =>
      expect(queue.decided.map(({ approval }) => approval.digest)).toEqual(["digest-2"]),
    );
  });

  it("a row says risk, deed, thread and age by name, and which one is the current", async () => {
    await page.viewport(1440, 900);
    const beyond = [{ text: "npm publish", verdict: "ask", reason: "It publishes.", class: "leaves" }];
    openLiveQueue([
      {
        approval: sampleApproval("p", "npm publish", {
          risk: "high",
          verdict: { verdict: "ask", units: beyond },
          // Half a minute more, since the page's clock ticks every ten seconds.
          requestedAt: Date.now() - 9.5 * 60_000,
        }),
      },
      ...commands(1).map(({ approval }) => ({ approval: { ...approval, requestedAt: Date.now() } })),
    ]);
    const grid = region.getByRole("grid", { name: "2 approvals wait for you" });
    await expect
      .element(grid.getByRole("row", { selected: true }))
      .toHaveAccessibleName("high risk, Run npm publish, Thread t1, waits 9 min, Leaves this machine");
    await expect.element(grid.getByRole("row", { selected: false })).toBeVisible();
  });

  it("a row marks what leaves the machine, an address as well, and does not repeat the thread it stands under", async () => {
    await page.viewport(1440, 900);
    const subject = { kind: "url", url: "https://example.com/a" } as const;
    const units = [{ text: "git push", verdict: "new" as const, reason: "new", class: "leaves" as const }];
    const outward = { verdict: "new" as const, units };
    openLiveQueue([
      { approval: sampleApproval("u", subject.url, { tool: "fetch_url", subject, requestedAt: -1 }) },
      { approval: sampleApproval("p", "git push", { verdict: outward, requestedAt: 9 }) },
      ...commands(1),
    ]);
    await ready("u");
    const marks = (id: string) => row(id)?.querySelectorAll(".lucide-arrow-up-right").length;
    expect(["u", "c0", "p"].map(marks)).toEqual([1, 0, 1]);
    expect(row("u")?.textContent).toContain("Thread t1");
    useQueue.setState({ view: "thread" });
    await expect.element(region.getByText("Thread t1").first()).toBeVisible();
    await vi.waitFor(() => expect(row("u")?.textContent).not.toContain("Thread t1"));
    expect(row("u")?.getAttribute("aria-label")).toContain("Thread t1");
  });
});

describe("where one pane fits", () => {
  it("one card stands there with the same keys, and the list leads to another", async () => {
    await page.viewport(480, 800);
    const { decided } = openLiveQueue(commands(5));
    await ready("c0");
    await expect.element(region.getByText("1 of 5").first()).toBeVisible();
    expect(row("c0")).toBeNull();
    await userEvent.keyboard("l");
    await vi.waitFor(() => expect(row("c4")).not.toBeNull());
    expect(card()).toBeNull();
    // Nothing is decided of which only the row is to be seen.
    await vi.waitFor(() => expect(isArmed()).toBe(true));
    await userEvent.keyboard("y");
    await ready("c0");
    expect(decided).toEqual([]);
    await region.getByRole("button", { name: "List" }).click();
    await userEvent.click(row("c3") as HTMLElement);
    await ready("c3");
    expect(document.activeElement).toBe(card());
    await region.getByRole("button", { name: "Previous" }).click();
    await ready("c2");
    await userEvent.keyboard("y");
    await ready("c3");
    expect(decided.map(({ approval }) => approval.id)).toEqual(["c2"]);
  });

  it("Approve stays in view at twice the size, whatever the card is", async () => {
    await page.viewport(720, 450);
    openLiveQueue(fortyCards());
    await vi.waitFor(() => expect(card()?.dataset.approval).toBe("c0"));
    for (const { approval } of fortyCards().slice(0, 10)) {
      useQueue.setState({ currentId: approval.id as ApprovalId });
      await vi.waitFor(() => expect(card()?.dataset.approval).toBe(approval.id));
      const [first] = card()?.querySelectorAll("[data-decisions] button") ?? [];
      const { top, bottom } = (first as Element).getBoundingClientRect();
      expect([top >= 0, bottom <= innerHeight], approval.id).toEqual([true, true]);
    }
  });
});

it.each([
  ["gq", () => card()],
  ["gz", () => document.querySelector("main")],
  ["gt", () => document.querySelector("main ul [data-thread]")],
  ["gs", () => document.querySelector("main")],
])("%s gives the focus to what it leads to", async (keys, place) => {
  await page.viewport(1440, 900);
  openLiveQueue(commands(2), { hash: keys === "gq" ? "#/threads" : "#/queue" });
  const from = keys === "gq" ? page.getByRole("list", { name: "Threads" }) : region.getByRole("grid");
  await expect.element(from).toBeVisible();
  await userEvent.keyboard(keys);
  await vi.waitFor(() => expect([place(), document.activeElement]).toEqual([expect.anything(), place()]));
});

it("makes no row anew because time passed, but for what it says of its age", async () => {
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  await page.viewport(1440, 900);
  openLiveQueue([
    { approval: sampleApproval("a", "make a", { requestedAt: Date.now() }) },
    { approval: sampleApproval("b", "make b", { requestedAt: Date.now() }) },
  ]);
  const row = page.getByRole("row", { name: /make b/ });
  await expect.element(row).toHaveTextContent("just now");
  const { order } = useQueue.getState();
  vi.advanceTimersByTime(130_000);
  await expect.element(row).toHaveTextContent("2 min");
  expect(useQueue.getState().order).toBe(order);
});
