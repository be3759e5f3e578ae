/** A call whose effect started before a crash: it is never run again silently (I5), a person says what becomes of it. */
import type { ExecutionId } from "../../shared/ids.ts";
import { askRecovery } from "./ask.ts";
import type { Decided, EffectRoute, Passed } from "./call.ts";
import { executeOrAsk } from "./escalate.ts";
import type { Pass } from "./journal.ts";
import { TurnStopped } from "./run-context.ts";
import { refuse, rejectionText, respond, settle } from "./settle.ts";

/** @throws GateParked, TurnStopped, or the abort reason of the run. */
export async function recoverCall<T>(
  pass: Pass<T>,
  route: EffectRoute,
  executionId: ExecutionId,
): Promise<Passed<T>> {
  const { journal, call } = pass;
  const answer = await askRecovery(pass, executionId);
  if (answer.decision.type === "respond") {
    const known = typeof answer.decision.answer === "string" ? answer.decision.answer : "";
    const result = known || "The app stopped while this ran. The person looked and marked it as done.";
    journal.executions.close(executionId, { outcome: "answered", result });
    return respond(pass, route, answer, result);
  }
  if (answer.decision.type === "reject")
    return stopTurn(pass, route, executionId, answer, answer.decision.message);
  const { args } = journal.executions.get(executionId)!;
  const judged = await journal.judge.again(call, args, journal.threads.get(call.threadId));
  if (judged.denied !== undefined) {
    journal.executions.close(executionId, { outcome: "denied", result: judged.denied });
    return refuse(pass, { verdict: judged.verdict, cwd: route.cwd }, judged.denied, answer);
  }
  const how = { args, by: answer.by, decided: answer, verdict: route.verdict, width: answer.width };
  const passed = await executeOrAsk(pass, route, how);
  if (passed.kind !== "stale") return passed;
  return recoverCall({ ...pass, call: { ...call, face: passed.face ?? call.face } }, route, executionId);
}

function stopTurn<T>(
  { journal, call }: Pass<T>,
  route: EffectRoute,
  executionId: ExecutionId,
  decided: Decided,
  message = "The app stopped while this ran, and the person does not want it run again.",
): never {
  const result = rejectionText(message);
  journal.executions.close(executionId, { outcome: "rejected", result });
  settle(journal, call, route, { ...decided, decided, outcome: "rejected", result });
  throw new TurnStopped("stopped", "You stopped the turn at a step whose outcome was unknown.");
}
