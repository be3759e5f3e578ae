/** What was decided in a thread and nothing has acted on yet, and which way it gets to what asked. */
import type { ThreadId } from "../../shared/ids.ts";
import type { ApprovalRow } from "./approval-row.ts";
import type { ApprovalStore } from "./approval-store.ts";

/**
 * How a decision gets to what asked:
 * - `seat`: its gate waits in memory and looks at the row again. When there is no run any more, the next one walks into
 *   the same gate, and that finds the row.
 * - `replay`: a tool asked in the middle of its work, and only a fresh run can give it the answer: from the last
 *   checkpoint it walks into the same gate, and that finds the row.
 * - `hook`: an agent in a terminal asked, and no run of ours: its hook waits in memory, or nobody does.
 * - `server`: a thread of a remote server asked, and no run of ours: its source delivers the answer by itself.
 * - `resume`: a graph asked that knows no gate. A fresh run goes on from the last checkpoint with the answer as its input.
 */
export type Way = "seat" | "replay" | "resume" | "hook" | "server";

/** The one place that says which way a decision goes. */
export function wayOf({ askedBy, kind }: Pick<ApprovalRow, "askedBy" | "kind">): Way {
  if (askedBy === "hook" || askedBy === "server") return askedBy;
  if (askedBy === "foreign") return "resume";
  return kind === "interrupt" ? "replay" : "seat";
}

/** What a run of the thread could act on now, oldest decision first. */
export function answersFor(
  approvals: Pick<ApprovalStore, "unconsumed" | "pending">,
  threadId: ThreadId,
  now: number,
): ApprovalRow[] {
  // What its source delivers by itself is for no run.
  const decided = approvals
    .unconsumed(threadId)
    .filter((row) => (row.effectiveAt ?? 0) <= now && wayOf(row) !== "server");
  if (!decided.some(({ kind }) => kind === "batch")) return decided;
  const asked = new Set(approvals.pending(threadId).map((row) => row.interruptId));
  // A batch is answered as a whole: while one of its actions waits, the decided ones do too.
  return decided.filter((row) => row.kind !== "batch" || !asked.has(row.interruptId));
}
