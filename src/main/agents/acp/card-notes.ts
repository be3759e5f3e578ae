/** What cards of outer agents say that nobody waits for any more. */
import type { ApprovalStore } from "../../approvals/approval-store.ts";

/** On each card that waited when the host ended, for what the agent would do itself. */
export const nobodyWaits =
  "The agent no longer waits for this. A yes lets it do exactly this once, should it ask again before the turn ends; a no is told to it.";

/** The same for what is done here. */
export const runsOnce =
  "The agent no longer waits for this. A yes runs it here, once, and the agent is told what came of it; a no is told to it.";

/** The same for what was asked of the person. */
export const answerIsTold =
  "The agent no longer waits for this. What you answer is told to it when it goes on.";

/** The same for the start of an agent's program. */
export const mayStartLater =
  "The app was started anew since this was asked. A yes starts the agent; a no does not.";

/** The agent asks for the same again, so that somebody waits. */
export function takesBackNote(approvals: Pick<ApprovalStore, "latestOf" | "redraw">, key: string): void {
  const row = approvals.latestOf(key);
  if (row?.status === "pending" && [nobodyWaits, runsOnce, answerIsTold].includes(row.description ?? ""))
    approvals.redraw(row.id, { ...row, description: undefined });
}
