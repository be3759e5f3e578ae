/** An item that is named after its call is named once in a row, and whoever reads the row sees its whole name. */
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ExecutionId, TurnId } from "../../shared/ids.ts";
import { toInterruptQuestion } from "../gate/ask.ts";
import type { GatedCall } from "../gate/call.ts";
import { called, type OpenLog, openLog } from "../threads/testing/open-log.ts";
import { createApprovalStore } from "./approval-store.ts";
import { createExecutionStore } from "./execution-store.ts";
import { createLedger } from "./ledger.ts";

let open: OpenLog;
beforeEach(() => {
  open = openLog();
});
afterEach(() => open.close());

const now = () => 1;
const executionId = "exec" as ExecutionId;

/** A call that was asked about, started and written into the ledger. */
function record(key: string, itemId: string) {
  const { database, threadId } = open;
  const call = {
    threadId,
    turnId: "turn" as TurnId,
    key,
    itemId,
    agentPath: [],
    toolCallId: key,
    tool: "execute",
    args: {},
  };
  open.log.append(threadId, [called(itemId, "execute", {})]);
  const approvals = createApprovalStore(database, now, () => {});
  const question = toInterruptQuestion(call as Partial<GatedCall> as GatedCall, { id: "i", value: 1 }, "/");
  const { id } = approvals.ask({ ...question, callKey: key }).row;
  const executions = createExecutionStore(database, now);
  executions.start({ ...call, id: executionId, callKey: key, what: "ls", width: undefined });
  const ledger = createLedger(database, now);
  const verdict = { verdict: "new" as const, units: [] };
  const decided = {
    verdict,
    decision: { type: "approve" as const },
    by: { kind: "person" as const },
    cwd: "/",
  };
  ledger.add({
    ...decided,
    threadId,
    threadTitle: "",
    agentPath: [],
    tool: "execute",
    originalArgs: {},
    executionId,
  });
  const written = ["approvals", "executions"].map((table) =>
    database.prepare(`SELECT item_id FROM ${table}`).pluck().get(),
  );
  const read = [approvals.get(id), executions.get(executionId), ledger.ofThread(threadId)[0]];
  return { written, read: read.map((row) => row?.itemId) };
}

it("is named by its call where both have one name", () => {
  expect(record("call", "call")).toEqual({ written: ["", ""], read: ["call", "call", "call"] });
});

it("keeps a name of its own", () => {
  expect(record("call", "item")).toEqual({ written: ["item", "item"], read: ["item", "item", "item"] });
});
