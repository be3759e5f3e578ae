/** Puts the questions of the gate into the queue, and waits for what is decided about them. */
import type { ApprovalId, ExecutionId, ThreadId } from "../../shared/ids.ts";
import type { ApprovalRow, NewApproval } from "../approvals/approval-row.ts";
import type { ExecutionRow } from "../approvals/execution-store.ts";
import { passBarrier } from "../base/barriers.ts";
import { giveWayAfter } from "../base/give-way.ts";
import type { Refusals } from "../sandbox/find-refusals.ts";
import { baseOfTool } from "../tools/shown-base.ts";
import { type AskRoute, type Decided, faceIn, type GatedCall, GateParked, type Unable } from "./call.ts";
import type { Journal, Pass } from "./journal.ts";
import { readOutputTail } from "./output-tail.ts";
import {
  escalationKey,
  interruptKey,
  type RecoveryDrawing,
  recoveryKey,
  spendingKey,
  toEscalationQuestion,
  toInterruptQuestion,
  toQuestion,
  toRecoveryQuestion,
} from "./questions.ts";
import type { RunContext } from "./run-context.ts";
import { describeNewFace, type ToolFace } from "./tool-face.ts";

/**
 * Asks about the call as its card is drawn now, or finds the question in the queue, and waits for a person.
 * @throws GateParked, or the abort reason of the run.
 */
export async function ask<T>({ journal, call, run }: Pass<T>, route: AskRoute): Promise<Decided | Unable> {
  const asked = run.mayEdit ? route : { ...route, allowed: route.allowed.filter((type) => type !== "edit") };
  const drawn = await journal.judge.draw(call, asked, journal.threads.get(call.threadId));
  await giveWayAfter(call.args);
  const file = () => ("unable" in drawn ? drawn : fileQuestion(journal, toQuestion(call, drawn)));
  return waitForDecision<Unable>(journal, call.key, call.threadId, file, run.signal);
}

/**
 * Asks what to do about an execution that a crash left unknown.
 * @throws GateParked, or the abort reason of the run.
 */
export async function askRecovery<T>(
  { journal, call, run }: Pass<T>,
  executionId: ExecutionId,
): Promise<Decided> {
  const execution = journal.executions.get(executionId)!;
  const drawing = await journal.drawings.again(execution);
  const file = () => fileRecovery(journal, execution, drawing, call.face);
  return waitForDecision<never>(journal, recoveryKey(call.key, executionId), call.threadId, file, run.signal);
}

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
  return waitForDecision<never>(journal, key, call.threadId, file, run.signal);
}

/** Of long output its end says why it failed. */
const shownOutput = 4_000;

/**
 * Asks whether the run's thread may cost more.
 * @throws GateParked, or the abort reason of the run.
 */
export function askSpending(
  journal: Journal,
  { threadId, signal }: Pick<RunContext, "threadId" | "signal">,
  question: () => NewApproval,
): Promise<Decided> {
  const file = () => fileQuestion(journal, question());
  return waitForDecision<never>(journal, spendingKey(threadId), threadId, file, signal);
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

/** Waits until the newest question under this key is decided and its grace is over. */
async function waitForDecision<U extends Unable>(
  { approvals, room, now }: Journal,
  key: string,
  threadId: ThreadId,
  file: () => ApprovalRow | U,
  signal: AbortSignal,
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
    if ((await room.wait(row.id, threadId, signal)) === "parked") throw new GateParked();
  }
}

const isUnable = <U extends Unable>(filed: ApprovalRow | U): filed is U => "unable" in filed;

function fileQuestion({ database, log, approvals }: Journal, question: NewApproval): ApprovalRow {
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

/** Puts the question about an execution with an unknown outcome into the queue, also before its thread goes on. */
export function fileRecovery(
  journal: Journal,
  execution: ExecutionRow,
  drawing: RecoveryDrawing = {},
  face?: ToolFace,
): ApprovalRow {
  const { log, threads, routes } = journal;
  const item = log.item(execution.threadId, execution.itemId);
  const offered = faceIn(routes.find(execution.callKey));
  const now = face ?? offered;
  return fileQuestion(
    journal,
    toRecoveryQuestion(execution, {
      agentPath: item?.kind === "toolCall" ? item.agentPath : [],
      cwd: threads.find(execution.threadId)?.workspace ?? "",
      output: readOutputTail(execution),
      ...drawing,
      ...(now && { baseHash: baseOfTool(now.digest) }),
      ...(now && offered && now.digest !== offered.digest && { note: describeNewFace(offered, now) }),
    }),
  );
}

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
