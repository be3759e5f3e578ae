/** The question about what a request to the web brought back: does the agent read it, or not? Nothing is fetched for an answer. */
import type { Subject } from "../../shared/contract/subjects.ts";
import { kindOf } from "../../shared/tools/tools.ts";
import type { ApprovalRow, NewApproval } from "../approvals/approval-row.ts";
import { digestOf } from "../approvals/digest.ts";
import type { ExecutionRow } from "../approvals/execution-store.ts";
import { textOrJson } from "../base/text-or-json.ts";
import { aboutExecution, askedAbout, fileQuestion, toDecided, waitForDecision } from "./ask.ts";
import type { Decided, GatedCall, Judged, Passed } from "./call.ts";
import type { Journal, Pass } from "./journal.ts";
import { settle } from "./settle.ts";

/** One for a call. */
export const responseKey = (callKey: string) => `${callKey}#response`;

/** Whether what it brings back waits for a person: they said so of this request, or of all. Also after a crash. */
export function holdsResponse(
  { settings, approvals }: Pick<Journal, "settings" | "approvals">,
  { tool, key }: Pick<GatedCall, "tool" | "key">,
): boolean {
  if (kindOf(tool) !== "web") return false;
  const decision = approvals.latestOf(key)?.decision;
  const isAskedFor = decision && "holdResponse" in decision && decision.holdResponse === true;
  return isAskedFor || settings.get().holdResponses;
}

/** The question about what this very execution brought back. */
export const responseOf = (journal: Journal, execution: ExecutionRow) =>
  askedAbout(journal, responseKey(execution.callKey), "response", execution);

/** Puts the question into the queue, with every character that the agent would read. */
export function fileResponse(
  journal: Journal,
  { agentPath }: Pick<GatedCall, "agentPath">,
  execution: ExecutionRow,
): ApprovalRow {
  const { workspace: cwd } = journal.threads.get(execution.threadId);
  return fileQuestion(journal, toResponseQuestion(execution, { agentPath, cwd }));
}

/** What it brought back is shown; does the agent read it? */
export function toResponseQuestion(
  execution: ExecutionRow,
  known: { agentPath: string[]; cwd: string },
): NewApproval {
  const { id: executionId, threadId, tool, args, what: request, result, outcome } = execution;
  const callKey = responseKey(execution.callKey);
  const subject: Subject = {
    ...{ kind: "response", request, executionId },
    ...{ text: result ?? "", failed: outcome !== "ok" },
  };
  return {
    ...aboutExecution(execution, known, "the agent has not read what it brought back"),
    callKey,
    kind: "response",
    subject,
    allowed: ["approve", "reject", "respond"],
    digest: digestOf({ threadId, callKey, tool, args, cwd: known.cwd, firstRun: subject }),
    shape: `response ${tool}`,
  };
}

/**
 * Waits for what a person says of the response, and hands over just that. What was said stays said, however often the call comes again.
 * @throws GateParked, or the abort reason of the run.
 */
export async function answerResponse<T>(
  { journal, call, run }: Pass<T>,
  { cwd }: Pick<Judged, "cwd">,
  execution: ExecutionRow,
): Promise<Passed<T>> {
  const asked = responseOf(journal, execution);
  const file = () => fileResponse(journal, call, execution);
  const decided =
    asked?.consumedAt !== undefined && asked.decision
      ? toDecided(asked)
      : await waitForDecision<never>(journal, responseKey(call.key), run, file);
  const end = endOf(decided, execution);
  const { receipt } = execution;
  settle(journal, call, { ...decided, cwd }, { ...decided, ...end, decided, receipt: receipt ?? undefined });
  return { kind: "text", text: end.result, isError: end.outcome !== "ok" && end.outcome !== "answered" };
}

function endOf({ decision }: Decided, { outcome, result }: ExecutionRow) {
  if (decision.type === "approve") return { outcome: outcome ?? ("ok" as const), result: result ?? "" };
  if (decision.type === "respond")
    return { outcome: "answered" as const, result: textOrJson(decision.answer) };
  const said = decision.type === "reject" ? decision.message?.trim() : undefined;
  const why = said ? ` and says: ${said}` : "";
  return {
    outcome: "rejected" as const,
    result: `The request was made, and the person read the response and keeps it back from you${why}. Do not ask for it another way; go on without it.`,
  };
}
