/** An effect: begun on disk, run under its execution (I2), its receipt written whatever comes of it. */
import type { ToolOutcome } from "../../shared/contract/thread-events.ts";
import type { ExecutionId } from "../../shared/ids.ts";
import { messageOf } from "../../shared/message-of.ts";
import { passBarrier } from "../base/barriers.ts";
import { beginExecution, continueExecution, type How } from "./begin-execution.ts";
import { CallSuspended, type EffectRoute, type Passed, type Stale } from "./call.ts";
import { dropExecution, type EffectEnd, finishExecution, finishRefused } from "./end-execution.ts";
import { type ExecutionContext, runInExecution, type Started } from "./execution-context.ts";
import type { Pass } from "./journal.ts";
import { escalationKey } from "./questions.ts";
import { whileBusy } from "./run-context.ts";

/** It ran and ended, and what the sandbox refused it is in the queue. */
export type Escalated = { kind: "escalated"; executionId: ExecutionId };

/**
 * Begins the effect and runs it.
 * @param mayAskAgain a person approved it, and is asked anew when nothing could be started. One that was to be confined
 * and could not be is asked about in any case where somebody is there to ask (I8).
 */
export async function execute<T>(
  pass: Pass<T>,
  route: EffectRoute,
  how: How,
  mayAskAgain = false,
): Promise<Passed<T> | Stale | Escalated> {
  const { journal, call, run } = pass;
  run.signal.throwIfAborted();
  const started = await beginExecution(journal, call, route, how);
  passBarrier("execution-started");
  // The run ended while the row went to disk: nothing has begun, and whoever goes on finds the decision as it was.
  if (run.signal.aborted) {
    dropExecution(pass, started.executionId, how.decided);
    run.signal.throwIfAborted();
  }
  return perform(pass, started, mayAskAgain);
}

/** Goes on with an execution that waited for an answer. */
export async function resume<T>(
  pass: Pass<T>,
  executionId: ExecutionId,
): Promise<Passed<T> | Stale | Escalated> {
  return perform(pass, continueExecution(pass.journal, pass.call, executionId));
}

async function perform<T>(
  pass: Pass<T>,
  started: Started,
  mayAskAgain = false,
): Promise<Passed<T> | Stale | Escalated> {
  const { journal, call, run, act } = pass;
  const { executionId } = started;
  const startedAt = performance.now();
  const context = newExecution(started, run.signal);
  const endWith = (outcome: ToolOutcome, result: string): EffectEnd => {
    passBarrier("effect-done");
    const durationMs = Math.round(performance.now() - startedAt);
    return { outcome, result, receipt: { ...context.receipt, executionId, durationMs } };
  };
  const end = (outcome: ToolOutcome, result: string) =>
    finishExecution(pass, endWith(outcome, result), context);
  const stale = (): Stale => {
    dropExecution(pass, executionId);
    const notConfined = context.notConfined ? context.notStarted : undefined;
    return { kind: "stale", face: context.faceNow, notConfined };
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
  const isAskable = mayAskAgain || (context.notConfined && !journal.isUnattended);
  if (context.notStarted !== undefined && isAskable) {
    const text = `${context.notStarted} It is asked about again.`;
    journal.log.append(call.threadId, [
      { type: "notice.added", itemId: `not-started:${executionId}`, level: "warning", text },
    ]);
    return stale();
  }
  if (context.ended) {
    passBarrier("effect-done");
    return { kind: "output", original: output.original };
  }
  const failed =
    context.notStarted !== undefined ||
    output.isError ||
    context.failed ||
    (context.receipt.exitCode ?? 0) !== 0;
  const { refusals } = context;
  // A second refusal of the same call is its answer: a person is asked once, and nobody tries on and on.
  const mayEscalate = !context.cancelled && !run.signal.aborted && !journal.isUnattended;
  if (refusals && failed && mayEscalate && !journal.approvals.latestOf(escalationKey(call.key))) {
    finishRefused(pass, endWith("failed", output.text), context, refusals);
    return { kind: "escalated", executionId };
  }
  end(context.cancelled ? "cancelled" : failed ? "failed" : "ok", output.text);
  return { kind: "output", original: output.original };
}

function newExecution(started: Started, signal: AbortSignal): ExecutionContext {
  const nothingYet = { receipt: {}, cancelled: false, failed: false, stale: false, ended: false };
  const none = { notStarted: undefined, notConfined: false, refusals: undefined, faceNow: undefined };
  const setAside: string[] = [];
  return { ...started, signal, ...nothingYet, ...none, setAside };
}
