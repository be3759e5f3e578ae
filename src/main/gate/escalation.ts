/** The question about a command that the sandbox refused something, with what it printed: does it run again, and reach further? */
import type { Width } from "../../shared/contract/decisions.ts";
import type { Subject } from "../../shared/contract/subjects.ts";
import type { ApprovalRow, NewApproval } from "../approvals/approval-row.ts";
import { digestOf, firstRunOf } from "../approvals/digest.ts";
import type { ExecutionRow } from "../approvals/execution-store.ts";
import type { Refusals } from "../sandbox/find-refusals.ts";
import { aboutExecution, askedAbout, fileQuestion, toDecided, waitForDecision } from "./ask.ts";
import type { Decided, GatedCall } from "./call.ts";
import type { Journal, Pass } from "./journal.ts";

/** One for a call: what is refused a second time is asked about no more. */
export const escalationKey = (callKey: string) => `${callKey}#escalation`;

/** The question about this very execution; undefined where the sandbox refused it nothing, or nobody was asked. */
export const escalationOf = (journal: Journal, execution: ExecutionRow) =>
  askedAbout(journal, escalationKey(execution.callKey), "escalation", execution);

/** Puts the question into the queue what becomes of a command that the sandbox refused something. */
export function fileEscalation(
  journal: Journal,
  { agentPath }: Pick<GatedCall, "agentPath">,
  execution: ExecutionRow,
  { lines, width }: Refusals,
): ApprovalRow {
  const { workspace: cwd } = journal.threads.get(execution.threadId);
  const output = (execution.result ?? "").slice(-shownOutput);
  const exitCode = execution.receipt?.exitCode ?? null;
  const changed = journal.changedBy(execution.id, cwd);
  const facts = { refused: [...lines], output, exitCode, changed, width, agentPath, cwd };
  return fileQuestion(journal, toEscalationQuestion(execution, facts));
}

/** Of long output its end says why it failed. */
const shownOutput = 4_000;

/**
 * What was decided about a command that the sandbox refused something. Rejected stays rejected, however often it is read.
 * @throws GateParked, or the abort reason of the run.
 */
export async function askEscalation<T>(
  { journal, call, run }: Pass<T>,
  execution: ExecutionRow,
): Promise<Decided> {
  const key = escalationKey(call.key);
  const asked = journal.approvals.latestOf(key);
  if (asked?.status === "decided" && asked.decision?.type === "reject" && asked.consumedAt !== undefined)
    return toDecided(asked);
  const file = () => {
    // Its second run could not be started, or its turn was stopped: the same is asked anew.
    if (asked?.subject.kind !== "escalation" || asked.width === undefined)
      throw new Error("Nothing was refused.");
    return fileEscalation(journal, call, execution, { lines: asked.subject.refused, width: asked.width });
  };
  return waitForDecision<never>(journal, key, run, file);
}

/** What a card tells of a command that the sandbox refused something; the refused lines are the command's own words. */
export type EscalationFacts = Pick<
  Extract<Subject, { kind: "escalation" }>,
  "refused" | "output" | "exitCode" | "changed"
> & { width: Width; agentPath: string[]; cwd: string };

/** The sandbox refused it something: run it again, and reach further? */
export function toEscalationQuestion(execution: ExecutionRow, known: EscalationFacts): NewApproval {
  const { id: executionId, threadId, tool, args, what } = execution;
  const { agentPath: _path, cwd, width, ...shown } = known;
  const callKey = escalationKey(execution.callKey);
  const reason = "it ran confined, and it looks as if the sandbox refused it something";
  const subject: Subject = { kind: "escalation", command: what, executionId, ...shown };
  return {
    ...aboutExecution(execution, known, reason),
    callKey,
    kind: "escalation",
    subject,
    width,
    allowed: ["approve", "reject"],
    digest: digestOf({ threadId, callKey, tool, args, cwd, width, firstRun: firstRunOf(subject) }),
    shape: `escalation ${tool}`,
  };
}
