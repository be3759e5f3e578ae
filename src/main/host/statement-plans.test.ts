/** What happens at a step or a card reads what it is about, however much was ever asked, said and done. */
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it, onTestFinished, vi } from "vitest";
import { makeFolders, openHost, removeFolders } from "./testing/host-fixture.ts";

/** They hold a row or more for each call, message, file or turn there ever was. */
const growing = [
  ...["approvals", "executions", "ledger", "tool_calls", "events", "items", "readings", "turns"],
  ...["change_steps", "change_step_files", "checkpoints", "writes", "thread_messages", "thread_values"],
];
/** Of what waits, runs or was not acted on yet. */
const ofFew =
  /^(?:approvals_pending|approvals_unconsumed|turns_running|turns_queued|executions_open|take_backs_open)$/;

/** What reads all of such a table, and why it may. */
const allowed: [statement: RegExp, why: string][] = [
  [/^SELECT \* FROM \w+ LIMIT 1$/, "it looks whether a file is torn, once at a start"],
  [/^SELECT EXISTS/, "it ends at the first row"],
  [/ LIMIT \+?(?:\?|@\w+)/, "it reads from one end, a page of a list that a person asked for"],
  [/^UPDATE turns SET taken_back = NULL/, "a person brings back what they took back"],
];

it("has an index for whatever it looks for in a table that grows with use", async () => {
  const prepare = vi.spyOn(Database.prototype, "prepare");
  onTestFinished(() => prepare.mockRestore());
  const folders = await makeFolders();
  onTestFinished(() => removeFolders(folders));
  const host = await openHost(folders);
  try {
    await host.console.approveAll(await host.console.start("run echo one >> a.txt"));
  } finally {
    await host.close();
  }
  const statements = new Set(prepare.mock.calls.map(([sql]) => sql.replaceAll(/\s+/g, " ").trim()));
  expect(statements.size).toBeGreaterThan(100);
  const found: string[] = [];
  for (const name of ["countersign.db", "checkpoints.db"]) {
    const database = new Database(join(folders.dataDir, name), { readonly: true });
    database.function("unpacked_bytes", () => 0);
    for (const sql of statements)
      for (const step of stepsOf(database, sql))
        if (readsAll(step, sql) && !allowed.some(([statement]) => statement.test(sql)))
          found.push(`${step}: ${sql}`);
    database.close();
  }
  expect(found).toEqual([]);
});

/** Nothing for what is no statement of this database. */
function stepsOf(database: Database.Database, sql: string): string[] {
  const names = [...sql.matchAll(/@(\w+)/g)].map(([, name]) => [name, 1]);
  const values = names.length > 0 ? [Object.fromEntries(names)] : sql.match(/\?/g)?.map(() => 1);
  try {
    const explain = database.prepare(`EXPLAIN QUERY PLAN ${sql}`);
    return explain.all(...(values ?? [])).map((step) => (step as { detail: string }).detail);
  } catch {
    return [];
  }
}

/**
 * Of a thread what waits is little, and what was ever asked may be much.
 * @param step such as `SCAN a USING INDEX b`, where `a` is a table or how the statement calls it
 */
function readsAll(step: string, sql: string): boolean {
  if (step.includes("approvals_by_thread") && sql.includes("'pending'")) return true;
  const [, called = "", index = ""] = /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(step) ?? [];
  const table = new RegExp(`(\\w+)(?: AS)? ${called}\\b`).exec(sql)?.[1] ?? called;
  return [called, table].some((name) => growing.includes(name)) && !ofFew.test(index);
}
