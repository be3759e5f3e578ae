/** The record of decisions: what a person reads there, where it leads, and how it leaves the app. */
import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { Approval } from "../../../shared/contract/approvals.ts";
import { type LedgerEntry, ledgerEntrySchema } from "../../../shared/contract/ledger.ts";
import { openConsole } from "../../testing/open-console.ts";
import { sampleApproval, sampleThread } from "../../testing/samples.ts";
import { smallTargets } from "../../testing/small-targets.ts";

const entry: LedgerEntry = ledgerEntrySchema.parse({
  id: 1,
  at: 1,
  threadId: "t1",
  threadTitle: "Fix the build",
  agentPath: ["tester"],
  tool: "execute",
  originalArgs: { command: "npm tset" },
  finalArgs: { command: "npm test" },
  cwd: "/home/ada/shop",
  verdict: {
    verdict: "covered",
    units: [{ text: "npm test", verdict: "covered", reason: "A rule covers it.", rule: "npm test" }],
  },
  decision: { type: "edit", args: { command: "npm test" } },
  by: { kind: "rule", ruleIds: ["rule-7"] },
  executionId: "e1",
  itemId: "item-1",
  position: 4,
  receipt: { executionId: "e1", exitCode: 0, durationMs: 1_200 },
});

async function openLedger(entries = [entry], approvals: Approval[] = []) {
  const host = openConsole(
    { threads: [sampleThread("t1")], approvals },
    {
      "approvals.ledger": ({ query }) => ({ entries: query ? [] : entries, hasMore: false }),
      "approvals.exportLedger": () => ({ path: "/home/ada/ledger.jsonl" }),
    },
  );
  await page.getByRole("button", { name: "Decided" }).click();
  return host;
}

it("says who, what, where, why and what came of it, and leads to the call", async () => {
  await openLedger();
  const row = page.getByRole("list", { name: "Decided" }).getByRole("listitem");
  for (const text of [
    "Changed and approved",
    "rule",
    "tester",
    "npm test",
    "npm tset",
    "exit code 0",
    "1.2 s",
  ])
    await expect.element(row).toHaveTextContent(text);
  expect(smallTargets()).toEqual([]);
  await row.getByText("Folder, reasons and arguments").click();
  for (const text of ["~/shop", "rule-7", "A rule covers it."])
    await expect.element(row).toHaveTextContent(text);
  await row.getByRole("button", { name: "Show in the conversation" }).click();
  expect(location.hash).toBe("#/thread/t1");
});

it("is searched by the host and exported to a file that is named", async () => {
  const host = await openLedger();
  await page.getByRole("button", { name: "Export as JSONL" }).click();
  await expect.element(page.getByText("Written to /home/ada/ledger.jsonl")).toBeVisible();
  await page.getByRole("searchbox", { name: "Search decisions" }).fill("windmill");
  await expect.element(page.getByText("Nothing matches these filters.")).toBeVisible();
  expect(host.inputsOf("approvals.ledger").at(-1)).toMatchObject({ query: "windmill" });
});

it("says of what a person decided whether they saw all of it, and lists only those that are asked for", async () => {
  const person = { by: { kind: "person" as const }, decision: { type: "approve" as const } };
  const seen = [
    { inFull: true, ms: 12_000 },
    { inFull: false, ms: 0 },
    { inFull: true, ms: 4_200, among: 12 },
    undefined,
  ];
  const host = await openLedger([
    ...seen.map((one, at) => ({ ...entry, ...person, id: 10 + at, seen: one })),
    entry,
  ]);
  const rows = page.getByRole("list", { name: "Decided" }).getByRole("listitem");
  await expect
    .element(rows.first())
    .toHaveTextContent("Approvedby you · seen in full · on the screen for 12 s");
  await expect.element(rows.nth(1)).toHaveTextContent("you · not seen in full · never on the screen");
  await expect
    .element(rows.nth(2))
    .toHaveTextContent("you · seen in full · on the screen for 4.2 s · decided together with 11 more");
  await expect.element(rows.nth(3)).toHaveTextContent("you · not known whether it was seen in full");
  await expect.element(rows.nth(4)).not.toHaveTextContent("seen in full");
  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByRole("combobox", { name: "Seen" }).selectOptions("Not seen in full");
  await expect.poll(() => host.inputsOf("approvals.ledger").at(-1)).toMatchObject({ seen: "notInFull" });
});

it("what is looked for among decisions leaves nothing out of what waits", async () => {
  const later = sampleApproval("later", "make later", { snoozedUntil: Date.now() + 600_000 });
  await openLedger([entry], [later]);
  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByRole("combobox", { name: "Seen" }).selectOptions("Not seen in full");
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByRole("combobox", { name: "Seen" })).not.toBeInTheDocument();
  await userEvent.keyboard("gw");
  await expect.element(page.getByText("Nothing waits for you")).toBeVisible();
  await page.getByRole("searchbox", { name: "Search approvals" }).fill("windmill");
  await expect.element(page.getByText("Nothing waits for you")).toBeVisible();
  // Among the snoozed ones there is one that the search leaves out.
  await page.getByRole("button", { name: "Snoozed" }).click();
  await expect.element(page.getByText("Nothing matches these filters.")).toBeVisible();
});

it("shows the beginning of a long command, how many lines it has, and all of it on demand", async () => {
  const command = Array.from({ length: 3_000 }, (_, at) => `make part-${at}`).join("\n");
  await openLedger([{ ...entry, originalArgs: { command } }]);
  const row = page.getByRole("list", { name: "Decided" }).getByRole("listitem").first();
  await expect.element(row).toHaveTextContent("make part-5");
  await expect.element(row).not.toHaveTextContent("make part-6");
  await page.getByRole("button", { name: "Show all 3,000 lines" }).click();
  await expect.element(row).toHaveTextContent("make part-2999");
  await page.getByRole("button", { name: "Show the beginning" }).click();
  await expect.element(row).not.toHaveTextContent("make part-6");
});
