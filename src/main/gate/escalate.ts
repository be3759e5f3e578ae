/**
 * What the sandbox refused a command is asked about once, with what it printed: nobody runs it a second time without a
 * person. The end of the first run and the question about it are one commit, so that a crash leaves both or none.
 */
import type { Width } from "../../shared/contract/decisions.ts";
import type { ExecutionId } from "../../shared/ids.ts";
import type { ApprovalRow } from "../approvals/approval-row.ts";
import type { ExecutionRow } from "../approvals/execution-store.ts";
import { askEscalation } from "./ask.ts";
import type { How } from "./begin-execution.ts";
import type { Decided, EffectRoute, Passed, Route, Stale } from "./call.ts";
import { execute } from "./execute.ts";
import type { Journal, Pass } from "./journal.ts";
import { escalationKey } from "./questions.ts";
import { addToLedger, finishCall } from "./record.ts";
import { refuse } from "./settle.ts";

/** Runs the effect, and where the sandbox refused it, what a person says about a second run. */
export async function executeOrAsk<T>(
  pass: Pass<T>,
  route: EffectRoute,
  how: How,
  mayAskAgain = false,
): Promise<Passed<T> | Stale> {
  const passed = await execute(pass, route, how, mayAskAgain);
  return passed.kind === "escalated" ? answerRefused(pass, route, passed.executionId) : passed;
}

/** The question about this very execution; undefined where the sandbox refused it nothing, or nobody was asked. */
export function escalationOf({ approvals }: Journal, execution: ExecutionRow): ApprovalRow | undefined {
  const row = approvals.latestOf(escalationKey(execution.callKey));
  const isAbout = row?.subject.kind === "escalation" && row.subject.executionId === execution.id;
  return isAbout ? row : undefined;
}

/**
 * Goes on with a call whose execution was refused, in this run or before a crash.
 * @throws GateParked, or the abort reason of the run.
 */
export async function answerRefused<T>(
  pass: Pass<T>,
  route: Route,
  executionId: ExecutionId,
): Promise<Passed<T> | Stale> {
  const { journal, call } = pass;
  const execution = journal.executions.get(executionId)!;
  if (route.kind === "free" || route.kind === "unable") throw new Error("What has no effect was refused.");
  const decided = await askEscalation(pass, execution);
  if (decided.decision.type !== "approve") return handBack(pass, route, execution, decided);
  const judged = await journal.judge.again(call, execution.args, journal.threads.get(call.threadId));
  if (judged.denied !== undefined)
    return refuse(pass, { verdict: judged.verdict, cwd: route.cwd }, judged.denied, decided);
  const { by, width } = decided;
  const how = { args: execution.args, by, decided, verdict: route.verdict, width };
  const passed = await executeOrAsk(pass, route, how, true);
  // Nothing of the second run was started, so the question stands anew.
  return passed.kind === "stale" ? answerRefused(pass, route, executionId) : passed;
}

/** A person does not want a second run: the first one is the answer, with what became of it. */
function handBack<T>(
  { journal, call }: Pass<T>,
  route: EffectRoute,
  execution: ExecutionRow,
  decided: Decided,
): Passed<T> {
  const { decision, by, approvalId, seen, width } = decided;
  const said = decision.type === "reject" ? decision.message?.trim() : undefined;
  const text = `${execution.result ?? ""}\n${refusedText(width, said)}`;
  journal.database.transaction(() => {
    const item = journal.log.item(call.threadId, call.itemId);
    journal.approvals.consume(approvalId);
    if (item?.kind === "toolCall" && item.state === "finished") return;
    const { verdict, cwd } = route;
    addToLedger(journal, call, { verdict, decision, by, width, seen, cwd, approvalId });
    const receipt = execution.receipt ?? undefined;
    finishCall(journal, call, { outcome: "failed", result: text, receipt });
  })();
  return { kind: "text", text, isError: true };
}

function refusedText(width: Width | undefined, said: string | undefined): string {
  const asked = width === "outside" ? "outside of the sandbox" : "with more of the folder to write in";
  const why = said ? ` and says: ${said}` : "";
  return `[The sandbox refused it something. The person was asked to run it again ${asked}, does not want that${why}. Do not try it in another form; go on without it, or explain what you need.]`;
}
