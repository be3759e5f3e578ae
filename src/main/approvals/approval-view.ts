/** Shows a row of the queue as the contract's approval, whole or as it fits into a list of many. */
import type { Approval, ApprovalDetail } from "../../shared/contract/approvals.ts";
import { shorten } from "../../shared/wire/shorten.ts";
import type { ApprovalRow } from "./approval-row.ts";

type ThreadView = { title: string; workspace: string };

/** In a list: a thousand of these are still a list. */
const listedBytes = 48_000;
/** What a window can take in at once. */
const wholeBytes = 16_000_000;
/** What is shown of something larger. */
const beginningBytes = 400_000;

/** For the list. */
export function toApproval(row: ApprovalRow, thread: ThreadView): Approval {
  const { value, leftOut } = shorten(toWholeApproval(row, thread), listedBytes);
  return leftOut === 0 ? value : markShortened(value, leftOut);
}

/** The detail whole, or when no window could show it, shortened and with a digest that approves nothing. */
export function fitDetail(detail: ApprovalDetail): ApprovalDetail {
  const { leftOut } = shorten(detail, wholeBytes);
  if (leftOut === 0) return detail;
  const { value, leftOut: missing } = shorten(detail, beginningBytes);
  return { ...value, approval: markShortened(value.approval, missing) };
}

/** The digest that a shortened approval carries: what it stands for was not seen, so it decides nothing but a rejection. */
export function shortenedDigest(digest: string): string {
  return `shortened:${digest}`;
}

function markShortened(approval: Approval, leftOut: number): Approval {
  return { ...approval, digest: shortenedDigest(approval.digest), leftOut };
}

/** Nothing left out, under the digest that can be approved. */
export function toWholeApproval(row: ApprovalRow, thread: ThreadView): Approval {
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
    said: row.said,
    verdict: row.verdict,
    origins: row.origins,
    width: row.width,
    risk: row.risk,
    allowedDecisions: row.allowed,
    server: row.server,
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
