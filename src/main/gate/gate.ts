/** The gate every tool call passes: it runs freely, runs under an execution, is refused, or waits for a person. */
import { kindOf } from "../../shared/tools/tools.ts";
import { giveWayAfter } from "../base/give-way.ts";
import { textOrJson } from "../base/text-or-json.ts";
import { answerAside } from "./aside.ts";
import { ask, decidedOf } from "./ask.ts";
import type { AskRoute, Passed, RunRoute, Stale } from "./call.ts";
import { escalationOf } from "./escalation.ts";
import { answerEnd, executeOrAsk, resume } from "./execute.ts";
import type { Pass } from "./journal.ts";
import { routeOf } from "./judge.ts";
import { announceCall, recordEnd, toldResult } from "./record.ts";
import { recoverCall } from "./recover-call.ts";
import { responseOf } from "./response.ts";
import { countAsBusy, runAsJudged } from "./run-context.ts";
import { answerStale, answerUnable, refuse, reject, respond } from "./settle.ts";

/**
 * Passes one call. Safe to walk into again after a crash at any point: what was decided is not asked again,
 * what finished is not run again, and what started but did not finish is asked about.
 * @throws GateParked, TurnStopped, or the abort reason of the run.
 */
export async function passGate<T>(pass: Pass<T>): Promise<Passed<T>> {
  const passed = await passCall(pass);
  await answerAside(pass);
  return passed;
}

async function passCall<T>(pass: Pass<T>): Promise<Passed<T>> {
  const { journal, call } = pass;
  announceCall(journal, call);
  const earlier = journal.executions.latestOf(call.key);
  if (earlier?.state === "finished" && (escalationOf(journal, earlier) ?? responseOf(journal, earlier)))
    return unlessStale(pass, await answerEnd(pass, (await routeOf(journal, call)).route, earlier.id));
  if (earlier?.state === "finished" || earlier?.state === "closed") {
    const isError = earlier.outcome !== "ok" && earlier.outcome !== "answered";
    return { kind: "text", text: earlier.result ?? toldResult(journal, call), isError };
  }
  const { route, isNew } = await routeOf(journal, call);
  if (route.kind === "free") return runFreely(pass, route.readPath);
  if (route.kind === "unable") return answerUnable(pass, route.message);
  if (earlier?.state === "suspended") {
    const passed = await resume(pass, earlier.id);
    if (passed.kind === "endAsked") return unlessStale(pass, await answerEnd(pass, route, earlier.id));
    return unlessStale(pass, passed);
  }
  if (earlier) return recoverCall(pass, route, earlier.id);
  if (route.kind === "refuse") return refuse(pass, route, route.message);
  if (route.kind === "ask") return askThenAct(pass, route, isNew);
  // What was to be confined and could not be was asked about before a crash.
  if (journal.approvals.latestOf(call.key)) return askOutside(pass, route);
  if (!(await journal.judge.mayStillRun(call, route, journal.threads.get(call.threadId))))
    return askThenAct(pass, journal.judge.askInstead(call, route, route.width, noLonger));
  const { by, verdict, width } = route;
  const passed = await executeOrAsk(pass, route, { args: call.args, by, decided: undefined, verdict, width });
  if (passed.kind !== "stale") return passed;
  return passed.notConfined === undefined
    ? answerStale(pass, passed)
    : askOutside(pass, route, passed.notConfined);
}

const unlessStale = <T>(pass: Pass<T>, passed: Passed<T> | Stale): Passed<T> =>
  passed.kind === "stale" ? answerStale(pass, passed) : passed;

/** Never without a person: a sandbox that was relied on and is not there is no permission to do without it (I8). */
function askOutside<T>(
  pass: Pass<T>,
  route: RunRoute,
  why = "It was to run confined, and that could not be done.",
): Promise<Passed<T>> {
  return askThenAct(pass, pass.journal.judge.askInstead(pass.call, route, "outside", why));
}

const noLonger =
  "It was to run confined without a question. Since then your settings, the trust in the folder or the sandbox changed.";

/** @param readPath the one real path that it may read. */
async function runFreely<T>(
  { journal, call, run, act }: Pass<T>,
  readPath: string | undefined,
): Promise<Passed<T>> {
  const runIt = () => runAsJudged(readPath, () => act(call.args));
  // A sub-agent counts its own work; the call around it only waits.
  const output = kindOf(call.tool) === "delegate" ? await runIt() : await countAsBusy(run, runIt);
  recordEnd(journal, call, { outcome: output.isError ? "failed" : "ok", result: output.text });
  return { kind: "output", original: output.original };
}

/** @param isDrawn the route shows what is there now. */
async function askThenAct<T>(pass: Pass<T>, route: AskRoute, isDrawn = false): Promise<Passed<T>> {
  const { journal, call } = pass;
  const decided = decidedOf(journal, call) ?? (await ask(pass, route, isDrawn));
  if ("unable" in decided) return answerUnable(pass, decided.unable);
  const { decision, by } = decided;
  if (decision.type === "reject") return reject(pass, route, { ...decided, decision });
  if (decision.type === "respond") {
    const { answer } = decision;
    return respond(pass, route, decided, textOrJson(answer));
  }
  const isEdited = decision.type === "edit";
  const args = isEdited ? decision.args : decided.args;
  await giveWayAfter(args);
  const judged = await journal.judge.again(call, args, journal.threads.get(call.threadId));
  if (judged.denied !== undefined)
    return refuse(pass, { verdict: judged.verdict, cwd: route.cwd }, judged.denied, decided);
  await giveWayAfter(args);
  const { width } = decided;
  const how = { args, by, decided, verdict: isEdited ? judged.verdict : decided.verdict, width };
  const passed = await executeOrAsk(pass, route, how, true);
  if (passed.kind !== "stale") return passed;
  // What is there is not what was shown, or nothing could be started: what it is now is asked about.
  const { notConfined } = passed;
  const now: AskRoute = notConfined
    ? { ...route, width: "outside", description: [route.description, notConfined].filter(Boolean).join("\n") }
    : route;
  return askThenAct({ ...pass, call: { ...call, face: passed.face ?? call.face } }, now);
}
