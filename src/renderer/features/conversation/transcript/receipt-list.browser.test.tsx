/** The receipt at the end of auto-approve: each action it let pass, read only when it is opened, and the way to it. */
import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { ledgerEntrySchema } from "../../../../shared/contract/ledger.ts";
import { type TranscriptItem, transcriptItemSchema } from "../../../../shared/contract/transcript.ts";
import { openConsole } from "../../../testing/open-console.ts";
import { sampleThread } from "../../../testing/samples.ts";

const log = page.getByRole("log", { name: "Conversation" });

const entryOf = (itemId: string, position: number) =>
  ledgerEntrySchema.parse({
    id: position,
    at: 1,
    threadId: "t1",
    threadTitle: "",
    agentPath: [],
    tool: "execute",
    originalArgs: { command: `make ${itemId}` },
    cwd: "/",
    verdict: { verdict: "new", units: [] },
    decision: { type: "approve" },
    by: { kind: "auto-approve" },
    executionId: `e-${itemId}`,
    itemId,
    position,
    receipt: { executionId: `e-${itemId}`, exitCode: itemId === "c2" ? 2 : 0, durationMs: 500 },
  });

function callItem(id: string, position: number): TranscriptItem {
  return transcriptItemSchema.parse({
    id,
    kind: "toolCall",
    position,
    at: position,
    turnId: "turn",
    agentPath: [],
    toolCallId: id,
    tool: "execute",
    args: { command: `make ${id}` },
    state: "finished",
    outcome: "ok",
    decidedBy: { kind: "auto-approve" },
  });
}

async function openReceipt(itemIds: string[], known: string[]) {
  const host = openConsole(
    { threads: [sampleThread("t1", { status: "done" })], approvals: [] },
    {
      "approvals.ledgerOfCalls": ({ itemIds: asked }) => ({
        entries: asked.flatMap((id) => (known.includes(id) ? [entryOf(id, known.indexOf(id) + 1)] : [])),
      }),
    },
    "#/thread/t1",
  );
  const receipt = transcriptItemSchema.parse({
    // What is open is remembered by this id.
    id: `receipt of ${itemIds.length}`,
    kind: "notice",
    position: 900,
    at: 900,
    turnId: "",
    level: "info",
    text: `Auto-approve is off: you turned it off. It let ${itemIds.length} actions pass for you.`,
    items: itemIds,
  });
  const first = {
    kind: "page" as const,
    items: [callItem("c1", 1), callItem("c2", 2), receipt],
    hasMore: false,
    seq: 900,
    live: [],
  };
  // The conversation is loaded only now, with all that draws it.
  await vi.waitFor(() => expect(host.push("threads.watch", first)).toBeGreaterThan(0));
  return host;
}

it("reads nothing until it is opened, then names each action and what came of it", async () => {
  const host = await openReceipt(["c1", "c2", "c3"], ["c1", "c2"]);
  const summary = log.getByText("What the 3 were");
  await expect.element(summary).toBeVisible();
  expect(host.inputsOf("approvals.ledgerOfCalls")).toEqual([]);
  await summary.click();
  const rows = log.getByRole("list", { name: "What the 3 were" }).getByRole("listitem");
  await expect.element(rows.nth(0)).toHaveTextContent("make c1exit code 0 · 0.5 s");
  await expect.element(rows.nth(1)).toHaveTextContent("make c2exit code 2 · 0.5 s");
  await expect.element(rows.nth(2)).toHaveTextContent("An actionnot in the record of this thread");
  await rows.nth(0).getByRole("button", { name: "make c1" }).click();
  await vi.waitFor(() => {
    const box = (log.element() as HTMLElement).getBoundingClientRect();
    const card = log.getByRole("article", { name: "Run make c1" }).element().getBoundingClientRect();
    expect(card.top).toBeGreaterThanOrEqual(box.top - 1);
    expect(card.bottom).toBeLessThanOrEqual(box.bottom + 1);
  });
});

it("shows many in parts", async () => {
  const ids = Array.from({ length: 120 }, (_, index) => `c${index + 1}`);
  const host = await openReceipt(ids, ids);
  await log.getByText("What the 120 were").click();
  const rows = log.getByRole("list", { name: "What the 120 were" }).getByRole("listitem");
  await vi.waitFor(() => expect(rows.elements()).toHaveLength(50));
  await log.getByRole("button", { name: "Show 50 more" }).click();
  await vi.waitFor(() => expect(rows.elements()).toHaveLength(100));
  expect(host.inputsOf("approvals.ledgerOfCalls").at(-1)?.itemIds).toHaveLength(100);
});
