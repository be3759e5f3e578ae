/** Tells a launcher what waits for a person, for badge, tray and notifications; bursts become one report. */
import { isDeepStrictEqual } from "node:util";
import type { Settings } from "../../shared/contract/console.ts";
import { aboutHalt, type QueueEntry } from "../../shared/contract/threads.ts";
import type { ApprovalId, ThreadId } from "../../shared/ids.ts";
import { aboutApproval } from "../../shared/tools/about-call.ts";
import type { ApprovalRow } from "../approvals/approval-row.ts";
import { isDecidableInPassing } from "../approvals/in-passing.ts";
import type { Changes } from "../threads/changes.ts";
import type { ThreadRow } from "../threads/thread-store.ts";

/** What waits now, for badge, tray and notifications. */
export type Attention = {
  /** Approvals, and threads that came to a halt. */
  waiting: number;
  /** What began to wait since the last report. */
  newest: Newest[];
  /** What no longer waits; its notifications are withdrawn. */
  withdrawn: (ApprovalId | ThreadId)[];
};

export type Newest = {
  entry: QueueEntry;
  /** Of its thread. */
  title: string;
  text: string;
  /** Present where `text` is all there is to see and the risk is low: then it may be decided where it is shown. */
  decidable?: { digest: string };
};

const burstMs = 250;

type Sources = {
  pending: () => ApprovalRow[];
  /** Threads that failed or were interrupted and wait for the person. */
  halted: () => ThreadRow[];
  titleOf: (row: ApprovalRow) => string;
  settings: () => Settings;
};

/** @returns a function that stops reporting. */
export function reportAttention(
  changes: Changes,
  { pending, halted, titleOf, settings }: Sources,
  listener: (attention: Attention) => void,
): () => void {
  const waiting = () => pending().filter((row) => (row.snoozedUntil ?? 0) <= Date.now());
  let knownApprovals = new Set(waiting().map((row) => row.id));
  let knownHalts = haltsOf(halted());
  let approvalsChanged = false;
  let timer: NodeJS.Timeout | undefined;
  const report = () => {
    timer = undefined;
    const halts = haltsOf(halted());
    if (!approvalsChanged && isDeepStrictEqual(halts, knownHalts)) return;
    approvalsChanged = false;
    const rows = waiting();
    const approvals = new Set(rows.map((row) => row.id));
    const { notifications, doNotDisturb } = settings();
    const newest = [
      ...rows
        .filter(({ id }) => !knownApprovals.has(id))
        .map((row) => ({
          entry: { approvalId: row.id },
          title: titleOf(row),
          text: aboutApproval(row),
          ...(isDecidableInPassing(row) && { decidable: { digest: row.digest } }),
        })),
      ...[...halts.values()]
        .filter(({ id, updatedAt }) => knownHalts.get(id)?.updatedAt !== updatedAt)
        .map((thread) => ({ entry: { haltedId: thread.id }, title: thread.title, text: aboutHalt(thread) })),
    ];
    const withdrawn = [
      ...[...knownApprovals].filter((id) => !approvals.has(id)),
      ...[...knownHalts.keys()].filter((id) => !halts.has(id)),
    ];
    knownApprovals = approvals;
    knownHalts = halts;
    listener({
      waiting: approvals.size + halts.size,
      newest: notifications && !doNotDisturb ? newest : [],
      withdrawn,
    });
  };
  listener({ waiting: knownApprovals.size + knownHalts.size, newest: [], withdrawn: [] });
  const stop = changes.listen(({ kind }) => {
    approvalsChanged ||= kind === "approval";
    if (kind === "approval" || kind === "thread") timer ??= setTimeout(report, burstMs);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}

/** By thread; each change of its status is another halt. */
function haltsOf(threads: readonly ThreadRow[]) {
  return new Map(
    threads.map(({ id, title, status, problem, updatedAt }) => [
      id,
      { id, title, status, problem, updatedAt },
    ]),
  );
}
