/** What counts as a person's decision about a command, and what a preview says that cannot be made. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { ContractError } from "../../shared/contract/errors.ts";
import type { Ledger } from "../approvals/ledger.ts";
import { suggestRules } from "./preview-past.ts";
import { createRuleBook, type RuleBookParts } from "./rule-book.ts";

const entry = {
  ...{ id: 1, tool: "execute", cwd: "/work", imported: false, by: { kind: "person" } },
  ...{ originalArgs: { command: "make" }, decision: { type: "approve" } },
};

const unconsumed = () => [];

const ledgerOf = (list: () => Promise<unknown>) => ({ list }) as Partial<Ledger> as Ledger;

it.each([
  ["came with a thread from elsewhere", { imported: true }],
  ["a rule let pass", { by: { kind: "rule", ruleIds: [] } }],
  ["the switch let pass", { by: { kind: "auto-approve" } }],
  ["another tool was asked with", { tool: "mcp__server__run" }],
  ["holds no text", { originalArgs: { command: 7 } }],
])("learns nothing from what %s", async (_, part) => {
  const ledger = ledgerOf(async () => ({ entries: [{ ...entry, ...part }] }));
  const contextOf = () => expect.fail("It was judged.");
  expect(await suggestRules({ ledger, unconsumed, contextOf }, () => [])).toEqual({ decided: 0, rules: [] });
});

it("asks the record for decisions about first runs alone", async () => {
  const list = vi.fn<Ledger["list"]>(async () => ({ entries: [], hasMore: false }));
  const contextOf = () => expect.fail("It was judged.");
  await suggestRules({ ledger: ledgerOf(list as never), unconsumed, contextOf }, () => []);
  expect(list).toHaveBeenCalledWith(expect.objectContaining({ firstRunsOnly: true }));
});

it("judges what a person decided in the folder it was decided in", async () => {
  const ledger = ledgerOf(async () => ({ entries: [entry] }));
  const contextOf = (workspace: string) => {
    throw new Error(`judged in ${workspace}`);
  };
  await expect(suggestRules({ ledger, unconsumed, contextOf }, () => [])).rejects.toThrow("judged in /work");
});

it("says what is wrong with a rule, and hides no other failure as that", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "rule-book-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  let failure: Error = new ContractError("not-found", "This is gone.");
  const parts = {
    ...{ dataDir, shell: "bash", isTrusted: () => true, originOf: (folder: string) => folder },
    ledger: ledgerOf(() => Promise.reject(failure)),
    unconsumed,
  } as Partial<RuleBookParts> as RuleBookParts;
  const preview = () =>
    createRuleBook(parts).preview({ target: "command", text: "touch", effect: "allow", scope: "user" }, []);
  expect(await preview()).toMatchObject({ ok: false, message: "This is gone.", wouldApprove: 0 });
  failure = new TypeError("A fault of ours.");
  await expect(preview()).rejects.toThrow("A fault of ours.");
});
