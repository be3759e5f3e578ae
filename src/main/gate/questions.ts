/** The questions a gate puts into the queue, as rows: about a tool call, a raw interrupt, or an outcome a crash left unknown. */
import { randomUUID } from "node:crypto";
import type { Width } from "../../shared/contract/decisions.ts";
import type { Subject } from "../../shared/contract/subjects.ts";
import type { ApprovalId, ExecutionId, ThreadId } from "../../shared/ids.ts";
import type { NewApproval } from "../approvals/approval-row.ts";
import { digestOf, firstRunOf } from "../approvals/digest.ts";
import type { ExecutionRow } from "../approvals/execution-store.ts";
import type { AskRoute, GatedCall } from "./call.ts";
import { toQuestionSubject } from "./question-subject.ts";
import type { RunContext } from "./run-context.ts";

/** One for each execution whose outcome is unknown. */
export const recoveryKey = (callKey: string, executionId: ExecutionId) =>
  `${callKey}#recovery:${executionId}`;
/** One for what a tool asks in the middle of its work. */
export const interruptKey = (callKey: string) => `${callKey}#interrupt`;

/** One for a call: what is refused a second time is asked about no more. */
export const escalationKey = (callKey: string) => `${callKey}#escalation`;

/** One for a thread: it has one limit. */
export const spendingKey = (threadId: ThreadId) => `${threadId}#spending`;

/** @returns an id that no other approval has, in any data directory. */
export function newApprovalId(): ApprovalId {
  return `appr-${randomUUID()}` as ApprovalId;
}

/** May this call run? */
export function toQuestion(call: GatedCall, route: AskRoute): NewApproval {
  const { cwd, subject, description, verdict, origins, width, risk, allowed, argsSchema, baseHash, shape } =
    route;
  const { threadId, key: callKey, tool, args } = call;
  const digest = digestOf({ threadId, callKey, tool, args, cwd, baseHash, width });
  return {
    askedBy: "gate",
    ...placeOf(call),
    id: newApprovalId(),
    callKey,
    kind: "tool",
    cwd,
    subject,
    description,
    verdict,
    origins,
    width,
    risk,
    allowed,
    argsSchema,
    baseHash,
    digest,
    shape,
  };
}

/** What does the person answer to a raw `interrupt(value)` in a tool? */
export function toInterruptQuestion(
  call: GatedCall,
  interrupt: { id: string; value: unknown },
  cwd: string,
): NewApproval {
  const callKey = interruptKey(call.key);
  const { threadId, tool } = call;
  return {
    askedBy: "gate",
    ...placeOf(call),
    id: newApprovalId(),
    callKey,
    kind: "interrupt",
    cwd,
    subject: toQuestionSubject(interrupt.value),
    verdict: { verdict: "new", units: [] },
    risk: "medium",
    allowed: ["respond"],
    value: interrupt.value,
    interruptId: interrupt.id,
    digest: digestOf({ threadId, callKey, tool, args: { value: interrupt.value }, cwd }),
    shape: `question ${tool}`,
  };
}

/** What running it again would do to the world as it is now; empty for what leaves nothing to draw. */
export type RecoveryDrawing = {
  change?: Extract<Subject, { kind: "recovery" }>["change"];
  baseHash?: string;
  /** What a person should know before they run it again. */
  note?: string;
};

/** What every question about what was started before says of it; it is never of a lower risk. */
function aboutExecution(
  { threadId, turnId, itemId, tool, args, what }: ExecutionRow,
  { agentPath, cwd }: { agentPath: string[]; cwd: string },
  reason: string,
) {
  return {
    askedBy: "gate" as const,
    id: newApprovalId(),
    threadId,
    turnId,
    itemId,
    agentPath,
    tool,
    args,
    cwd,
    verdict: { verdict: "ask" as const, units: [{ text: what, verdict: "ask" as const, reason }] },
    risk: "high" as const,
  };
}

/** It started before a crash; run it again, take it for done, or stop? */
export function toRecoveryQuestion(
  execution: ExecutionRow,
  known: RecoveryDrawing & { agentPath: string[]; cwd: string; output: string },
): NewApproval {
  const { id: executionId, threadId, tool, args, what, startedAt } = execution;
  const { cwd, output, change, baseHash, note } = known;
  const callKey = recoveryKey(execution.callKey, executionId);
  const width = execution.width ?? undefined;
  const reason = "it started before a crash and its outcome is unknown";
  return {
    ...aboutExecution(execution, known, reason),
    callKey,
    kind: "recovery",
    subject: { kind: "recovery", what, startedAt, output, executionId, change },
    description: describeRecovery(note),
    width,
    allowed: ["approve", "respond", "reject"],
    baseHash,
    digest: digestOf({ threadId, callKey, tool, args, cwd, baseHash, width }),
    shape: `recovery ${tool}`,
  };
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

/** @param note what is known besides, such as what the disk shows. */
export function describeRecovery(note: string | undefined): string {
  const unknown = "The app stopped while this ran, so nobody knows whether it finished.";
  return note ? `${unknown} ${note}` : unknown;
}

/** What a thread is estimated to have cost, and where it waits, in US dollars; `more`: some calls have no price. */
export type SpendingStand = { dollars: number; more: boolean; limit: number };

/** May this thread go on? @param nextLimit in US dollars, where it waits again. */
export function toSpendingQuestion(
  { threadId, turnId }: Pick<RunContext, "threadId" | "turnId">,
  cwd: string,
  stand: SpendingStand,
  nextLimit: number,
): NewApproval {
  const callKey = spendingKey(threadId);
  const subject = { kind: "spending" as const, ...stand, nextLimit };
  const reason = "the thread reached its spending limit";
  return {
    askedBy: "gate",
    id: newApprovalId(),
    callKey,
    kind: "spending",
    threadId,
    turnId,
    itemId: `spending:${turnId}`,
    agentPath: [],
    tool: "spending",
    args: {},
    cwd,
    subject,
    verdict: { verdict: "ask", units: [{ text: "go on", verdict: "ask", reason }] },
    risk: "medium",
    allowed: ["approve", "reject"],
    digest: digestOf({ threadId, callKey, tool: "spending", args: subject, cwd }),
    shape: `spending ${threadId}`,
  };
}

/** Which call it is about, and what the agent said before it. */
export function placeOf({ threadId, turnId, itemId, agentPath, tool, args, said }: GatedCall) {
  return { threadId, turnId, itemId, agentPath, tool, args, said };
}
