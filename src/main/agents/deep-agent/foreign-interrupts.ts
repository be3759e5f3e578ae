/** Interrupts no gate filed: stock HITL batches and foreign graphs; their answers travel keyed, whole and in order. */
import { z } from "zod";
import type { Decision, DecisionType } from "../../../shared/contract/decisions.ts";
import { decisionTypeSchema } from "../../../shared/contract/decisions.ts";
import type { ThreadId, TurnId } from "../../../shared/ids.ts";
import { wayOf } from "../../approvals/answers.ts";
import { type ApprovalRow, type NewApproval, newApprovalId } from "../../approvals/approval-row.ts";
import type { ApprovalStore } from "../../approvals/approval-store.ts";
import { canonicalJson, digestOf } from "../../approvals/digest.ts";
import { toQuestionSubject } from "../../tools/question-subject.ts";

/** `HITLRequest` of langchain 1.5: one interrupt for all gated calls of a turn, decided by position. */
const batchSchema = z.object({
  actionRequests: z
    .array(
      z.object({
        name: z.string(),
        args: z.record(z.string(), z.unknown()),
        description: z.string().optional(),
      }),
    )
    .min(1),
  reviewConfigs: z.array(
    z.object({
      actionName: z.string(),
      allowedDecisions: z.array(z.string()),
      argsSchema: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
});

/** The stock middleware of JavaScript throws at anything else, and a thread that was given it is stuck for good. */
const stockDecisions: DecisionType[] = ["approve", "edit", "reject"];

/** What a graph asks that knows no gate. */
export type ForeignInterrupt = { id: string; value: unknown };

type Place = { threadId: ThreadId; turnId: TurnId; cwd: string };

/** Puts an interrupt into the queue that no gate filed; one that is there already stays as it is. */
export function askForeign(approvals: ApprovalStore, place: Place, interrupt: ForeignInterrupt): void {
  const known = approvals.ofInterrupt(place.threadId, interrupt.id);
  if (known.some(({ askedBy, status }) => askedBy === "gate" || status === "pending")) return;
  for (const question of toForeignQuestions(place, interrupt)) approvals.ask(question);
}

/** The questions of one interrupt: one per action of a batch, else one with the value as it came. */
export function toForeignQuestions(place: Place, interrupt: ForeignInterrupt): NewApproval[] {
  const base = {
    ...place,
    askedBy: "foreign" as const,
    itemId: `interrupt:${interrupt.id}`,
    agentPath: [],
    interruptId: interrupt.id,
    value: interrupt.value,
    verdict: { verdict: "ask" as const, units: [] },
  };
  const batch = batchSchema.safeParse(interrupt.value);
  if (!batch.success) {
    const callKey = `${place.threadId}:foreign:${interrupt.id}`;
    const digest = digestOf({
      threadId: place.threadId,
      callKey,
      tool: "interrupt",
      args: { value: interrupt.value },
      cwd: place.cwd,
    });
    return [
      {
        ...base,
        id: newApprovalId(),
        callKey,
        kind: "interrupt",
        tool: "interrupt",
        args: {},
        subject: toQuestionSubject(interrupt.value),
        risk: "medium",
        allowed: ["respond"],
        digest,
        shape: "question",
      },
    ];
  }
  return batch.data.actionRequests.map((action, actionIndex) => {
    const config = batch.data.reviewConfigs.find((one) => one.actionName === action.name);
    const named = z
      .array(z.string())
      .parse(config?.allowedDecisions ?? stockDecisions)
      .flatMap((name) => decisionTypeSchema.safeParse(name).data ?? []);
    const callKey = `${place.threadId}:batch:${interrupt.id}:${actionIndex}`;
    const command = typeof action.args.command === "string" ? action.args.command : undefined;
    return {
      ...base,
      id: newApprovalId(),
      callKey,
      kind: "batch",
      tool: action.name,
      args: action.args,
      subject: command === undefined ? { kind: "arguments" } : { kind: "command", command, cwd: place.cwd },
      description: action.description,
      risk: "medium",
      allowed: named.filter((type) => stockDecisions.includes(type)),
      argsSchema: config?.argsSchema,
      actionIndex,
      digest: digestOf({
        threadId: place.threadId,
        callKey,
        tool: action.name,
        args: action.args,
        cwd: place.cwd,
      }),
      shape: `batch ${action.name}`,
    } satisfies NewApproval;
  });
}

/**
 * The resume values for the interrupts that a checkpoint waits on, by interrupt id.
 * Only interrupts whose questions are all decided, their grace over, are in it; the value must be the one that was
 * asked, because interrupt ids repeat inside a task.
 */
export function toForeignAnswers(
  approvals: ApprovalStore,
  threadId: ThreadId,
  waiting: ForeignInterrupt[],
  now: number,
): Record<string, unknown> {
  const answers: Record<string, unknown> = {};
  for (const { id, value } of waiting) {
    const rows = newestByKey(approvals.ofInterrupt(threadId, id)).filter(
      (row) => canonicalJson(row.value) === canonicalJson(value),
    );
    const asked = rows.filter((row) => wayOf(row) === "resume");
    if (asked.length === 0 || !asked.every((row) => isInForce(row, now))) continue;
    for (const row of asked) approvals.consume(row.id);
    answers[id] =
      asked[0]!.kind === "batch" ? { decisions: asked.map(toStockDecision) } : answerOf(asked[0]!.decision!);
  }
  return answers;
}

function isInForce(row: ApprovalRow, now: number): boolean {
  return row.status === "decided" && (row.effectiveAt ?? 0) <= now;
}

function newestByKey(rows: ApprovalRow[]): ApprovalRow[] {
  return [...new Map(rows.map((row) => [row.callKey, row])).values()].sort(
    (a, b) => (a.actionIndex ?? 0) - (b.actionIndex ?? 0),
  );
}

function toStockDecision(row: ApprovalRow): Record<string, unknown> {
  const decision = row.decision!;
  if (decision.type === "edit")
    return { type: "edit", editedAction: { name: row.tool, args: decision.args } };
  if (decision.type === "reject")
    return { type: "reject", ...(decision.message ? { message: decision.message } : {}) };
  return { type: "approve" };
}

function answerOf(decision: Decision): unknown {
  return decision.type === "respond" ? decision.answer : null;
}
