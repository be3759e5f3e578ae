/** The auto-approve switch of a thread: a lease with a budget, held in memory so that it never outlives the session (I7). */
import type { AutoApprove } from "../../shared/contract/auto-approve.ts";
import type { ApprovalId, ThreadId } from "../../shared/ids.ts";

export type LeaseEnd = {
  threadId: ThreadId;
  why: string;
  used: number;
  /** What it let pass, in order: the transcript items of the calls, and the approvals among them that waited. */
  items: string[];
  approvals: ApprovalId[];
};

export type AutoApproveSwitch = {
  state(threadId: ThreadId): AutoApprove | null;
  turnOn(threadId: ThreadId, minutes: number, maxActions: number): AutoApprove;
  /** @param why a sentence for the receipt. */
  turnOff(threadId: ThreadId, why: string): void;
  turnAllOff(why: string): number;
  /**
   * Uses up one action of the budget on a call, named in the receipt by its item and by the approval that waited for it.
   * @returns false when the switch is off or its budget is spent.
   */
  spend(threadId: ThreadId, itemId: string, approvalId?: ApprovalId): boolean;
  close(): void;
};

type Lease = AutoApprove & Pick<LeaseEnd, "items" | "approvals"> & { timer: NodeJS.Timeout };

/** @param onEnded is told of each lease that is over, whatever ended it. */
export function createAutoApproveSwitch(
  now: () => number,
  onChanged: (threadId: ThreadId) => void,
  onEnded: (end: LeaseEnd) => void,
): AutoApproveSwitch {
  const leases = new Map<ThreadId, Lease>();

  function turnOff(threadId: ThreadId, why: string): void {
    const lease = leases.get(threadId);
    if (!lease) return;
    clearTimeout(lease.timer);
    leases.delete(threadId);
    onChanged(threadId);
    const { used, items, approvals } = lease;
    onEnded({ threadId, why, used, items, approvals });
  }

  return {
    state(threadId) {
      const lease = leases.get(threadId);
      if (!lease) return null;
      const { startedAt, expiresAt, maxActions, used } = lease;
      return { startedAt, expiresAt, maxActions, used };
    },
    turnOn(threadId, minutes, maxActions) {
      turnOff(threadId, "you turned it on anew");
      const startedAt = now();
      const timer = setTimeout(
        () => turnOff(threadId, minutes === 1 ? "its minute was over" : `its ${minutes} minutes were over`),
        minutes * 60_000,
      );
      timer.unref();
      const lease = { startedAt, expiresAt: startedAt + minutes * 60_000, maxActions, used: 0 };
      leases.set(threadId, { ...lease, items: [], approvals: [], timer });
      onChanged(threadId);
      return lease;
    },
    turnOff,
    turnAllOff(why) {
      const threads = [...leases.keys()];
      for (const threadId of threads) turnOff(threadId, why);
      return threads.length;
    },
    spend(threadId, itemId, approvalId) {
      const lease = leases.get(threadId);
      if (!lease) return false;
      // The timer may be late on a busy machine or after sleep; the clock decides.
      if (now() >= lease.expiresAt) {
        turnOff(threadId, "its time was over");
        return false;
      }
      // More calls may be judged before the switch is really off.
      if (lease.used >= lease.maxActions) return false;
      lease.used += 1;
      lease.items.push(itemId);
      if (approvalId) lease.approvals.push(approvalId);
      onChanged(threadId);
      if (lease.used >= lease.maxActions)
        queueMicrotask(() => turnOff(threadId, `its ${lease.maxActions} actions were used up`));
      return true;
    },
    close() {
      for (const lease of leases.values()) clearTimeout(lease.timer);
      leases.clear();
    },
  };
}
