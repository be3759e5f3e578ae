import { expect, it, onTestFinished } from "vitest";
import type { ApprovalId, ExecutionId } from "../../shared/ids.ts";
import type { ApprovalRow, NewApproval, Redrawn } from "../approvals/approval-row.ts";
import { createApprovalStore } from "../approvals/approval-store.ts";
import type { ExecutionRow } from "../approvals/execution-store.ts";
import { createFatigueMeter } from "../approvals/fatigue.ts";
import { createLedger } from "../approvals/ledger.ts";
import { redraw } from "../approvals/redraw.ts";
import { createLoopPlace } from "../base/loop-place.ts";
import { migrations } from "../storage/migrations.ts";
import { openLog } from "../threads/testing/open-log.ts";
import type { GatedCall } from "./call.ts";
import { type EscalationFacts, toEscalationQuestion } from "./escalation.ts";
import { passGate } from "./gate.ts";
import { requireExecution } from "./run-context.ts";
import { TestJournal, threadId, turnId } from "./testing/test-journal.ts";

const execution: Partial<ExecutionRow> = {
  ...{ id: "e1" as ExecutionId, callKey: "call", threadId, turnId, itemId: "call", tool: "execute" },
  ...{ args: { command: "make" }, what: "make" },
};
const facts: EscalationFacts = {
  ...{ refused: ["x: Read-only file system"], output: "half", exitCode: 2 },
  changed: { count: 2, paths: ["a", "b"], whole: true },
  ...{ width: "workspace and git", agentPath: [], cwd: "/work" },
};
const ask = (change: Partial<EscalationFacts> = {}, id = "e1") =>
  toEscalationQuestion({ ...execution, id } as ExecutionRow, { ...facts, ...change });

it("binds the answer to whatever the card of a refused command tells of its first run", () => {
  const others: Partial<EscalationFacts>[] = [
    { refused: [] },
    { output: "all" },
    { exitCode: 3 },
    { width: "outside" },
    { changed: undefined },
    { changed: { count: 3, paths: ["a", "b"], whole: true } },
    { changed: { count: 2, paths: ["a", "c"], whole: true } },
    { changed: { count: 2, paths: ["a", "b"], whole: false } },
  ];
  const digests = [ask(), ...others.map((change) => ask(change)), ask({}, "e2")].map(({ digest }) => digest);
  expect(new Set(digests).size).toBe(digests.length);
  expect(ask().digest).toBe(ask().digest);
});

it("binds it to the same when the card is drawn anew with a wider reach", () => {
  const asked = ask();
  const drawn: Redrawn[] = [];
  const approvals = {
    get: () => undefined,
    redraw: (_id: unknown, next: Redrawn) => void drawn.push(next),
  };
  redraw(approvals, asked as ApprovalRow, asked.args, { ...asked, width: "outside", unable: undefined });
  const wider = ask({ width: "outside" });
  expect(drawn).toEqual([expect.objectContaining({ digest: wider.digest, subject: wider.subject })]);
});

it("keeps to a no, however often the call comes again, since a crash lost that its answer was handed on", async () => {
  const test = new TestJournal(() => "run");
  const args = { command: "make" };
  const call: GatedCall = {
    ...{ key: "call", threadId, turnId, itemId: "call", parentItemId: undefined, agentPath: [], args },
    ...{ toolCallId: "call", tool: "execute", rule: undefined, argsSchema: undefined, face: undefined },
  };
  let runs = 0;
  const act = async () => {
    runs += 1;
    const refusals = { lines: ["Could not resolve host"], width: "outside" as const };
    Object.assign(requireExecution("the test"), { refusals, receipt: { exitCode: 1 } });
    return { text: "tried", isError: false, original: "original" };
  };
  const pass = () => {
    const { journal } = test.running();
    const { signal } = new AbortController();
    const run = { threadId, signal, loop: createLoopPlace(signal), busy: 0, onQuiet: () => {} };
    return passGate<string>({ journal, call, run, act } as unknown as Parameters<typeof passGate<string>>[0]);
  };
  const first = pass();
  await test.until(() => test.pending.length === 1);
  await test.decide("make", { type: "reject", message: "leave it" });
  const answer = await first;
  expect(answer).toMatchObject({ isError: true, text: expect.stringContaining("leave it") });
  for (const how of ["the same host", "the next one"]) {
    if (how === "the next one") test.die();
    expect([how, await pass(), runs]).toEqual([how, answer, 1]);
  }
  expect([test.questions.length, test.ledger.map(({ decision }) => decision)]).toEqual([
    ...[1, ["approve", "reject"]],
  ]);
});

function openStores() {
  const log = openLog();
  onTestFinished(() => log.close());
  const now = () => 1_000;
  const approvals = createApprovalStore(log.database, now, () => {});
  /** Asks and has a person say no. */
  const refuse = (id: string, kind: NewApproval["kind"]) => {
    const question = { ...ask(), id: id as ApprovalId, callKey: id, kind };
    const { row } = approvals.ask(question);
    approvals.decide(row.id, row.digest, {
      ...{ decision: { type: "reject" }, by: { kind: "person" }, effectiveAt: 0 },
      seen: { inFull: true, ms: 2_000 },
    });
    return row;
  };
  return {
    database: log.database,
    refuse,
    remove: approvals.removeThread,
    count: createFatigueMeter(log.database, now),
    ledger: createLedger(log.database, now),
  };
}

it("counts among what a person is asked, as does what was moved aside, and neither is like another", () => {
  const { refuse, count } = openStores();
  const kinds = ["tool", "escalation", "escalation", "setAside", "interrupt"] as const;
  for (const [at, kind] of kinds.entries()) refuse(String(at), kind);
  expect(count()).toMatchObject({ decided: 4, perHour: 16, perThread: 4, looked: 4, together: 0 });
});

it("is left out where it matters what a person lets run the first time", async () => {
  const { database, refuse, remove, ledger } = openStores();
  for (const kind of ["tool", "escalation", "recovery"] as const) {
    const { id: approvalId, tool, cwd, verdict } = refuse(kind, kind);
    ledger.add({
      ...{ threadId, threadTitle: "", agentPath: [], tool, originalArgs: { command: "make" }, cwd, verdict },
      ...{ decision: { type: "reject" }, by: { kind: "person" }, approvalId },
    });
  }
  const listed = async (firstRunsOnly: boolean) =>
    (await ledger.list({ firstRunsOnly, limit: 9 })).entries.map(({ approvalId }) => approvalId);
  expect(await listed(true)).toEqual(["recovery", "tool"]);
  expect(await listed(false)).toEqual(["recovery", "escalation", "tool"]);
  // A record from before its lines said so.
  const step = migrations.find((each) => each.includes("second_run"))!;
  database.exec(`ALTER TABLE ledger DROP COLUMN second_run; ${step}`);
  expect(() => database.exec("UPDATE ledger SET second_run = 0")).toThrow("append-only");
  // The lines outlive the approvals of a thread that is deleted.
  remove(threadId);
  expect(await listed(true)).toEqual(["recovery", "tool"]);
});
