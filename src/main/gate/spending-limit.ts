/** Holds a thread at its spending limit: before a further model call a person is asked whether it goes on. */
import { writeDollars } from "../../shared/dollars.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { askSpending } from "./ask.ts";
import type { Decided } from "./call.ts";
import type { Journal } from "./journal.ts";
import { type SpendingStand, spendingKey, toSpendingQuestion } from "./questions.ts";
import { addToLedger } from "./record.ts";
import { type RunContext, TurnStopped } from "./run-context.ts";

/**
 * Returns at once without a limit or below it, and else when a person let the thread go on. Sub-agents that work side by side wait
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
    const decided = await askSpending(journal, run, () =>
      toSpendingQuestion(run, workspace, stand, stand.dollars + step),
    );
    writeDown(journal, run.threadId, workspace, decided);
    if (decided.decision.type === "reject")
      throw new TurnStopped("stopped", "It reached its spending limit, and you did not let it go on.");
  }
}

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
