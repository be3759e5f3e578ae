/** Which decisions can be delivered to a server now, and which were on their way when the console ended. */
import type { ApprovalRow } from "../../approvals/approval-row.ts";
import type { ExecutionRow } from "../../approvals/execution-store.ts";
import type { AnswerJournal, Begun } from "./answer-records.ts";

/** Whether nobody knows what became of an answer to it. */
export const isUnknown = ({ server }: ApprovalRow) => server?.standing.kind === "unknown";

/** The rows of an interrupt that are asked now, one for each action; none while one of them is not decided for good. */
export function readyRows(
  { approvals, now }: AnswerJournal,
  { interruptId, threadId }: ApprovalRow,
): ApprovalRow[] | undefined {
  const newest = new Map<number, ApprovalRow>();
  for (const row of approvals.ofInterrupt(threadId, interruptId ?? "")) newest.set(row.actionIndex ?? 0, row);
  const rows = [...newest.values()];
  const isReady = rows.every(
    ({ status, consumedAt, effectiveAt }) =>
      status === "decided" && consumedAt === undefined && (effectiveAt ?? 0) <= now(),
  );
  return isReady ? rows : undefined;
}

/** Executions that were begun and have no end, by the answer that each is a part of, its first action first. */
export function leftOf({ approvals }: AnswerJournal, executions: readonly ExecutionRow[]): Begun[][] {
  const begun = executions.flatMap(({ id: executionId, startedAt, callKey }) => {
    const row = approvals
      .ofCall(callKey)
      .findLast((one) => one.status === "decided" && one.server?.standing.kind !== "unknown");
    return row ? [{ row, executionId, startedAt }] : [];
  });
  const groups = Map.groupBy(begun, ({ row }) => row.interruptId);
  return [...groups.values()].map((group) =>
    group.sort((one, other) => (one.row.actionIndex ?? 0) - (other.row.actionIndex ?? 0)),
  );
}
