/** Runs an effect under its execution, and writes its receipt whatever comes of it (I1). */
import type { Receipt, ToolOutcome } from "../../shared/contract/thread-events.ts";
import type { ExecutionId } from "../../shared/ids.ts";
import { passBarrier } from "../base/barriers.ts";
import { beginExecution, continueExecution, type How } from "./begin-execution.ts";
import { CallSuspended, type Decided, type EffectRoute, type Passed, type Stale } from "./call.ts";
import { type ExecutionContext, runInExecution, type Started } from "./execution-context.ts";
import type { Pass } from "./journal.ts";
import { recordEnd } from "./record.ts";
import { whileBusy } from "./run-context.ts";

/**
 * Begins the effect and runs it.
 * @param mayAskAgain a person approved it, and is asked anew when nothing could be started.
 */
export async function execute<T>(
  pass: Pass<T>,
  route: EffectRoute,
  how: How,
  mayAskAgain = false,
): Promise<Passed<T> | Stale> {
  const { journal, call, run } = pass;
  run.signal.throwIfAborted();
  const started = await beginExecution(journal, call, route, how);
  passBarrier("execution-started");
  // The run ended while the row went to disk: nothing has begun, and whoever goes on finds the decision as it was.
  if (run.signal.aborted) {
    drop(pass, started.executionId, how.decided);
    run.signal.throwIfAborted();
  }
  return perform(pass, started, mayAskAgain);
}

/** Goes on with an execution that waited for an answer. */
export async function resume<T>(pass: Pass<T>, executionId: ExecutionId): Promise<Passed<T> | Stale> {
  return perform(pass, continueExecution(pass.journal, pass.call, executionId));
}

async function perform<T>(pass: Pass<T>, started: Started, mayAskAgain = false): Promise<Passed<T> | Stale> {
  const { journal, call, run, act } = pass;
  const { executionId } = started;
  const startedAt = performance.now();
  const context = newExecution(started, run.signal);
  const end = (outcome: ToolOutcome, result: string) => {
    passBarrier("effect-done");
    const durationMs = Math.round(performance.now() - startedAt);
    finish(pass, { outcome, result, receipt: { ...context.receipt, executionId, durationMs } });
  };
  const stale = (): Stale => {
    drop(pass, executionId);
    return { kind: "stale", face: context.faceNow };
  };
  let output: Awaited<ReturnType<typeof act>>;
  try {
    output = await whileBusy(run, () => runInExecution(context, () => act(started.args)));
  } catch (error) {
    if (context.stale) return stale();
    if (error instanceof CallSuspended) journal.executions.suspend(executionId);
    // Also after a stop: what the effect did until then must be on disk, or it would be asked about as unknown.
    else end(context.cancelled || run.signal.aborted ? "cancelled" : "failed", messageOf(error));
    throw error;
  }
  if (context.stale) return stale();
  if (context.notStarted !== undefined && mayAskAgain) {
    const text = `${context.notStarted} It is asked about again.`;
    journal.log.append(call.threadId, [
      { type: "notice.added", itemId: `not-started:${executionId}`, level: "warning", text },
    ]);
    return stale();
  }
  const failed =
    context.notStarted !== undefined ||
    output.isError ||
    context.failed ||
    (context.receipt.exitCode ?? 0) !== 0;
  end(context.cancelled ? "cancelled" : failed ? "failed" : "ok", output.text);
  return { kind: "output", original: output.original };
}

function newExecution(started: Started, signal: AbortSignal): ExecutionContext {
  const nothingYet = { receipt: {}, cancelled: false, failed: false, stale: false };
  return { ...started, signal, ...nothingYet, notStarted: undefined, faceNow: undefined };
}

function finish<T>(
  { journal, call }: Pass<T>,
  end: { outcome: ToolOutcome; result: string; receipt: Receipt },
): void {
  journal.database.transaction(() => {
    journal.underway.delete(end.receipt.executionId);
    journal.executions.finish(end.receipt.executionId, end);
    recordEnd(journal, call, end);
  })();
}

/**
 * The effect did not begin: what is there is not what was shown, or the run ended first. Then `unused` is the decision
 * to give back, for the turn to go on with.
 */
function drop<T>({ journal, call }: Pass<T>, executionId: ExecutionId, unused?: Decided): void {
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

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
