/** Tells a launcher what waits for a person, for badge, tray and notifications; bursts become one report. */
import type { Settings } from "../../shared/contract/console.ts";
import type { ApprovalId, ThreadId } from "../../shared/ids.ts";
import { aboutApproval } from "../../shared/tools/about-call.ts";
import type { ApprovalRow } from "../approvals/approval-row.ts";
import { isDecidableInPassing } from "../approvals/in-passing.ts";
import type { Changes } from "../threads/changes.ts";

/** What waits now, for badge, tray and notifications. */
export type Attention = {
  /** Approvals, and threads that came to a halt. */
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

type Sources = {
  pending: () => ApprovalRow[];
  /** How many threads failed or were interrupted and wait for the person. */
  halted: () => number;
  titleOf: (row: ApprovalRow) => string;
  settings: () => Settings;
};

/** @returns a function that stops reporting. */
export function reportAttention(
  changes: Changes,
  { pending, halted, titleOf, settings }: Sources,
  listener: (attention: Attention) => void,
): () => void {
  let known = new Set<ApprovalId>(pending().map((row) => row.id));
  let knownHalted = halted();
  let approvalsChanged = false;
  let timer: NodeJS.Timeout | undefined;
  const report = () => {
    timer = undefined;
    const haltedNow = halted();
    if (!approvalsChanged && haltedNow === knownHalted) return;
    knownHalted = haltedNow;
    approvalsChanged = false;
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
    listener({ waiting: now.size + knownHalted, newest, withdrawn });
  };
  listener({ waiting: known.size + knownHalted, newest: [], withdrawn: [] });
  const stop = changes.listen(({ kind }) => {
    approvalsChanged ||= kind === "approval";
    if (kind === "approval" || kind === "thread") timer ??= setTimeout(report, burstMs);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}
