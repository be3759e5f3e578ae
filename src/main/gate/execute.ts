/** An effect: begun on disk with its decision used up (I1, I3), run under its execution (I2), its receipt written whatever comes of it. */
import { randomUUID } from "node:crypto";
import type { DecidedBy, Verdict, Width } from "../../shared/contract/decisions.ts";
import type { Receipt, ToolOutcome } from "../../shared/contract/thread-events.ts";
import type { ExecutionId, ThreadId } from "../../shared/ids.ts";
import { messageOf } from "../../shared/message-of.ts";
import { aboutCall } from "../../shared/tools/about-call.ts";
import { kindOf } from "../../shared/tools/tools.ts";
import { passBarrier } from "../base/barriers.ts";
import { isInside } from "../files/real-path.ts";
import type { Refusals } from "../sandbox/find-refusals.ts";
import { isDatabaseError } from "../storage/storage-error.ts";
import { readBase } from "../tools/shown-base.ts";
import { fileEscalation, toDecided } from "./ask.ts";
import {
  CallSuspended,
  type Decided,
  type EffectRoute,
  faceIn,
  type GatedCall,
  type Passed,
  type Stale,
} from "./call.ts";
import { type ExecutionContext, runInExecution, type Started } from "./execution-context.ts";
import type { Journal, Pass } from "./journal.ts";
import { escalationKey } from "./questions.ts";
import { addToLedger, noteAside, recordEnd } from "./record.ts";
import { whileBusy } from "./run-context.ts";
import type { ToolFace } from "./tool-face.ts";

/** With what an effect begins, and who let it. */
export type How = {
  args: Record<string, unknown>;
  by: DecidedBy;
  decided: Decided | undefined;
  verdict: Verdict;
  /** For a command: how far it may reach. */
  width: Width | undefined;
};

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
    drop(pass, started.executionId, how.decided);
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

/**
 * In one transaction: the decision is used up, an unknown earlier execution is closed, the row and its ledger line are
 * written. Resolves when they are on disk.
 * @throws StorageError when the disk does not keep them; the row is dropped then, since nothing will run by it.
 */
export async function beginExecution(
  journal: Journal,
  call: GatedCall,
  route: EffectRoute,
  how: How,
): Promise<Started> {
  const executionId = `exec-${randomUUID()}` as ExecutionId;
  try {
    return await writeStart(journal, call, route, how, executionId);
  } catch (error) {
    if (isDatabaseError(error)) dropUnkept({ journal, call }, executionId, how.decided);
    throw error;
  }
}

/** On a disk that keeps nothing the row may stay as well: what it began is asked about then (I5). */
function dropUnkept(
  of: Pick<Pass<unknown>, "journal" | "call">,
  executionId: ExecutionId,
  decided?: Decided,
) {
  try {
    if (of.journal.executions.get(executionId)) drop(of, executionId, decided);
  } catch (error) {
    if (!isDatabaseError(error)) throw error;
  }
}

function writeStart(
  journal: Journal,
  call: GatedCall,
  route: EffectRoute,
  how: How,
  executionId: ExecutionId,
): Promise<Started> {
  const { args, by, decided, verdict } = how;
  const { approvals, executions, threads, log, underway } = journal;
  // Where no width was named, as in what was judged before there was one, the card said nothing of a sandbox.
  const width = kindOf(call.tool) === "command" ? (how.width ?? "outside") : undefined;
  const mayChangeFiles = verdict.verdict !== "safe";
  // While the disk takes its time with what is about to run, the look at the folder takes its own.
  if (mayChangeFiles && kindOf(call.tool) === "command")
    journal.lookAhead(threads.get(call.threadId).workspace);
  return journal.commitDurably(() => {
    if (decided && !approvals.consume(decided.approvalId)) throw new Error("This decision was used already.");
    const earlier = executions.latestOf(call.key);
    if (earlier?.state === "started") executions.close(earlier.id);
    const { threadId, turnId, itemId, tool, key } = call;
    const what = aboutCall(tool, args);
    executions.start({ id: executionId, callKey: key, threadId, turnId, itemId, tool, what, width, args });
    const edited = JSON.stringify(args) !== JSON.stringify(call.args);
    addToLedger(journal, call, {
      verdict,
      decision: edited ? { type: "edit", args } : { type: "approve" },
      by,
      width,
      seen: decided?.seen,
      cwd: route.cwd,
      approvalId: decided?.approvalId,
      executionId,
      finalArgs: edited ? args : undefined,
    });
    log.append(threadId, [{ type: "execution.started", itemId, executionId, width }]);
    underway.add(executionId);
    const baseHash = decided?.decision.type === "edit" ? undefined : decided?.baseHash;
    const shown = { verdict, by, baseHash: decided?.baseHash, face: faceIn(route) };
    return { executionId, args, baseHash, ...permitOf(journal, threadId, shown), mayChangeFiles, width };
  });
}

/** An answer that the tool waited for is there: the same execution goes on, and nothing new is decided or in the ledger. */
function continueExecution(journal: Journal, call: GatedCall, executionId: ExecutionId): Started {
  const { executions, approvals, routes } = journal;
  executions.continue(executionId);
  const latest = approvals.latestOf(call.key);
  const decided = latest?.decidedBy && toDecided(latest);
  const { args, width } = executions.get(executionId)!;
  const nobody = {
    verdict: { verdict: "new" as const, units: [] },
    by: { kind: "policy" as const },
    baseHash: undefined,
  };
  const shown = { ...nobody, ...decided, face: faceIn(routes.find(call.key)) };
  return {
    executionId,
    args,
    baseHash: decided?.baseHash,
    ...permitOf(journal, call.threadId, shown),
    mayChangeFiles: true,
    width: width ?? undefined,
  };
}

/** What an effect may reach, from what a person saw when they said yes to it. */
function permitOf(
  { threads }: Journal,
  threadId: ThreadId,
  { verdict, by, baseHash, face }: Pick<Decided, "verdict" | "by" | "baseHash"> & { face?: ToolFace },
): Pick<Started, "mayLeaveWorkspace" | "mayReachOwnNetwork" | "shownPath" | "toolDigest"> {
  const bound = readBase(baseHash);
  const isPerson = by.kind === "person";
  return {
    mayLeaveWorkspace:
      isPerson && bound.paths.some((path) => !isInside(threads.get(threadId).workspace, path)),
    mayReachOwnNetwork: isPerson && verdict.units.some(({ source }) => source === "web:private"),
    shownPath: bound.readPath,
    toolDigest: bound.toolDigest ?? face?.digest,
  };
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
  const endWith = (outcome: ToolOutcome, result: string): End => {
    passBarrier("effect-done");
    const durationMs = Math.round(performance.now() - startedAt);
    return { outcome, result, receipt: { ...context.receipt, executionId, durationMs } };
  };
  const end = (outcome: ToolOutcome, result: string) => finish(pass, endWith(outcome, result), context);
  const stale = (): Stale => {
    drop(pass, executionId);
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
  const nothingYet = { receipt: {}, cancelled: false, failed: false, stale: false };
  const none = { notStarted: undefined, notConfined: false, refusals: undefined, faceNow: undefined };
  const setAside: string[] = [];
  return { ...started, signal, ...nothingYet, ...none, setAside };
}

type End = { outcome: ToolOutcome; result: string; receipt: Receipt };
type Made = Pick<ExecutionContext, "setAside">;

/** The call is not over with this: what a person says to the refusal is. */
function finishRefused<T>({ journal, call }: Pass<T>, end: End, made: Made, refusals: Refusals): void {
  const { executionId } = end.receipt;
  journal.database.transaction(() => {
    journal.underway.delete(executionId);
    journal.executions.finish(executionId, end);
    noteAside(journal, call, executionId, made.setAside);
    fileEscalation(journal, call, journal.executions.get(executionId)!, refusals);
  })();
  passBarrier("escalation-asked");
}

function finish<T>({ journal, call }: Pass<T>, end: End, made: Made): void {
  const { executionId } = end.receipt;
  journal.database.transaction(() => {
    journal.underway.delete(executionId);
    journal.executions.finish(executionId, end);
    recordEnd(journal, call, end);
    noteAside(journal, call, executionId, made.setAside);
  })();
}

/**
 * The effect did not begin: what is there is not what was shown, or the run ended first. Then `unused` is the decision
 * to give back, for the turn to go on with.
 */
function drop(
  { journal, call }: Pick<Pass<unknown>, "journal" | "call">,
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
