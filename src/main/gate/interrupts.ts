/** What a tool itself asks in the middle of its work, a raw `interrupt(value)`, and what was answered. */
import { type NewApproval, newApprovalId } from "../approvals/approval-row.ts";
import { digestOf } from "../approvals/digest.ts";
import { fileQuestion } from "./ask.ts";
import { type GatedCall, placeOf } from "./call.ts";
import type { Journal } from "./journal.ts";
import { toQuestionSubject } from "./question-subject.ts";

const interruptKey = (callKey: string) => `${callKey}#interrupt`;

/** Puts what a tool itself asks, a raw `interrupt(value)`, into the queue. */
export function askInterrupt(
  journal: Journal,
  call: GatedCall,
  interrupt: { id: string; value: unknown },
): void {
  const { workspace } = journal.threads.get(call.threadId);
  fileQuestion(journal, toInterruptQuestion(call, interrupt, workspace));
}

/** What was answered to the raw interrupts of a call before, in the order they were asked; each is used up by this. */
export function answersOf({ approvals, now }: Journal, call: GatedCall): unknown[] {
  const answered = approvals
    .ofCall(interruptKey(call.key))
    .filter((row) => row.status === "decided" && (row.effectiveAt ?? 0) <= now());
  for (const row of answered) approvals.consume(row.id);
  return answered.map((row) => (row.decision?.type === "respond" ? row.decision.answer : null));
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
