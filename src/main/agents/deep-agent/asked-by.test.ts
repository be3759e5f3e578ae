/** Who asked is written in the row, so that no name a model or a server chooses can say otherwise. */
import type Database from "better-sqlite3";
import { expect, it } from "vitest";
import type { TurnId } from "../../../shared/ids.ts";
import type { NewApproval } from "../../approvals/approval-row.ts";
import { createApprovalStore } from "../../approvals/approval-store.ts";
import { toInterruptQuestion } from "../../gate/ask.ts";
import type { GatedCall } from "../../gate/call.ts";
import { migrations } from "../../storage/migrations.ts";
import { addThread, openInMemory, threadId } from "../../threads/testing/add-thread.ts";
import { toForeignAnswers, toForeignQuestions } from "./foreign-interrupts.ts";

const now = () => 1_000;
const place = { threadId, turnId: "turn" as TurnId, cwd: "/work" };
const value = { question: "Go on?" };
const batch = { actionRequests: [{ name: "send", args: {} }], reviewConfigs: [] };

/** The gate's question about an interrupt in a call; the id of the call is the model's or the server's choice. */
function askedByGate(toolCallId: string, interruptId: string): NewApproval {
  const key = `${threadId}:task:${toolCallId}`;
  const call = { ...place, key, itemId: key, agentPath: [], toolCallId, tool: "ask_human", args: {} };
  return toInterruptQuestion(call as Partial<GatedCall> as GatedCall, { id: interruptId, value }, place.cwd);
}

const hostile = ["plain", "x:foreign:y", "x#interrupt", "interrupt:i", ":batch:i:0"];

it.each(hostile)(
  "an answer to a tool's own question is for its gate, whatever the call is named: %s",
  (id) => {
    const database = openInMemory();
    addThread(database, now);
    const store = createApprovalStore(database, now, () => {});
    const { row } = store.ask(askedByGate(id, "i"));
    const answer = { type: "respond", answer: "yes" } as const;
    store.decide(row.id, row.digest, { decision: answer, by: { kind: "person" }, effectiveAt: now() });
    expect(toForeignAnswers(store, threadId, [{ id: "i", value }], now())).toEqual({});
    expect(store.get(row.id)?.consumedAt).toBeUndefined();
  },
);

/** As a database of before wrote it: without the column. */
function insertAsBefore(database: Database.Database, approval: NewApproval): void {
  database
    .prepare(
      "INSERT INTO approvals (id, call_key, sequence, kind, thread_id, turn_id, item_id, agent_path, tool, args, cwd, subject, verdict, risk, allowed, value, interrupt_id, digest, shape, status, requested_at) VALUES (@id, @callKey, 0, @kind, @threadId, @turnId, @itemId, '[]', @tool, '{}', @cwd, @subject, @verdict, @risk, @allowed, @value, @interruptId, @digest, @shape, 'pending', 1)",
    )
    .run({
      ...approval,
      agentPath: null,
      args: null,
      argsSchema: null,
      subject: JSON.stringify(approval.subject),
      verdict: JSON.stringify(approval.verdict),
      allowed: JSON.stringify(approval.allowed),
      value: JSON.stringify(approval.value),
    });
}

it("a database of before says of each of its questions who asked", () => {
  const before = migrations.findIndex((step) => step.includes("asked_by"));
  const database = openInMemory(migrations.slice(0, before));
  const gates = hostile.map((id) => askedByGate(id, "i"));
  const foreign = [
    ...toForeignQuestions(place, { id: "raw", value }),
    ...toForeignQuestions(place, { id: "b", value: batch }),
  ];
  for (const approval of [...gates, ...foreign]) insertAsBefore(database, approval);
  for (const step of migrations.slice(before)) database.exec(step);
  const store = createApprovalStore(database, now, () => {});
  expect(gates.map(({ id }) => store.get(id)?.askedBy)).toEqual(gates.map(() => "gate"));
  expect(foreign.map(({ id }) => store.get(id)?.askedBy)).toEqual(["foreign", "foreign"]);
});
