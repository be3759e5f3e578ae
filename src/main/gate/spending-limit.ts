/** Holds a thread at its spending limit: before a further model call a person is asked whether it goes on. */
import { writeDollars } from "../../shared/dollars.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { type NewApproval, newApprovalId } from "../approvals/approval-row.ts";
import { digestOf } from "../approvals/digest.ts";
import { fileQuestion, waitForDecision } from "./ask.ts";
import type { Decided } from "./call.ts";
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
  for (;;) {
    const step = journal.settings.get().spendingLimitCents / 100;
    if (step === 0) return;
    const stand = standOf(journal, run.threadId, step);
    if (stand.dollars < stand.limit) return;
    if (journal.isUnattended) throw new TurnStopped("failed", describeUnattended(stand));
    const { workspace } = journal.threads.get(run.threadId);
    const file = () => fileQuestion(journal, toSpendingQuestion(run, workspace, stand, stand.dollars + step));
    const key = spendingKey(run.threadId);
    const decided = await waitForDecision<never>(journal, key, run.threadId, file, run.signal);
    writeDown(journal, run.threadId, workspace, decided);
    if (decided.decision.type === "reject")
      throw new TurnStopped("stopped", "It reached its spending limit, and you did not let it go on.");
  }
}

/** What a thread is estimated to have cost, and where it waits, in US dollars; `more`: some calls have no price. */
type SpendingStand = { dollars: number; more: boolean; limit: number };

/** In US dollars; the limit is that of the settings, or the one to which a person raised it for this thread. */
function standOf({ spending, approvals }: Journal, threadId: ThreadId, step: number): SpendingStand {
  const { dollars = 0, more = false } = spending.ofThread(threadId) ?? {};
  const raised = approvals
    .ofCall(spendingKey(threadId))
    .filter(({ consumedAt, decision }) => consumedAt !== undefined && decision?.type === "approve")
    .map(({ subject }) => (subject.kind === "spending" ? subject.nextLimit : 0));
  return { dollars, more, limit: Math.max(step, ...raised) };
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

/** May this thread go on? @param nextLimit in US dollars, where it waits again. */
function toSpendingQuestion(
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
