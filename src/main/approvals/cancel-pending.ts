/** Takes what waits in a thread out of the queue, since nothing would act on an answer any more. */
import type { ThreadId } from "../../shared/ids.ts";
import type { EventLog } from "../threads/event-log.ts";
import type { ApprovalStore } from "./approval-store.ts";

/** @param reason the end of a sentence for the transcript, such as "the turn ended". */
export function cancelPending(
  { approvals, log }: { approvals: ApprovalStore; log: EventLog },
  threadId: ThreadId,
  reason: string,
): void {
  for (const row of approvals.pending(threadId)) {
    if (!approvals.cancel(row.id)) continue;
    const { id: approvalId, itemId } = row;
    log.append(threadId, [{ type: "approval.cancelled", itemId, approvalId, reason }]);
  }
}
