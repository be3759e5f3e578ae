/** One undo for what was approved together, where its row is or in the line at the bottom, and the shape of the worst. */
import { expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { openLiveQueue } from "../../testing/live-queue.ts";
import { armed, region } from "../../testing/open-cards.ts";
import { pressOnceRead } from "../../testing/press-once-read.ts";
import { sampleApproval } from "../../testing/samples.ts";
import { smallTargets } from "../../testing/small-targets.ts";
import { useQueue } from "./queue-store.ts";

const undoButtons = () => page.getByRole("button", { name: "Undo" }).elements();
const commands = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    approval: sampleApproval(`c${at}`, `make part-${at}`, { requestedAt: at, shape: "make" }),
  }));
const current = () => page.getByRole("row", { selected: true });

it("several rows that were approved together have one undo among them, and the line at the bottom has none", async () => {
  await page.viewport(1440, 900);
  openLiveQueue(commands(4));
  await expect.element(current()).toBeVisible();
  await armed();
  await userEvent.keyboard("xjx");
  await expect.element(region.getByText("2 selected")).toBeVisible();
  await userEvent.keyboard("{Shift>}y{/Shift}");
  await pressOnceRead(page.getByRole("dialog").getByRole("button", { name: "Approve 2" }));
  await vi.waitFor(() => expect(document.querySelectorAll("[data-decided]")).toHaveLength(2));
  await vi.waitFor(() => expect(undoButtons()).toHaveLength(1));
  expect(undoButtons()[0]?.closest("[data-decided]")).not.toBeNull();
});

it("where no row is drawn the line at the bottom has the undo, as large as what a hand hits", async () => {
  await page.viewport(480, 800);
  openLiveQueue(commands(2));
  await expect.element(region.getByRole("article")).toBeVisible();
  await armed();
  await vi.waitFor(async () => {
    await userEvent.keyboard("y");
    expect(undoButtons()).toHaveLength(1);
  });
  expect(undoButtons()[0]?.closest("footer")).not.toBeNull();
  expect(smallTargets()).toEqual([]);
});

it("what is of high risk has the shape of that, also where it is a question", async () => {
  await page.viewport(1440, 900);
  const question = { kind: "question", question: "Go on?", wants: "text" } as const;
  const asks = (id: string, change: object) => ({
    approval: sampleApproval(id, "", {
      kind: "interrupt",
      subject: question,
      allowedDecisions: ["respond"],
      ...change,
    }),
  });
  openLiveQueue([
    asks("plain", { requestedAt: 1, risk: "medium" }),
    asks("risky", { requestedAt: 2, risk: "high" }),
    { approval: sampleApproval("command", "rm -rf gone", { requestedAt: 3, risk: "high" }) },
  ]);
  await expect.element(current()).toBeVisible();
  const shapeOf = (id: string) => document.querySelector(`[data-queue-row="${id}"] svg`)?.innerHTML;
  await vi.waitFor(() => expect(useQueue.getState().order).toHaveLength(3));
  expect(shapeOf("risky")).toBe(shapeOf("command"));
  expect(shapeOf("plain")).not.toBe(shapeOf("risky"));
});
