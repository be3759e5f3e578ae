/**
 * An effect: begun on disk, run under its execution (I2), its receipt written whatever comes of it. What the sandbox
 * refused it is asked about once: nobody runs it a second time without a person. What it brought from the web may wait for one
 * too. The end of the run and the question about it are one commit, so that a crash leaves both or none.
 */
import type { Width } from "../../shared/contract/decisions.ts";
import type { ToolOutcome } from "../../shared/contract/thread-events.ts";
import type { ExecutionId } from "../../shared/ids.ts";
import { messageOf } from "../../shared/message-of.ts";
import { readWidth } from "../../shared/width.ts";
import type { ExecutionRow } from "../approvals/execution-store.ts";
import { passBarrier } from "../base/barriers.ts";
import { beginExecution, continueExecution, type How } from "./begin-execution.ts";
import {
  CallSuspended,
  type Decided,
  type EffectRoute,
  type Passed,
  type Route,
  type Stale,
} from "./call.ts";
import { dropExecution, type EffectEnd, finishAsking, finishExecution } from "./end-execution.ts";
import { askEscalation, escalationKey, fileEscalation } from "./escalation.ts";
import type { Pass } from "./journal.ts";
import { answerResponse, fileResponse, holdsResponse, responseOf } from "./response.ts";
import { countAsBusy, type ExecutionContext, runInExecution, type Started } from "./run-context.ts";
import { refuse, settle } from "./settle.ts";

/** It ran and ended, and how that came out is in the queue: what the sandbox refused it, or what it brought back. */
export type EndAsked = { kind: "endAsked"; executionId: ExecutionId };

/** Runs the effect, and does what a person says where its end is asked about. */
export async function executeOrAsk<T>(
  pass: Pass<T>,
  route: EffectRoute,
  how: How,
  mayAskAgain = false,
): Promise<Passed<T> | Stale> {
  const passed = await execute(pass, route, how, mayAskAgain);
  return passed.kind === "endAsked" ? answerEnd(pass, route, passed.executionId) : passed;
}

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
): Promise<Passed<T> | Stale | EndAsked> {
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
): Promise<Passed<T> | Stale | EndAsked> {
  return perform(pass, continueExecution(pass.journal, pass.call, executionId));
}

async function perform<T>(
  pass: Pass<T>,
  started: Started,
  mayAskAgain = false,
): Promise<Passed<T> | Stale | EndAsked> {
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
  const askAbout = (ended: EffectEnd, file: (execution: ExecutionRow) => void): EndAsked => {
    finishAsking(pass, ended, context, file);
    return { kind: "endAsked", executionId };
  };
  const isHeld = holdsResponse(journal, call);
  const hold = (outcome: ToolOutcome, text: string) =>
    askAbout(endWith(outcome, text), (execution) => void fileResponse(journal, call, execution));
  const stale = (): Stale => {
    dropExecution(pass, executionId);
    const notConfined = context.notConfined ? context.notStarted : undefined;
    return { kind: "stale", face: context.faceNow, notConfined };
  };
  let output: Awaited<ReturnType<typeof act>>;
  try {
    output = await countAsBusy(run, () => runInExecution(context, () => act(started.args)));
  } catch (error) {
    if (context.stale) return stale();
    if (error instanceof CallSuspended) journal.executions.suspend(executionId);
    // What went wrong may be told in the server's words, such as where it led to.
    else if (isHeld && !run.signal.aborted) return hold("failed", messageOf(error));
    // Also after a stop: what the effect did until then must be on disk, or it would be asked about as unknown.
    else
      end(
        context.cancelled || run.signal.aborted ? "cancelled" : "failed",
        isHeld ? "It was stopped." : messageOf(error),
      );
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
    return askAbout(
      endWith("failed", output.text),
      (execution) => void fileEscalation(journal, call, execution, refusals),
    );
  }
  const outcome = context.cancelled ? "cancelled" : failed ? "failed" : "ok";
  if (isHeld) return hold(outcome, output.text);
  const mayAsk = !context.cancelled && !run.signal.aborted;
  finishExecution(pass, endWith(outcome, output.text), { ...context, mayAsk });
  return { kind: "output", original: output.original };
}

function newExecution(started: Started, signal: AbortSignal): ExecutionContext {
  const nothingYet = { receipt: {}, cancelled: false, failed: false, stale: false, ended: false };
  const none = { notStarted: undefined, notConfined: false, refusals: undefined, faceNow: undefined };
  const setAside: string[] = [];
  return { ...started, signal, ...nothingYet, ...none, setAside };
}

/**
 * Goes on with a call whose end is asked about, in this run or since before a crash.
 * @throws GateParked, or the abort reason of the run.
 */
export async function answerEnd<T>(
  pass: Pass<T>,
  route: Route,
  executionId: ExecutionId,
): Promise<Passed<T> | Stale> {
  const { journal, call } = pass;
  const execution = journal.executions.get(executionId)!;
  if (route.kind === "free" || route.kind === "unable") throw new Error("What has no effect has no end.");
  if (responseOf(journal, execution)) return answerResponse(pass, route, execution);
  const decided = await askEscalation(pass, execution);
  if (decided.decision.type !== "approve") return handBack(pass, route, execution, decided);
  const judged = await journal.judge.again(call, execution.args, journal.threads.get(call.threadId));
  if (judged.denied !== undefined)
    return refuse(pass, { verdict: judged.verdict, cwd: route.cwd }, judged.denied, decided);
  const { by, width } = decided;
  const how = { args: execution.args, by, decided, verdict: route.verdict, width };
  const passed = await executeOrAsk(pass, route, how, true);
  // Nothing of the second run was started, so the question stands anew.
  return passed.kind === "stale" ? answerEnd(pass, route, executionId) : passed;
}

/** A person does not want a second run: the first one is the answer, with what became of it. */
function handBack<T>(
  { journal, call }: Pass<T>,
  route: EffectRoute,
  execution: ExecutionRow,
  decided: Decided,
): Passed<T> {
  const { decision, width } = decided;
  const said = decision.type === "reject" ? decision.message?.trim() : undefined;
  const text = `${execution.result ?? ""}\n${refusedText(width, said)}`;
  const receipt = execution.receipt ?? undefined;
  settle(journal, call, route, { ...decided, decided, outcome: "failed", result: text, receipt });
  return { kind: "text", text, isError: true };
}

function wordsOfWider(width: Width | undefined): string {
  if (width === undefined || width === "outside") return "outside of the sandbox";
  const { grant } = readWidth(width);
  if (grant === undefined) return "with more of the folder to write in";
  return grant === "network" ? "with the network" : "with the sockets of this machine";
}

function refusedText(width: Width | undefined, said: string | undefined): string {
  const asked = wordsOfWider(width);
  const why = said ? ` and says: ${said}` : "";
  return `[The sandbox refused it something. The person was asked to run it again ${asked}, does not want that${why}. Do not try it in another form; go on without it, or explain what you need.]`;
}
