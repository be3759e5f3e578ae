/** Decides approvals: exactly what was shown, only what is allowed, once; and wakes whatever waited for it. */
import type Database from "better-sqlite3";
import type { Approval, DecideOutcome, ShownApproval } from "../../shared/contract/approvals.ts";
import type { DecidedBy, Decision } from "../../shared/contract/decisions.ts";
import type { ApprovalId, ThreadId } from "../../shared/ids.ts";
import type { ApprovalRow, ApprovalStore } from "../approvals/approval-store.ts";
import { digestOf } from "../approvals/digest.ts";
import type { WaitingRoom } from "../approvals/waiting-room.ts";
import { passBarrier } from "../barriers.ts";
import type { FileChangePlan } from "../files/file-change.ts";
import type { DurableCommits } from "../storage/durable-commit.ts";
import type { EventLog } from "../threads/event-log.ts";
import { whyNotDecided } from "./decision-check.ts";
import { baseOf } from "./tool-policy.ts";

export type DecisionParts = {
  database: Database.Database;
  commit: DurableCommits["commit"];
  now: () => number;
  approvals: ApprovalStore;
  log: EventLog;
  room: WaitingRoom;
  view(row: ApprovalRow): Approval;
  /** The change a pending file card stands for, against the disk as it is now; `undefined` when it cannot be made any more. */
  planChange(row: ApprovalRow): Promise<FileChangePlan | undefined>;
  /** Makes the thread of a decided approval go on, if its run does not by itself. */
  goOn(threadId: ThreadId): void;
};

/** What is decided about, in one commit. */
export type DecisionInput = {
  items: readonly ShownApproval[];
  decision: Decision;
  /** One end of the grace for all of them, counted from the commit. */
  graceMs: number;
  by: DecidedBy;
  /** Asked last, inside the commit, about each row that would be decided. @returns why it stays after all. */
  refuse?(row: ApprovalRow): string | undefined;
};

export type Decisions = {
  decide(
    input: { id: ApprovalId; digest: string; decision: Decision; graceMs: number },
    by: DecidedBy,
  ): Promise<DecideOutcome>;
  /** Decides what can be decided; the others keep waiting. @returns an outcome for each item, in order. */
  decideMany(input: DecisionInput): Promise<DecideOutcome[]>;
  undo(id: ApprovalId): DecideOutcome;
  /** Takes back those that have not started. @returns an outcome for each, in order. */
  undoMany(ids: readonly ApprovalId[]): DecideOutcome[];
  /** Draws a pending file card anew when its file changed. */
  refresh(row: ApprovalRow): Promise<ApprovalRow>;
  cancelPending(threadId: ThreadId, reason: string): void;
  close(): void;
};

const gone: DecideOutcome = { ok: false, reason: "This approval does not exist any more." };

export function createDecisions(parts: DecisionParts): Decisions {
  const { approvals, log, now, room, view } = parts;
  const timers = new Map<ApprovalId, NodeJS.Timeout>();

  async function refresh(row: ApprovalRow): Promise<ApprovalRow> {
    const { subject } = row;
    const isChange = row.kind === "tool" && subject.kind === "file" && subject.operation !== "read";
    if (row.status !== "pending" || !isChange) return row;
    const plan = await parts.planChange(row);
    const baseHash = plan ? baseOf(plan) : null;
    if (plan && baseHash === row.baseHash) return row;
    const drawn = {
      ...subject,
      path: plan?.relativePath ?? subject.path,
      added: plan?.added ?? 0,
      removed: plan?.removed ?? 0,
      stale: plan === undefined,
    };
    const { threadId, callKey, tool, args, cwd } = row;
    const digest = digestOf({ threadId, callKey, tool, args, cwd, baseHash });
    if (digest !== row.digest || drawn.stale !== subject.stale)
      approvals.redraw(row.id, { subject: drawn, baseHash, digest });
    return approvals.get(row.id)!;
  }

  function refusal(reason: string, row: ApprovalRow): DecideOutcome {
    return { ok: false, reason, approval: view(row) };
  }

  /** Inside the commit: nothing else can happen between the checks and the decision. */
  function decideRow({ id, digest }: ShownApproval, input: DecisionInput, effectiveAt: number) {
    const row = approvals.get(id);
    if (!row) return gone;
    const why = whyNotDecided(row, digest, input.decision) ?? input.refuse?.(row);
    if (why) return refusal(why, row);
    const { decision, by } = input;
    approvals.decide(id, row.digest, decision, by, effectiveAt);
    log.append(row.threadId, [
      { type: "approval.decided", itemId: row.itemId, approvalId: id, decision, by },
    ]);
    return undefined;
  }

  async function decideMany(input: DecisionInput): Promise<DecideOutcome[]> {
    const { items, decision } = input;
    for (const { id } of items) {
      const row = approvals.get(id);
      if (row) await refresh(row);
    }
    const starts = decision.type === "approve" || decision.type === "edit";
    const { result: refused, onDisk } = parts.commit(() => {
      const effectiveAt = now() + (starts ? input.graceMs : 0);
      return items.map((item) => decideRow(item, input, effectiveAt));
    });
    passBarrier("approval-decided");
    const outcomes = refused.map((outcome, index): DecideOutcome => {
      if (outcome) return outcome;
      const row = approvals.get(items[index]!.id)!;
      wake(row);
      return { ok: true, approval: view(row) };
    });
    // Whoever was woken waits for the disk itself before it acts, and that wait covers this commit too.
    await onDisk;
    return outcomes;
  }

  function wake(row: ApprovalRow): void {
    room.wake(row.id);
    const graceMs = (row.effectiveAt ?? 0) - now();
    if (graceMs <= 0) {
      parts.goOn(row.threadId);
      return;
    }
    const timer = setTimeout(() => {
      timers.delete(row.id);
      parts.goOn(row.threadId);
    }, graceMs);
    timers.set(row.id, timer);
  }

  function undoMany(ids: readonly ApprovalId[]): DecideOutcome[] {
    const undone = parts.database.transaction(() =>
      ids.map((id) => {
        const row = approvals.get(id);
        if (!row || !approvals.undo(id)) return false;
        log.append(row.threadId, [
          { type: "approval.requested", itemId: row.itemId, approvalId: id, verdict: row.verdict },
        ]);
        return true;
      }),
    )();
    return ids.map((id, index) => {
      const row = approvals.get(id);
      if (!row) return gone;
      if (!undone[index]) return refusal("It is too late to take this back: it has started.", row);
      clearTimeout(timers.get(id));
      timers.delete(id);
      room.wake(id);
      return { ok: true, approval: view(row) };
    });
  }

  return {
    refresh,
    decideMany,
    undoMany,
    undo: (id) => undoMany([id])[0]!,

    async decide({ id, digest, decision, graceMs }, by) {
      return (await decideMany({ items: [{ id, digest }], decision, graceMs, by }))[0]!;
    },

    cancelPending(threadId, reason) {
      for (const row of approvals.pending(threadId)) {
        if (!approvals.cancel(row.id)) continue;
        log.append(threadId, [
          { type: "approval.cancelled", itemId: row.itemId, approvalId: row.id, reason },
        ]);
      }
    },

    close() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
