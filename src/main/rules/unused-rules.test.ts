/** Which rules are offered for removal: those that let things pass, are there for a month and answered nothing in it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { RuleId, ThreadId } from "../../shared/ids.ts";
import { createLedger, type Ledger, type NewLedgerEntry } from "../approvals/ledger.ts";
import { openDatabase } from "../storage/open-database.ts";
import { createRuleBook, type RuleBook } from "./rule-book.ts";
import { createUnusedRules, type UnusedRules } from "./unused-rules.ts";

const day = 86_400_000;
let dataDir: string;
let at = 0;
let ledger: Ledger;
let book: RuleBook;
let unused: UnusedRules;
let close: () => void;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "countersign-unused-"));
  at = 100 * day;
  const { database } = openDatabase(dataDir, () => at);
  close = () => database.close();
  ledger = createLedger(database, () => at);
  book = createRuleBook({
    dataDir,
    shell: "bash",
    ledger,
    unconsumed: () => [],
    isTrusted: () => true,
    originOf: (workspace) => workspace,
    folderTrust: { isAsTrusted: () => true, trustedText: () => undefined },
  });
  unused = createUnusedRules(database, book, () => at);
});

afterEach(() => {
  close();
  rmSync(dataDir, { recursive: true });
});

const add = (text: string, effect: "allow" | "ask" | "deny" = "allow") => {
  const { id } = book.add({ text, effect, scope: "user", target: "command" });
  unused.note();
  return id;
};

const line = (...ruleIds: string[]): NewLedgerEntry => ({
  threadId: "t" as ThreadId,
  threadTitle: "",
  agentPath: [],
  tool: "execute",
  originalArgs: { command: "x" },
  cwd: dataDir,
  verdict: {
    verdict: "covered",
    units: ruleIds.map((rule) => ({ text: "x", verdict: "covered", reason: "", rule })),
  },
  decision: { type: "approve" },
  by: { kind: "rule", ruleIds },
});

const found = async () => (await unused.find()).rules.map(({ id }) => id);

describe("a rule that lets commands run", () => {
  it("is offered once it answered nothing for thirty days, and not a moment before", async () => {
    const id = add("npm test");
    at += 30 * day - 1;
    expect(await found()).toEqual([]);
    at += 1;
    expect(await found()).toEqual([id]);
  });

  it("stays out while it answers, alone or for a part of a command that somebody else decided", async () => {
    const [alone, part, idle] = [add("npm test"), add("make build"), add("make idle")];
    at += 20 * day;
    ledger.add(line(alone));
    ledger.add({ ...line(part), by: { kind: "person" } });
    at += 20 * day;
    expect(await found()).toEqual([idle]);
    at += 20 * day;
    expect(await found()).toEqual([alone, part, idle]);
  });

  it("counts an answer also where many lines and a clock that was set back lie between", async () => {
    const id = add("npm test");
    at += 40 * day;
    ledger.add(line(id));
    for (let more = 0; more < 120; more += 1) ledger.add(line("other"));
    at -= 39 * day;
    ledger.add(line("other"));
    at += 39 * day;
    expect(await found()).toEqual([]);
  });

  it("is not kept by what an imported record says", async () => {
    const id = add("npm test");
    at += 40 * day;
    ledger.addImported("t" as ThreadId, { ...line(id), id: 1, at });
    expect(await found()).toEqual([id]);
  });

  it("begins anew when it was gone in between", async () => {
    const rule = { command: "npm test", effect: "allow" };
    const write = (...rules: object[]) =>
      writeFileSync(join(dataDir, "rules.json"), JSON.stringify({ rules }));
    write(rule);
    unused.note();
    at += 40 * day;
    expect(await found()).toHaveLength(1);
    write();
    unused.note();
    write(rule);
    expect(await found()).toEqual([]);
  });
});

it("never offers a rule that asks or denies, whose work is that nothing passes", async () => {
  add("make a", "ask");
  add("make b", "deny");
  at += 400 * day;
  expect(await found()).toEqual([]);
});

it("removes of those named only what still answered nothing", async () => {
  const [used, idle, denied] = [add("npm test"), add("make idle"), add("make never", "deny")];
  at += 40 * day;
  expect(await found()).toEqual([used, idle]);
  ledger.add(line(used));
  expect(await unused.remove([used, idle, denied, "rule-gone" as RuleId])).toBe(1);
  expect(book.list().rules.map(({ id }) => id)).toEqual([used, denied]);
  expect(readFileSync(join(dataDir, "rules.json"), "utf8")).not.toContain("make idle");
});

it("looks through a long record some lines in a turn of the loop", async () => {
  add("npm test");
  const lines = 500;
  at += 40 * day;
  for (let made = 0; made < lines; made += 1) ledger.add(line("another"));
  // Each look at the clock finds a millisecond gone: every part of the record fills its turn.
  let now = performance.now();
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 1));
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const { rules } = await unused.find();
  isOver = true;
  clock.mockRestore();
  expect(rules).toHaveLength(1);
  expect(turns).toBeGreaterThanOrEqual(lines / 50);
});
