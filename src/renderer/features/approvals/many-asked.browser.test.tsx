/** The question before many are decided at once: every effect is listed, the sums agree, and Cancel has the focus. */
import { expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { ApprovalId } from "../../../shared/ids.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { type LiveQueue, openLiveQueue } from "../../testing/live-queue.ts";
import { pressOnceRead, pressToTheEnd } from "../../testing/press-once-read.ts";
import { sampleApproval } from "../../testing/samples.ts";
import { askBulk } from "./ask-bulk.ts";
import { decideMany } from "./decide.ts";
import { useQueue } from "./queue-store.ts";

const dialog = page.getByRole("dialog");
const listed = dialog.getByRole("list", { name: "What is decided" });
const linesOf = (list: typeof listed) =>
  list
    .getByRole("listitem")
    .elements()
    .map((one) => one.textContent);

const file = (id: string, at: number, change: Record<string, unknown> = {}) =>
  sampleApproval(id, "", {
    tool: "edit_file",
    requestedAt: at,
    subject: {
      kind: "file",
      operation: "edit",
      path: `${id}.ts`,
      added: 3,
      removed: 2,
      stale: false,
      ...change,
    },
  });

/** Of every risk, of other threads and folders, and some that are never decided with others. */
const mixed = (): Approval[] => [
  sampleApproval("low", "make low", { requestedAt: 1, risk: "low", workspace: "/home/ada/docs" }),
  sampleApproval("one", "make one", { requestedAt: 2, threadTitle: "Another thread" }),
  sampleApproval("two", "make two", { requestedAt: 3 }),
  sampleApproval("red", "rm -rf build", { requestedAt: 4, risk: "high" }),
  sampleApproval("asks", "", {
    requestedAt: 5,
    kind: "interrupt",
    subject: { kind: "question", question: "Which?", wants: "text" },
    allowedDecisions: ["respond"],
  }),
  file("unseen", 6),
];

async function ask(verb: "approve" | "reject", approvals = mixed()): Promise<LiveQueue> {
  await page.viewport(1440, 900);
  const queue = openLiveQueue(approvals.map((approval) => ({ approval })));
  await vi.waitFor(() => expect(useApprovals.getState().pending).toHaveLength(approvals.length));
  askBulk(
    verb,
    approvals.map(({ id }) => id),
  );
  await expect.element(dialog).toBeVisible();
  return queue;
}

it("lists each that is approved, with its risk, thread and folder, and each that stays, with the reason", async () => {
  const queue = await ask("approve");
  await expect.element(dialog.getByRole("heading", { name: "Approve 3?" })).toBeVisible();
  await expect.element(dialog).toHaveTextContent("1 low, 2 medium risk.");
  expect(linesOf(listed)).toEqual([
    "make lowlow risk · Thread t1 · in ~/docs",
    "make onemedium risk · Another thread · in ~/shop",
    "make twomedium risk · Thread t1 · in ~/shop",
  ]);
  const stay = dialog.getByRole("region", { name: "3 stay" });
  expect(linesOf(stay)).toEqual([
    "rm -rf buildhigh risk · Thread t1 · in ~/shopHigh risk: decide it by itself.",
    "Which?medium risk · Thread t1 · in ~/shopIt takes another kind of answer.",
    "edit unseen.ts+3 −2medium risk · Thread t1 · in ~/shopIts card was not on the screen to its end.",
  ]);
  await expect.element(dialog.getByRole("button", { name: "Cancel" })).toHaveFocus();
  await pressOnceRead(dialog.getByRole("button", { name: "Approve 3" }));
  await vi.waitFor(() =>
    expect(queue.decided.map(({ approval, type }) => [approval.id, type])).toEqual([
      ["low", "approve"],
      ["one", "approve"],
      ["two", "approve"],
    ]),
  );
});

it("lists each that is rejected, also what is never approved with others", async () => {
  await ask("reject");
  await expect.element(dialog.getByRole("heading", { name: "Reject 5?" })).toBeVisible();
  await expect.element(dialog).toHaveTextContent("1 low, 3 medium, 1 high risk.");
  expect(linesOf(listed)).toHaveLength(5);
  expect(linesOf(dialog.getByRole("region", { name: "1 stays" }))).toHaveLength(1);
  await expect.element(dialog.getByRole("button", { name: "Cancel" })).toHaveFocus();
});

it.each(["{Enter}", "{Escape}", " "])("%s decides nothing and closes the question", async (key) => {
  const queue = await ask("approve");
  await expect.element(dialog.getByRole("button", { name: "Cancel" })).toHaveFocus();
  await userEvent.keyboard(key);
  await expect.element(dialog).not.toBeInTheDocument();
  expect([queue.decided, useQueue.getState().bulk]).toEqual([[], undefined]);
});

it("is said anew when one of them leaves or is drawn anew, and is looked at again", async () => {
  const queue = await ask("approve");
  const go = (count: number) => dialog.getByRole("button", { name: `Approve ${count}` });
  await expect.element(go(3)).not.toHaveAttribute("data-locked");
  queue.withdraw("one");
  await expect.element(dialog).toHaveTextContent("1 low, 1 medium risk.");
  // Locked until a press is meant for what it says now: the first one after that counts.
  await vi.waitFor(() => expect(go(2).element()).not.toHaveAttribute("data-locked"), { interval: 5 });
  (go(2).element() as HTMLElement).click();
  await vi.waitFor(() => expect(queue.decided.map(({ approval }) => approval.id)).toEqual(["low", "two"]));
});

it("lists a command whole, however long it is", async () => {
  const command = `make ${"part ".repeat(400)}end`;
  await ask("approve", [sampleApproval("long", command, { requestedAt: 1 })]);
  expect(linesOf(listed)).toEqual([`${command}medium risk · Thread t1 · in ~/shop`]);
});

it("offers nothing where nothing can be decided with others", async () => {
  await ask("approve", mixed().slice(3));
  await expect.element(dialog.getByRole("button", { name: "Approve 0" })).toBeDisabled();
  await expect.element(dialog).not.toHaveTextContent("Look at the list to its end.");
});

it("a list longer than the window is locked until it was looked at to its end", async () => {
  const many = Array.from({ length: 60 }, (_, at) =>
    sampleApproval(`m${at}`, `make m${at}`, { requestedAt: at }),
  );
  const queue = await ask("approve", many);
  const go = dialog.getByRole("button", { name: "Approve 60" });
  expect(linesOf(listed)).toHaveLength(60);
  // Not the list, which a person could scroll by keys as well.
  await expect.element(dialog.getByRole("button", { name: "Cancel" })).toHaveFocus();
  await expect.element(dialog).toHaveTextContent("Look at the list to its end.");
  await expect.element(go).toHaveAttribute("data-locked");
  await pressToTheEnd(go);
  await vi.waitFor(() => expect(queue.decided).toHaveLength(60));
});

it("says how many could be decided no more when it was sent, and decides the others", async () => {
  const approvals = mixed().slice(0, 3);
  const queue = await ask("approve", approvals);
  const go = dialog.getByRole("button", { name: "Approve 3" });
  await expect.element(go).not.toHaveAttribute("data-locked");
  // Between its leaving and the next drawing.
  useApprovals.getState().change([], ["one" as ApprovalId]);
  await decideMany(approvals, { type: "approve" });
  await expect.element(page.getByText("1 changed meanwhile and stays.").first()).toBeVisible();
  expect(queue.decided.map(({ approval }) => approval.id)).toEqual(["low", "two"]);
});
