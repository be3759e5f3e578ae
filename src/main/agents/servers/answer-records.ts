/** What is written down of an answer to a server: that it is about to be sent, and what is known of it afterwards. */
import { randomUUID } from "node:crypto";
import type { ServerReceipt } from "../../../shared/contract/remote-servers.ts";
import type { ToolOutcome } from "../../../shared/contract/thread-events.ts";
import type { ExecutionId, ThreadId } from "../../../shared/ids.ts";
import type { ApprovalRow, NewApproval } from "../../approvals/approval-row.ts";
import type { Journal } from "../../gate/journal.ts";
import { addToLedger } from "../../gate/record.ts";
import type { SourceServices } from "../source.ts";
import type { Proof } from "./prove-answer.ts";
import { askedAnew } from "./server-cards.ts";
import type { ServerThreads } from "./server-threads.ts";

export type AnswerJournal = Pick<
  Journal,
  "database" | "commitDurably" | "now" | "log" | "threads" | "approvals" | "executions" | "ledger"
> & {
  serverThreads: ServerThreads;
  /** What waited in a thread does not any more: a turn that rests goes on, or the next message does. */
  goOn(threadId: ThreadId): void;
  /** Words of a message that is being written there. */
  onDelta: SourceServices["onDelta"];
};

/** One decision on its way: the row that was decided, and the execution that uses it up. */
export type Begun = { row: ApprovalRow; executionId: ExecutionId; startedAt: number };

/**
 * In one transaction: the decisions are used up, and of each the execution and a line of the record are written. Resolves
 * when they are on disk (I1, I3).
 * @returns nothing when somebody else used one of them up
 */
export function beginAnswer(journal: AnswerJournal, rows: readonly ApprovalRow[]): Promise<Begun[]> {
  const { approvals, executions, now } = journal;
  return journal.commitDurably(() => {
    if (rows.some(({ id }) => approvals.get(id)?.consumedAt !== undefined)) return [];
    return rows.map((row) => {
      if (!approvals.consume(row.id)) throw new Error("A decision changed in its own transaction.");
      const executionId = `exec-${randomUUID()}` as ExecutionId;
      const { callKey, threadId, turnId, itemId, tool, decision } = row;
      const what = `Answer to ${row.server?.name}: ${tool}`;
      const args = { decision };
      executions.start({
        id: executionId,
        callKey,
        threadId,
        turnId,
        itemId,
        tool,
        what,
        args,
        width: undefined,
      });
      addLine(journal, row, executionId);
      return { row, executionId, startedAt: now() };
    });
  });
}

function addLine(journal: AnswerJournal, row: ApprovalRow, executionId: ExecutionId): void {
  const { decision, decidedBy: by, seen, verdict, cwd, id: approvalId } = row;
  if (!decision || !by) throw new Error("Only what was decided is answered.");
  const finalArgs = decision.type === "edit" ? { finalArgs: decision.args } : {};
  addToLedger(journal, row, { verdict, decision, by, seen, cwd, approvalId, executionId, ...finalArgs });
}

const outcomes: Record<ServerReceipt["proof"], ToolOutcome> = {
  applied: "answered",
  elsewhere: "cancelled",
  taken: "answered",
  failed: "failed",
  gone: "cancelled",
  unsent: "failed",
  lost: "failed",
  unknown: "failed",
};

/** What the transcript says of it, and the card where it is asked again. */
function wordsOf({ proof, run, why }: Proof, server: string): string {
  const more = why === undefined ? "" : ` ${why}`;
  switch (proof) {
    case "applied":
      return `Answered: ${server} applied it in run ${run}. What its agent does with it is not seen here.`;
    case "elsewhere":
      return `Answered elsewhere: another run came first, and this answer changed nothing.`;
    case "taken":
      return `${server} took the answer in run ${run}, and nothing it tells proves whose answer counted.`;
    case "failed":
      return `${server} failed with this answer.${more}`;
    case "gone":
      return `Nothing was sent: it is not asked any more, or it changed.${more}`;
    case "unsent":
      return `The answer you gave was not sent.${more}`;
    case "lost":
      return `Your answer was sent, and ${server} knows nothing of it: it asks the same still. What it had begun before it lost the answer, nobody knows here.`;
    case "unknown":
      return `An answer was sent, and nobody knows whether it arrived.${more} Look at ${server}.`;
  }
}

/** In one transaction: the receipts are written, and each question ends, or is asked again where nothing was sent. */
export function endAnswer(journal: AnswerJournal, begun: readonly Begun[], proof: Proof): void {
  const { executions, now } = journal;
  const [first] = begun;
  // Its thread was deleted meanwhile, and with it all that could be written to.
  if (!first || !journal.threads.find(first.row.threadId)) return;
  const server = first.row.server?.name ?? "The server";
  const { why: _, ...known } = proof;
  const outcome = outcomes[proof.proof];
  const result = wordsOf(proof, server);
  journal.database.transaction(() => {
    for (const { row, executionId, startedAt } of begun) {
      const receipt = { executionId, durationMs: now() - startedAt, answer: { server, ...known } };
      executions.finish(executionId, { outcome, result, receipt });
      if (proof.proof !== "unknown") endUnknown(journal, row);
      if (proof.proof === "unsent" || proof.proof === "lost") askAgain(journal, row, result);
      else if (proof.proof === "unknown" && row === first.row) askAboutUnknown(journal, row, startedAt);
      else endCall(journal, row, outcome, result);
    }
  })();
}

/** Nobody will find out what became of it. @param reason the end of a sentence */
export function giveUp(journal: AnswerJournal, begun: readonly Begun[], reason: string): void {
  for (const { row, executionId, startedAt } of begun) {
    const server = row.server?.name ?? "The server";
    const result = wordsOf({ proof: "unknown", why: `Before it was known, ${reason}.` }, server);
    const receipt = {
      executionId,
      durationMs: journal.now() - startedAt,
      answer: { server, proof: "unknown" as const },
    };
    journal.executions.finish(executionId, { outcome: outcomes.unknown, result, receipt });
    endCall(journal, row, outcomes.unknown, result);
    settleStatus(journal, row.threadId);
  }
}

/** Nothing was sent, so the same question stands as before. */
function askAgain(journal: AnswerJournal, row: ApprovalRow, note: string): void {
  const { server } = row;
  if (server) ask(journal, askedAnew(row, { server: { ...server, note, standing: { kind: "waits" } } }));
}

/** An answer may have arrived: it can be put away, and nothing else, until somebody finds out. */
export function askAboutUnknown(journal: AnswerJournal, row: ApprovalRow, since: number): void {
  const { server } = row;
  if (!server) return;
  const standing = { kind: "unknown" as const, since };
  ask(journal, askedAnew(row, { allowed: ["reject"], server: { ...server, standing } }));
}

/** It was found out after all. */
function endUnknown({ approvals, log }: AnswerJournal, { callKey, threadId, itemId }: ApprovalRow): void {
  const latest = approvals.latestOf(callKey);
  if (latest?.server?.standing.kind !== "unknown" || !approvals.cancel(latest.id)) return;
  const reason = "it was found out what became of the answer";
  log.append(threadId, [{ type: "approval.cancelled", itemId, approvalId: latest.id, reason }]);
}

/** Puts a question into the queue and says so in its thread. */
export function ask({ approvals, log, threads }: AnswerJournal, question: NewApproval): void {
  const { row, created } = approvals.ask(question);
  if (!created) return;
  const { threadId, itemId, id: approvalId, verdict } = row;
  log.append(threadId, [{ type: "approval.requested", itemId, approvalId, verdict }]);
  threads.update(threadId, { status: "waiting" });
}

/** Shows how a question ended, once. */
export function endCall(
  { log }: Pick<AnswerJournal, "log">,
  { threadId, itemId }: Pick<ApprovalRow, "threadId" | "itemId">,
  outcome: ToolOutcome,
  result: string,
): void {
  const item = log.item(threadId, itemId);
  if (item?.kind === "toolCall" && item.state !== "finished")
    log.append(threadId, [{ type: "toolCall.finished", itemId, outcome, result }]);
}

/** A question that waits leaves the queue. @param reason the end of a sentence */
export function withdraw(journal: AnswerJournal, row: ApprovalRow, reason: string): void {
  const { id: approvalId, threadId, itemId } = row;
  if (!journal.approvals.cancel(approvalId)) return;
  journal.log.append(threadId, [{ type: "approval.cancelled", itemId, approvalId, reason }]);
  endCall(journal, row, "cancelled", `Nobody answered here: ${reason}.`);
}

/** A thread in which nothing waits any more goes on with its turn, and without one it is done as far as this console knows. */
export function settleStatus({ threads, approvals, goOn }: AnswerJournal, threadId: ThreadId): void {
  if (threads.find(threadId)?.status !== "waiting" || approvals.pendingCount(threadId) > 0) return;
  if (threads.currentTurn(threadId) === undefined) threads.update(threadId, { status: "done" });
  goOn(threadId);
}
