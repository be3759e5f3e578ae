/** The gate every tool call passes: it runs freely, runs under an execution, is refused, or waits for a person. */
import type { Receipt, ToolOutcome } from "../../shared/contract/thread-events.ts";
import { kindOf } from "../../shared/tools/tools.ts";
import { passBarrier } from "../base/barriers.ts";
import { type ExecutionContext, runInExecution } from "./execution-context.ts";
import type { Decided, EffectRoute, GatedCall, GatePorts, Route, Started } from "./gate-ports.ts";
import { runAsJudged } from "./judged-read.ts";
import { type RunContext, TurnStopped, whileBusy } from "./run-context.ts";
import type { ToolFace } from "./tool-face.ts";

/** What a tool gave back: its text, whether it is an error, and the original for LangGraph. */
export type ToolOutput<T> = { text: string; isError: boolean; original: T };

/** What the gate hands back: the tool's own output, or a text that stands in for it. */
export type Passed<T> = { kind: "output"; original: T } | { kind: "text"; text: string; isError: boolean };

export type Run<T> = (args: Record<string, unknown>) => Promise<ToolOutput<T>>;

/** Thrown when the run has to end so that answers can be delivered; the call is walked into again afterwards. */
export class GateParked extends Error {
  override name = "GateParked";
}

/** What was shown or offered is not what is there: nothing was done. */
type Stale = { kind: "stale" /** The server's tool as it is now. */; face: ToolFace | undefined };

/** A refused call that the model repeats this often ends the turn. */
const sameRefusalLimit = 3;

/**
 * Passes one call. Safe to walk into again after a crash at any point: what was decided is not asked again,
 * what finished is not run again, and what started but did not finish is asked about.
 * @throws GateParked, TurnStopped, or the abort reason of the run.
 */
export async function passGate<T>(
  call: GatedCall,
  run: RunContext,
  ports: GatePorts,
  act: Run<T>,
): Promise<Passed<T>> {
  announceCall(call, ports);
  const earlier = ports.earlierExecution(call);
  if (earlier?.state === "finished" || earlier?.state === "closed")
    return {
      kind: "text",
      text: earlier.result ?? "",
      isError: earlier.outcome !== "ok" && earlier.outcome !== "answered",
    };
  const route = await ports.routeOf(call);
  if (route.kind === "free")
    return runFreely(call, run, ports, (args) => runAsJudged(route.readPath, () => act(args)));
  if (route.kind === "unable") return answerUnable(call, route.message, ports);
  if (earlier?.state === "suspended") {
    const passed = await perform(call, ports.continueExecution(call, earlier.id), run, ports, act);
    return passed.kind === "stale" ? answerStale(call, passed, ports) : passed;
  }
  if (earlier) return recover(call, route, earlier.id, run, ports, act);
  if (route.kind === "refuse") return refuse(call, route, run, ports);
  if (route.kind === "run") {
    const how = { args: call.args, by: route.by, decided: undefined, verdict: route.verdict };
    const passed = await execute(call, route, run, ports, act, how);
    return passed.kind === "stale" ? answerStale(call, passed, ports) : passed;
  }
  return askThenAct(call, route, run, ports, act);
}

/** What a call throws that waits for a person inside of it; `cause` is what its source knows that by. */
export class CallSuspended extends Error {}

/** Nothing happened and nobody needs to be asked: the reason is the tool's answer. */
function answerUnable<T>(call: GatedCall, why: string, ports: GatePorts): Passed<T> {
  ports.finishCall(call, { outcome: "failed", result: why });
  return { kind: "text", text: why, isError: true };
}

/** Nobody was asked about this call, so nobody is asked again; the model looks and decides anew. */
function answerStale<T>(call: GatedCall, { face }: Stale, ports: GatePorts): Passed<T> {
  const why = face
    ? `The server changed ${call.tool} since it was offered to you, so it was not called. What it is now: ${face.description}`
    : "The file changed in the meantime, so nothing was written. Read it again before you change it.";
  return answerUnable(call, why, ports);
}

/** Shows the call in the transcript, once. */
export function announceCall(call: GatedCall, ports: GatePorts): void {
  if (ports.hasItem(call.threadId, call.itemId)) return;
  const { itemId, turnId, parentItemId, agentPath, toolCallId, tool } = call;
  const args = Object.fromEntries(
    Object.entries(call.args).map(([name, value]) => [
      name,
      typeof value === "string" ? shorten(value) : value,
    ]),
  );
  ports.record(call.threadId, [
    { type: "toolCall.requested", itemId, turnId, parentItemId, agentPath, toolCallId, tool, args },
  ]);
}

async function runFreely<T>(
  call: GatedCall,
  run: RunContext,
  ports: GatePorts,
  act: Run<T>,
): Promise<Passed<T>> {
  // A sub-agent counts its own work; the call around it only waits.
  const output =
    kindOf(call.tool) === "delegate" ? await act(call.args) : await whileBusy(run, () => act(call.args));
  ports.record(call.threadId, [
    {
      type: "toolCall.finished",
      itemId: call.itemId,
      outcome: output.isError ? "failed" : "ok",
      result: shorten(output.text),
    },
  ]);
  return { kind: "output", original: output.original };
}

async function askThenAct<T>(
  call: GatedCall,
  route: Extract<Route, { kind: "ask" }>,
  run: RunContext,
  ports: GatePorts,
  act: Run<T>,
): Promise<Passed<T>> {
  const decided = ports.decidedOf(call) ?? (await ports.ask(call, route, run.signal));
  if (decided === "parked") throw new GateParked();
  if ("unable" in decided) return answerUnable(call, decided.unable, ports);
  const { decision, by } = decided;
  if (decision.type === "reject") {
    const result = rejectionText(decision.message);
    ports.settle(call, route, { decision, by, decided, outcome: "rejected", result });
    countRefusal(call, run);
    return { kind: "text", text: result, isError: true };
  }
  if (decision.type === "respond") {
    const result = typeof decision.answer === "string" ? decision.answer : JSON.stringify(decision.answer);
    ports.settle(call, route, { decision, by, decided, outcome: "answered", result });
    return { kind: "text", text: result, isError: false };
  }
  const args = decision.type === "edit" ? decision.args : decided.args;
  const judged = await ports.judgeAgain(call, args);
  if (judged.denied) return refuse(call, denialOf(judged, route), run, ports, decided);
  const verdict = decision.type === "edit" ? judged.verdict : decided.verdict;
  const how = { args, by, decided, verdict, mayAskAgain: true };
  const passed = await execute(call, route, run, ports, act, how);
  if (passed.kind !== "stale") return passed;
  // What is there is not what was shown, or nothing could be started: what it is now is asked about.
  return askThenAct({ ...call, face: passed.face ?? call.face }, route, run, ports, act);
}

function denialOf(
  judged: Awaited<ReturnType<GatePorts["judgeAgain"]>>,
  { cwd }: { cwd: string },
): Extract<Route, { kind: "refuse" }> {
  return { kind: "refuse", verdict: judged.verdict, message: judged.denied ?? "", cwd };
}

/** A crash came between start and finish: never run again silently (I5). */
async function recover<T>(
  call: GatedCall,
  route: EffectRoute,
  executionId: Parameters<GatePorts["askRecovery"]>[1],
  run: RunContext,
  ports: GatePorts,
  act: Run<T>,
): Promise<Passed<T>> {
  const answer = await ports.askRecovery(call, executionId, run.signal);
  if (answer === "parked") throw new GateParked();
  if (answer.decision.type === "respond") {
    const known = typeof answer.decision.answer === "string" ? answer.decision.answer : "";
    const result = known || "The app stopped while this ran. The person looked and marked it as done.";
    ports.closeExecution(call, executionId, { outcome: "answered", result });
    ports.settle(call, route, {
      decision: answer.decision,
      by: answer.by,
      decided: answer,
      outcome: "answered",
      result,
    });
    return { kind: "text", text: result, isError: false };
  }
  if (answer.decision.type === "reject") {
    const result = rejectionText(
      answer.decision.message ?? "The app stopped while this ran, and the person does not want it run again.",
    );
    ports.closeExecution(call, executionId, { outcome: "rejected", result });
    ports.settle(call, route, {
      decision: answer.decision,
      by: answer.by,
      decided: answer,
      outcome: "rejected",
      result,
    });
    throw new TurnStopped("stopped", "You stopped the turn at a step whose outcome was unknown.");
  }
  const args = ports.argsOf(executionId);
  const judged = await ports.judgeAgain(call, args);
  if (judged.denied) {
    ports.closeExecution(call, executionId, { outcome: "denied", result: judged.denied });
    return refuse(call, denialOf(judged, route), run, ports, answer);
  }
  const how = { args, by: answer.by, decided: answer, verdict: route.verdict };
  const passed = await execute(call, route, run, ports, act, how);
  if (passed.kind !== "stale") return passed;
  const now = { ...call, face: passed.face ?? call.face };
  return recover(now, route, executionId, run, ports, act);
}

function refuse<T>(
  call: GatedCall,
  route: Extract<Route, { kind: "refuse" }>,
  run: RunContext,
  ports: GatePorts,
  decided?: Decided,
): Passed<T> {
  const decision = { type: "reject" as const, message: route.message };
  ports.settle(call, route, {
    decision,
    by: decided?.by ?? { kind: "policy" },
    decided,
    outcome: "denied",
    result: route.message,
  });
  countRefusal(call, run);
  return { kind: "text", text: route.message, isError: true };
}

function countRefusal(call: GatedCall, run: RunContext): void {
  const same = `${call.tool} ${JSON.stringify(call.args)}`;
  const times = (run.refusals.get(same) ?? 0) + 1;
  run.refusals.set(same, times);
  if (times >= sameRefusalLimit)
    throw new TurnStopped(
      "failed",
      `The agent asked for the same refused ${call.tool} call ${times} times, so the turn was stopped. Tell it another way.`,
    );
}

/** `mayAskAgain`: a person approved it, and is asked anew when nothing could be started. */
type How = Parameters<GatePorts["startExecution"]>[2] & { mayAskAgain?: boolean };

async function execute<T>(
  call: GatedCall,
  route: EffectRoute,
  run: RunContext,
  ports: GatePorts,
  act: Run<T>,
  { mayAskAgain, ...how }: How,
): Promise<Passed<T> | Stale> {
  run.signal.throwIfAborted();
  const started = await ports.startExecution(call, route, how);
  passBarrier("execution-started");
  // The run ended while the row went to disk: nothing has begun, and whoever goes on finds the decision as it was.
  if (run.signal.aborted) {
    ports.dropExecution(call, started.executionId, how.decided);
    run.signal.throwIfAborted();
  }
  return perform(call, started, run, ports, act, mayAskAgain);
}

/** Runs the effect under its execution and writes the receipt, whatever comes of it. */
async function perform<T>(
  call: GatedCall,
  started: Started,
  run: RunContext,
  ports: GatePorts,
  act: Run<T>,
  mayAskAgain = false,
): Promise<Passed<T> | Stale> {
  const startedAt = performance.now();
  const context = newExecution(started, run.signal);
  const finish = (outcome: ToolOutcome, text: string) => {
    passBarrier("effect-done");
    const receipt: Receipt = {
      ...context.receipt,
      executionId: started.executionId,
      durationMs: Math.round(performance.now() - startedAt),
    };
    ports.finishExecution(call, started.executionId, { outcome, result: text, receipt });
  };
  const drop = (): Stale => {
    ports.dropExecution(call, started.executionId);
    return { kind: "stale", face: context.faceNow };
  };
  let output: ToolOutput<T>;
  try {
    output = await whileBusy(run, () => runInExecution(context, () => act(started.args)));
  } catch (error) {
    if (context.stale) return drop();
    if (error instanceof CallSuspended) ports.suspendExecution(call, started.executionId);
    // Also after a stop: what the effect did until then must be on disk, or it would be asked about as unknown.
    else finish(context.cancelled || run.signal.aborted ? "cancelled" : "failed", messageOf(error));
    throw error;
  }
  if (context.stale) return drop();
  if (context.notStarted !== undefined && mayAskAgain) {
    const text = `${context.notStarted} It is asked about again.`;
    ports.record(call.threadId, [
      { type: "notice.added", itemId: `not-started:${started.executionId}`, level: "warning", text },
    ]);
    return drop();
  }
  const failed =
    context.notStarted !== undefined ||
    output.isError ||
    context.failed ||
    (context.receipt.exitCode ?? 0) !== 0;
  finish(context.cancelled ? "cancelled" : failed ? "failed" : "ok", output.text);
  return { kind: "output", original: output.original };
}

function newExecution(started: Started, signal: AbortSignal): ExecutionContext {
  const nothingYet = { receipt: {}, cancelled: false, failed: false, stale: false };
  return { ...started, signal, ...nothingYet, notStarted: undefined, faceNow: undefined };
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function rejectionText(message: string | undefined): string {
  const reason = message?.trim();
  return reason
    ? `The person rejected this call and says: ${reason}`
    : "The person rejected this call. Do not try it again unchanged; ask what they want instead, or go on without it.";
}

const shownResultChars = 20_000;

/** The transcript keeps the head and the tail of a long result; the model's own copy is in the checkpoint. */
export function shorten(text: string): string {
  if (text.length <= shownResultChars) return text;
  const half = shownResultChars / 2;
  return `${text.slice(0, half)}\n… ${text.length - shownResultChars} characters left out …\n${text.slice(-half)}`;
}
