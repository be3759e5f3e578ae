/** Every approval that waits, by its id and in the order in which they were asked. */
import { create } from "zustand";
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { ThreadSummary } from "../../../shared/contract/threads.ts";
import type { ApprovalId } from "../../../shared/ids.ts";

type Approvals = {
  /** Pending ones by id. */
  byId: ReadonlyMap<ApprovalId, Approval>;
  /** The same, oldest first. */
  pending: readonly Approval[];
  replace(approvals: readonly Approval[]): void;
  change(approvals: readonly Approval[], removed?: readonly ApprovalId[]): void;
  /** A request names its thread by the title that thread has now. */
  retitle(threads: readonly Pick<ThreadSummary, "id" | "title">[]): void;
};

export const useApprovals = create<Approvals>((set, get) => ({
  byId: new Map(),
  pending: [],
  replace(approvals) {
    set(withPending(new Map(approvals.filter(isPending).map((approval) => [approval.id, approval]))));
  },
  change(approvals, removed = []) {
    if (approvals.length === 0 && removed.length === 0) return;
    const byId = new Map(get().byId);
    for (const approval of approvals) {
      if (isPending(approval)) byId.set(approval.id, approval);
      else byId.delete(approval.id);
    }
    for (const id of removed) byId.delete(id);
    set(withPending(byId));
  },
  retitle(threads) {
    const titles = new Map(threads.map(({ id, title }) => [id, title]));
    const { pending, change } = get();
    change(
      pending.flatMap((approval) => {
        const threadTitle = titles.get(approval.threadId) ?? approval.threadTitle;
        return threadTitle === approval.threadTitle ? [] : [{ ...approval, threadTitle }];
      }),
    );
  },
}));

function isPending(approval: Approval): boolean {
  return approval.status === "pending";
}

function withPending(byId: ReadonlyMap<ApprovalId, Approval>) {
  const pending = [...byId.values()].sort((a, b) => a.requestedAt - b.requestedAt || (a.id < b.id ? -1 : 1));
  return { byId, pending };
}
