/** A database of the version before rows were short opens with all that it held, and goes on where it stood. */
import type Database from "better-sqlite3";
import { expect, it } from "vitest";
import type { ThreadEventData } from "../../shared/contract/thread-events.ts";
import type { ApprovalId, ExecutionId, MessageId, ThreadId, TurnId } from "../../shared/ids.ts";
import { createApprovalStore } from "../approvals/approval-store.ts";
import { createExecutionStore } from "../approvals/execution-store.ts";
import { createLedger } from "../approvals/ledger.ts";
import { createRouteStore } from "../gate/route-store.ts";
import { createReadings } from "../provenance/readings.ts";
import { migrations } from "../storage/migrations.ts";
import { shortRows } from "../storage/short-rows.ts";
import { createEventLog } from "../threads/event-log.ts";
import { addThread, openInMemory, threadId } from "../threads/testing/add-thread.ts";

const turnId = "turn-1" as TurnId;
const events: ThreadEventData[] = [
  {
    type: "message.sent",
    itemId: "m1" as MessageId,
    turnId,
    text: "list the 句子",
    attachments: [],
    queued: false,
  },
  // Of an item that nothing began.
  { type: "approval.cancelled", itemId: "interrupt:9", approvalId: "appr-0" as ApprovalId, reason: "gone" },
  {
    type: "toolCall.requested",
    itemId: "call",
    turnId,
    agentPath: [],
    toolCallId: "c",
    tool: "execute",
    args: { command: "ls" },
  },
  { type: "toolCall.finished", itemId: "call", outcome: "ok", result: "one\ntwo" },
];
const verdict = { verdict: "new", units: [{ text: "ls", verdict: "new", reason: "No rule covers it." }] };
const subject = { kind: "command", command: "ls", cwd: "/work" };
const other = "thread-gone" as ThreadId;

function insert(database: Database.Database, table: string, row: Record<string, unknown>): void {
  const names = Object.keys(row);
  const values = Object.values(row).map((value) =>
    typeof value === "object" && value !== null ? JSON.stringify(value) : value,
  );
  database
    .prepare(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`)
    .run(values);
}

/** Rows as the version before wrote them. */
function oldDatabase(): Database.Database {
  const database = openInMemory(migrations.slice(0, migrations.indexOf(shortRows)));
  addThread(database, () => 1);
  const call = {
    call_key: "call",
    thread_id: threadId,
    turn_id: turnId,
    item_id: "call",
    tool: "execute",
    args: { command: "ls" },
  };
  for (const [index, data] of events.entries()) {
    insert(database, "events", { seq: 11 + index, thread_id: threadId, item_id: data.itemId, at: 5, data });
    if (index === 0 || index === 2)
      insert(database, "items", { thread_id: threadId, position: 11 + index, item_id: data.itemId });
  }
  // The newest event was one of a thread that is gone.
  insert(database, "events", { seq: 40, thread_id: other, item_id: "x", at: 5, data: {} });
  database.prepare("DELETE FROM events WHERE thread_id = ?").run(other);
  insert(database, "search", { text: "list the 句子", thread_id: threadId, item_id: "m1" });
  const { call_key: key, ...rest } = call;
  insert(database, "tool_calls", { ...rest, key, route: { kind: "ask", always: true, verdict }, at: 5 });
  for (const sequence of [0, 1])
    insert(database, "approvals", {
      ...call,
      id: `appr-${sequence}`,
      sequence,
      kind: "tool",
      agent_path: [],
      cwd: "/work",
      subject,
      verdict,
      risk: "medium",
      allowed: ["approve"],
      args_schema: { type: "object" },
      digest: `d${sequence}`,
      shape: "ls",
      requested_at: 5 + sequence,
      asked_by: "hook",
      origins: [],
      width: "workspace",
      status: sequence === 0 ? "cancelled" : "pending",
    });
  for (const [id, state] of [
    ["exec-1", "closed"],
    ["exec-2", "finished"],
  ])
    insert(database, "executions", {
      ...call,
      id,
      state,
      what: "ls",
      started_at: 6,
      outcome: "ok",
      result: `of ${id}`,
      width: "outside",
    });
  insert(database, "ledger", {
    at: 6,
    thread_id: threadId,
    thread_title: "t",
    agent_path: [],
    tool: "execute",
    original_args: { command: "ls" },
    cwd: "/work",
    verdict,
    decision: { type: "approve" },
    decided_by: { kind: "person" },
    execution_id: "exec-2",
  });
  insert(database, "readings", {
    thread_id: threadId,
    item_id: "call",
    source: "outside",
    text: "all of it",
    is_cut: 0,
  });
  return database;
}

/** What later versions add comes after it, as it does at a start. */
function migrateOn(database: Database.Database): void {
  for (const step of migrations.slice(migrations.indexOf(shortRows) + 1)) database.exec(step);
}

it("every row is read as before it was short", async () => {
  const database = oldDatabase();
  const evidence = database.prepare("SELECT * FROM ledger");
  const before = evidence.all();
  database.exec(shortRows);
  expect(evidence.all()).toEqual(before);
  migrateOn(database);
  const log = createEventLog(
    database,
    () => 7,
    () => undefined,
  );
  expect(log.since(threadId, 0, 10)).toEqual(
    events.map((data, index) => ({ seq: 11 + index, threadId, at: 5, data })),
  );
  expect(log.page(threadId, 10).items).toMatchObject([
    { kind: "userMessage", position: 11 },
    { kind: "toolCall", position: 13, result: "one\ntwo" },
  ]);
  expect([log.hasItem(threadId, "call"), log.hasItem(threadId, "interrupt:9")]).toEqual([true, false]);
  expect(log.search("list", 5)).toMatchObject([{ itemId: "m1", position: 11 }]);
  expect((await log.find(threadId, "TWO", 5, new AbortController().signal)).hits).toEqual([
    { itemId: "call", position: 13 },
  ]);
  const routes = createRouteStore(database);
  expect(routes.askedVerdict("call", { command: "ls" })).toEqual(verdict);
  const approvals = createApprovalStore(
    database,
    () => 7,
    () => undefined,
  );
  expect(approvals.ofCall("call")).toMatchObject([
    { id: "appr-0", status: "cancelled" },
    {
      id: "appr-1",
      status: "pending",
      args: { command: "ls" },
      subject,
      verdict,
      argsSchema: { type: "object" },
      askedBy: "hook",
      width: "workspace",
    },
  ]);
  expect(createExecutionStore(database, () => 7).latestOf("call")).toMatchObject({
    id: "exec-2",
    result: "of exec-2",
    args: { command: "ls" },
  });
  expect(createLedger(database, () => 7).ofThread(threadId)).toMatchObject([
    { executionId: "exec-2" as ExecutionId, itemId: "call", position: 13 },
  ]);
  const { read } = await createReadings(database, log.after, 100).of(threadId);
  expect(read).toMatchObject([{ source: "outside" }]);
  database.close();
});

it("what is added gets a number that nothing had, and what is removed leaves nothing", () => {
  const database = oldDatabase();
  database.exec(shortRows);
  migrateOn(database);
  const log = createEventLog(
    database,
    () => 7,
    () => undefined,
  );
  const end = {
    type: "approval.cancelled",
    itemId: "call",
    approvalId: "appr-1" as ApprovalId,
    reason: "gone",
  } as const;
  expect(log.append(threadId, [end])).toMatchObject([{ seq: 41 }]);
  // A replay that begins it again leaves it in its place.
  log.append(threadId, [events[2]!]);
  expect(log.page(threadId, 10).items).toMatchObject([{ position: 11 }, { position: 13 }]);
  log.removeThread(threadId);
  for (const table of ["events", "items", "thread_numbers", "search"])
    expect(database.prepare(`SELECT count(*) FROM ${table}`).pluck().get()).toBe(0);
  database.close();
});
