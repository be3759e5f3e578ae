/** Puts the questions of the gate into the queue, whether a call may run and what a tool itself asks in the middle of its work, and finds what was decided about them. */
import type { ApprovalId } from "../../shared/ids.ts";
import { type ApprovalRow, type NewApproval, newApprovalId } from "../approvals/approval-row.ts";
import { digestOf } from "../approvals/digest.ts";
import type { ExecutionRow } from "../approvals/execution-store.ts";
import { passBarrier } from "../base/barriers.ts";
import { giveWayAfter } from "../base/give-way.ts";
import { toQuestionSubject } from "../tools/question-subject.ts";
import { type AskRoute, type Decided, type GatedCall, GateParked, placeOf, type Unable } from "./call.ts";
import type { Journal, Pass } from "./journal.ts";
import type { RunContext } from "./run-context.ts";

/**
 * Asks about the call as its card is drawn now, or finds the question in the queue, and waits for a person.
 * @param isDrawn the route shows what is there now
 * @throws GateParked, or the abort reason of the run.
 */
export async function ask<T>(
  { journal, call, run }: Pass<T>,
  route: AskRoute,
  isDrawn: boolean,
): Promise<Decided | Unable> {
  const asked = run.mayEdit ? route : { ...route, allowed: route.allowed.filter((type) => type !== "edit") };
  const drawn = isDrawn ? asked : await journal.judge.draw(call, asked, journal.threads.get(call.threadId));
  await giveWayAfter(call.args);
  const file = () => ("unable" in drawn ? drawn : fileQuestion(journal, toQuestion(call, drawn)));
  return waitForDecision<Unable>(journal, call.key, run, file);
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

/** The decision on the newest question about this call, when there is one that something may act on. */
export function decidedOf({ approvals, now }: Journal, call: GatedCall): Decided | undefined {
  const row = approvals.latestOf(call.key);
  if (row?.status !== "decided") return undefined;
  // An approve is used up by its execution; a rejection or an answer means the same however often it is read.
  const settled = row.decision?.type === "reject" || row.decision?.type === "respond";
  if (row.consumedAt !== undefined && !settled) return undefined;
  return (row.effectiveAt ?? 0) <= now() ? toDecided(row) : undefined;
}

/** What a decided row says. */
export function toDecided(row: ApprovalRow): Decided {
  const { id, decision, decidedBy, seen, args, verdict, baseHash, width } = row;
  // SQL has `null` for the base that was not shown.
  return {
    approvalId: id,
    decision: decision!,
    by: decidedBy!,
    seen,
    args,
    verdict,
    baseHash: baseHash ?? undefined,
    width,
  };
}

/**
 * Waits until the newest question under this key is decided and its grace is over.
 * @throws GateParked, or the abort reason of the run.
 */
export async function waitForDecision<U extends Unable>(
  { approvals, room, now }: Journal,
  key: string,
  { threadId, signal, loop }: Pick<RunContext, "threadId" | "signal" | "loop">,
  file: () => ApprovalRow | U,
): Promise<Decided | U> {
  for (;;) {
    // A question of a stopped turn would stay in the queue with nobody there to act on its answer.
    signal.throwIfAborted();
    const latest = approvals.latestOf(key);
    const open =
      latest &&
      (latest.status === "pending" || (latest.status === "decided" && latest.consumedAt === undefined));
    const row = open ? latest : file();
    if (isUnable(row)) return row;
    if (row.status === "decided" && (row.effectiveAt ?? 0) <= now()) return toDecided(row);
    loop.leave();
    if ((await room.wait(row.id, threadId, signal)) === "parked") throw new GateParked();
  }
}

const isUnable = <U extends Unable>(filed: ApprovalRow | U): filed is U => "unable" in filed;

/** Puts a question into the queue, or finds it there: one commit with the line about it in the transcript. */
export function fileQuestion({ database, log, approvals }: Journal, question: NewApproval): ApprovalRow {
  const filed = database.transaction(() => {
    const { approval, since } = inOrderOfCalls(log, question);
    const { row, created } = approvals.ask(approval, since);
    if (created)
      log.append(row.threadId, [
        { type: "approval.requested", itemId: row.itemId, approvalId: row.id, verdict: row.verdict },
      ]);
    return row;
  })();
  passBarrier("approval-asked");
  return filed;
}

/**
 * The calls of one message are judged side by side, and one is ready before another. What they ask stands in the
 * order of the calls all the same: by the time each was announced, and within that by its place in the thread.
 */
function inOrderOfCalls(
  log: Journal["log"],
  approval: NewApproval,
): { approval: NewApproval; since: number | undefined } {
  const item = log.item(approval.threadId, approval.itemId);
  if (!item) return { approval, since: undefined };
  const place = String(item.position).padStart(12, "0");
  return { approval: { ...approval, id: `${place}-${approval.id}` as ApprovalId }, since: item.at };
}

/** What every question about what was started before says of it; it is never of a lower risk. */
export function aboutExecution(
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

/** The newest question under this key, where it is about the end of this very execution. */
export function askedAbout(
  { approvals }: Pick<Journal, "approvals">,
  key: string,
  kind: "escalation" | "response",
  { id }: ExecutionRow,
): ApprovalRow | undefined {
  const row = approvals.latestOf(key);
  const isAbout =
    row?.subject.kind === kind && "executionId" in row.subject && row.subject.executionId === id;
  return isAbout ? row : undefined;
}

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
