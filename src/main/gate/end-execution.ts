/** How an effect ends: with its receipt, with a question about how it came out, or dropped since nothing began. */
import type { Receipt, ToolOutcome } from "../../shared/contract/thread-events.ts";
import type { ExecutionId } from "../../shared/ids.ts";
import type { ExecutionRow } from "../approvals/execution-store.ts";
import { passBarrier } from "../base/barriers.ts";
import type { Rehearsed } from "../undo/take-back-store.ts";
import { fileAside } from "./aside.ts";
import type { Decided, GatedCall } from "./call.ts";
import type { Journal, Pass } from "./journal.ts";
import { type EndedCall, noteAside, recordEnd } from "./record.ts";
import type { ExecutionContext } from "./run-context.ts";

export type EffectEnd = { outcome: ToolOutcome; result: string; receipt: Receipt };
type Made = Pick<ExecutionContext, "setAside">;

/** The call is not over with this: what a person says to the question about it is. */
export function finishAsking<T>(
  { journal, call }: Pass<T>,
  end: EffectEnd,
  made: Made,
  file: (execution: ExecutionRow) => void,
): void {
  const { executionId } = end.receipt;
  journal.database.transaction(() => {
    journal.underway.delete(executionId);
    journal.executions.finish(executionId, end);
    noteAside(journal, call, executionId, made.setAside);
    const execution = journal.executions.get(executionId)!;
    fileAside(journal, call, execution, made.setAside);
    file(execution);
  })();
  passBarrier("end-asked");
}

/** The call ends with its effect. @param made with `mayAsk` somebody waits for what a person says about it */
export function finishExecution(
  { journal, call }: { journal: Journal; call: EndedCall & Partial<Pick<GatedCall, "agentPath">> },
  end: EffectEnd,
  made: Made & { mayAsk?: boolean },
): void {
  const { executionId } = end.receipt;
  journal.database.transaction(() => {
    journal.underway.delete(executionId);
    const isTold = recordEnd(journal, call, end);
    journal.executions.finish(executionId, isTold ? { ...end, result: null } : end);
    noteAside(journal, call, executionId, made.setAside);
    const { agentPath = [] } = call;
    if (made.mayAsk) fileAside(journal, { agentPath }, journal.executions.get(executionId)!, made.setAside);
  })();
}

/** What was rehearsed is in the folder from this commit on, and its call ends in the same; nothing where it ended already. */
export function finishCommitted(
  journal: Journal,
  { executionId, exitCode, result, ...told }: Rehearsed,
): void {
  const execution = journal.executions.get(executionId);
  if (execution?.state !== "started") return;
  const durationMs = Math.max(0, journal.now() - execution.startedAt);
  const receipt = { executionId, exitCode, durationMs, ...told };
  const call = { ...execution, key: execution.callKey };
  finishExecution({ journal, call }, { outcome: exitCode === 0 ? "ok" : "failed", result, receipt }, none);
}

const none: Made = { setAside: [] };

/**
 * The effect did not begin: what is there is not what was shown, or the run ended first. Then `unused` is the decision
 * to give back, for the turn to go on with.
 */
export function dropExecution(
  { journal, call }: { journal: Journal; call: Pick<GatedCall, "key" | "threadId" | "turnId"> },
  executionId: ExecutionId,
  unused?: Decided,
): void {
  const { executions, threads, approvals } = journal;
  journal.database.transaction(() => {
    journal.underway.delete(executionId);
    executions.drop(executionId);
    // Running it again came to nothing, so what became of it the first time is as unknown as before.
    executions.reopen(call.key);
    // What was decided in a turn that a person stopped means nothing any more.
    if (unused && threads.currentTurn(call.threadId)?.id === call.turnId)
      approvals.release(unused.approvalId);
  })();
}
