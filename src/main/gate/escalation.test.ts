import { expect, it } from "vitest";
import type { ExecutionId } from "../../shared/ids.ts";
import type { ApprovalRow, Redrawn } from "../approvals/approval-row.ts";
import type { ExecutionRow } from "../approvals/execution-store.ts";
import { redraw } from "../approvals/redraw.ts";
import { type EscalationFacts, toEscalationQuestion } from "./escalation.ts";
import { threadId, turnId } from "./testing/test-journal.ts";

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
