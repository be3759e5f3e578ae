/** Holds a thread at its spending limit: before a further model call a person is asked whether it goes on. */
import { writeDollars } from "../../shared/dollars.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { type ApprovalRow, type NewApproval, newApprovalId } from "../approvals/approval-row.ts";
import { digestOf } from "../approvals/digest.ts";
import { fileQuestion, waitForDecision } from "./ask.ts";
import type { Decided, Unable } from "./call.ts";
import type { Journal } from "./journal.ts";
import { addToLedger } from "./record.ts";
import { type RunContext, TurnStopped } from "./run-context.ts";

/** One for a thread: it has one limit. */
const spendingKey = (threadId: ThreadId) => `${threadId}#spending`;

/**
 * Resolves at once without a limit or below it, and else when a person let the thread go on. Sub-agents that work side by side wait
 * for the same question.
 * @throws TurnStopped when the person ends the turn, or nobody is there to ask; GateParked, or the abort reason of the run.
 */
export async function passSpendingLimit(journal: Journal, run: RunContext): Promise<void> {
  const { workspace } = journal.threads.get(run.threadId);
  const file = () => {
    const stand = atLimit(journal, run.threadId);
    return stand ? fileQuestion(journal, toSpendingQuestion(run, workspace, stand)) : belowLimit;
  };
  for (;;) {
    const stand = atLimit(journal, run.threadId);
    if (!stand) return;
    if (journal.isUnattended) throw new TurnStopped("failed", describeUnattended(stand));
    const key = spendingKey(run.threadId);
    const decided = await waitForDecision<Unable>(journal, key, run, file);
    if ("unable" in decided) return;
    writeDown(journal, run.threadId, workspace, decided);
    if (decided.decision.type === "reject")
      throw new TurnStopped("stopped", "It reached its spending limit, and you did not let it go on.");
  }
}

/** What comes in place of a question where the person has raised the limit meanwhile. */
const belowLimit = { unable: "It is below its limit." };

/**
 * Another limit may have been set: a thread that waits at the one of before goes on, or asks with the new figures.
 * @param wake brings the row to what waits for it
 */
export function askAnewAtLimit(journal: Journal, wake: (row: ApprovalRow) => void): void {
  const { approvals, database, log } = journal;
  for (const id of approvals.pendingIds("spending")) {
    const row = approvals.get(id);
    if (row?.subject.kind !== "spending") continue;
    const { dollars, nextLimit } = row.subject;
    if (Math.abs(nextLimit - dollars - stepOf(journal)) < 0.005) continue;
    const { threadId, itemId } = row;
    const reason = "the spending limit was changed";
    database.transaction(() => {
      approvals.cancel(id);
      log.append(threadId, [{ type: "approval.cancelled", itemId, approvalId: id, reason }]);
    })();
    wake(row);
  }
}

/** In US dollars; 0 is no limit. */
const stepOf = ({ settings }: Pick<Journal, "settings">) => settings.get().spendingLimitCents / 100;

/** What a thread is estimated to have cost, where it waits, and after a yes the next time; in US dollars. `more`: some calls have no price. */
type SpendingStand = { dollars: number; more: boolean; limit: number; nextLimit: number };

/** @returns nothing below the limit, which is that of the settings, or the one to which a person raised it for this thread. */
function atLimit(journal: Journal, threadId: ThreadId): SpendingStand | undefined {
  const { spending, approvals } = journal;
  const step = stepOf(journal);
  if (step === 0) return undefined;
  const { dollars = 0, more = false } = spending.ofThread(threadId) ?? {};
  const raised = approvals
    .ofCall(spendingKey(threadId))
    .filter(({ consumedAt, decision }) => consumedAt !== undefined && decision?.type === "approve")
    .map(({ subject }) => (subject.kind === "spending" ? subject.nextLimit : 0));
  const limit = Math.max(step, ...raised);
  return dollars < limit ? undefined : { dollars, more, limit, nextLimit: dollars + step };
}

/** Of the sub-agents that waited for it side by side, one does it. */
function writeDown(journal: Journal, threadId: ThreadId, cwd: string, decided: Decided): void {
  const { approvalId, decision, by, seen, verdict, args } = decided;
  journal.database.transaction(() => {
    if (!journal.approvals.consume(approvalId)) return;
    const place = { threadId, agentPath: [], tool: "spending", args };
    addToLedger(journal, place, { verdict, decision, by, seen, cwd, approvalId });
    if (decision.type !== "approve") return;
    const text = "It reached its spending limit, and was let go on.";
    journal.log.append(threadId, [
      { type: "notice.added", itemId: `spending:${approvalId}`, level: "info", text },
    ]);
  })();
}

function describeUnattended({ dollars, limit }: SpendingStand): string {
  return `The thread is estimated to have cost ${writeDollars(dollars)}, its spending limit is ${writeDollars(limit)}, and nobody is there to ask.`;
}

/** May this thread go on? */
function toSpendingQuestion(
  { threadId, turnId }: Pick<RunContext, "threadId" | "turnId">,
  cwd: string,
  stand: SpendingStand,
): NewApproval {
  const callKey = spendingKey(threadId);
  const subject = { kind: "spending" as const, ...stand };
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
