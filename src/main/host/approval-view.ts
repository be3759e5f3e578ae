/** Shows a row of the queue as the contract's approval. */
import type { Approval } from "../../shared/contract/approvals.ts";
import type { ApprovalRow } from "../approvals/approval-store.ts";

export function toApproval(row: ApprovalRow, thread: { title: string; workspace: string }): Approval {
  return {
    id: row.id,
    kind: row.kind,
    threadId: row.threadId,
    threadTitle: thread.title,
    workspace: thread.workspace,
    itemId: row.itemId,
    agentPath: row.agentPath,
    tool: row.tool,
    subject: row.subject,
    description: row.description,
    verdict: row.verdict,
    risk: row.risk,
    allowedDecisions: row.allowed,
    digest: row.digest,
    status: row.status,
    requestedAt: row.requestedAt,
    snoozedUntil: row.snoozedUntil,
    decision: row.decision,
    decidedBy: row.decidedBy,
    decidedAt: row.decidedAt,
    effectiveAt: row.effectiveAt,
    shape: row.shape,
  };
}
