/** Tells a launcher what waits for a person, for badge, tray and notifications; bursts become one report. */
import type { Settings } from "../../shared/contract/console.ts";
import type { ApprovalId, ThreadId } from "../../shared/ids.ts";
import { aboutApproval } from "../../shared/tools/about-call.ts";
import type { ApprovalRow } from "../approvals/approval-row.ts";
import { isDecidableInPassing } from "../approvals/in-passing.ts";
import type { Changes } from "../threads/changes.ts";

/** What waits now, for badge, tray and notifications. */
export type Attention = {
  waiting: number;
  /** Approvals that began to wait since the last report. */
  newest: {
    approvalId: ApprovalId;
    threadId: ThreadId;
    title: string;
    text: string;
    /** Present where `text` is all there is to see and the risk is low: then it may be decided where it is shown. */
    decidable?: { digest: string };
  }[];
  /** Approvals that no longer wait; their notifications are withdrawn. */
  withdrawn: ApprovalId[];
};

const burstMs = 250;

/** @returns a function that stops reporting. */
export function reportAttention(
  changes: Changes,
  pending: () => ApprovalRow[],
  titleOf: (row: ApprovalRow) => string,
  settings: () => Settings,
  listener: (attention: Attention) => void,
): () => void {
  let known = new Set<ApprovalId>(pending().map((row) => row.id));
  let timer: NodeJS.Timeout | undefined;
  const report = () => {
    timer = undefined;
    const rows = pending().filter((row) => (row.snoozedUntil ?? 0) <= Date.now());
    const now = new Set(rows.map((row) => row.id));
    const { notifications, doNotDisturb } = settings();
    const newest = rows
      .filter((row) => notifications && !doNotDisturb && !known.has(row.id))
      .map((row) => ({
        approvalId: row.id,
        threadId: row.threadId,
        title: titleOf(row),
        text: aboutApproval(row),
        ...(isDecidableInPassing(row) && { decidable: { digest: row.digest } }),
      }));
    const withdrawn = [...known].filter((id) => !now.has(id));
    known = now;
    listener({ waiting: now.size, newest, withdrawn });
  };
  listener({ waiting: known.size, newest: [], withdrawn: [] });
  const stop = changes.listen((change) => {
    if (change.kind === "approval") timer ??= setTimeout(report, burstMs);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}
