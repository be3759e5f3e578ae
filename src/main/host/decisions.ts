/** Decides approvals: exactly what was shown, only what is allowed, once; and wakes whatever waited for it. */
import type Database from "better-sqlite3";
import { z } from "zod";
import type { Approval, DecideOutcome } from "../../shared/contract/approvals.ts";
import type { DecidedBy, Decision } from "../../shared/contract/decisions.ts";
import type { ApprovalId, ThreadId } from "../../shared/ids.ts";
import type { ApprovalRow, ApprovalStore } from "../approvals/approval-store.ts";
import { digestOf } from "../approvals/digest.ts";
import type { WaitingRoom } from "../approvals/waiting-room.ts";
import { passBarrier } from "../barriers.ts";
import type { FileChangePlan } from "../files/file-change.ts";
import type { EventLog } from "../threads/event-log.ts";
import { baseOf } from "./tool-policy.ts";

export type DecisionParts = {
  database: Database.Database;
  /** Runs a transaction that is on disk when it returns. */
  commitDurably<T>(act: () => T): T;
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

export type Decisions = {
  decide(
    input: { id: ApprovalId; digest: string; decision: Decision; graceMs: number },
    by: DecidedBy,
  ): Promise<DecideOutcome>;
  undo(id: ApprovalId): DecideOutcome;
  /** Draws a pending file card anew when its file changed. */
  refresh(row: ApprovalRow): Promise<ApprovalRow>;
  cancelPending(threadId: ThreadId, reason: string): void;
  close(): void;
};

export function createDecisions(parts: DecisionParts): Decisions {
  const { approvals, log, now, room, view } = parts;
  const timers = new Map<ApprovalId, NodeJS.Timeout>();

  async function refresh(row: ApprovalRow): Promise<ApprovalRow> {
    if (
      row.status !== "pending" ||
      row.kind !== "tool" ||
      row.subject.kind !== "file" ||
      row.subject.operation === "read"
    )
      return row;
    const plan = await parts.planChange(row);
    const baseHash = plan ? baseOf(plan) : null;
    if (plan && baseHash === row.baseHash) return row;
    const subject = {
      ...row.subject,
      path: plan?.relativePath ?? row.subject.path,
      added: plan?.added ?? 0,
      removed: plan?.removed ?? 0,
      stale: plan === undefined,
    };
    const digest = digestOf({
      threadId: row.threadId,
      callKey: row.callKey,
      tool: row.tool,
      args: row.args,
      cwd: row.cwd,
      baseHash,
    });
    if (digest !== row.digest || subject.stale !== row.subject.stale)
      approvals.redraw(row.id, { subject, baseHash, digest });
    return approvals.get(row.id)!;
  }

  function refusal(reason: string, row?: ApprovalRow): DecideOutcome {
    return { ok: false, reason, approval: row && view(row) };
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

  return {
    refresh,

    async decide({ id, digest, decision, graceMs }, by) {
      const known = approvals.get(id);
      if (!known) return refusal("This approval does not exist any more.");
      if (known.status !== "pending")
        return refusal(
          known.status === "decided" ? "This was decided already." : "This is not asked any more.",
          known,
        );
      if (!known.allowed.includes(decision.type))
        return refusal(
          `“${decision.type}” is not one of the decisions allowed here: ${known.allowed.join(", ")}.`,
          known,
        );
      const row = await refresh(known);
      if (decision.type === "edit") {
        const problem = checkArguments(decision.args, row.argsSchema);
        if (problem) return refusal(problem, row);
      }
      if (row.digest !== digest && decision.type !== "reject")
        return refusal(
          "The file changed since this was shown. Look at the new change and decide again.",
          row,
        );
      if (row.subject.kind === "file" && row.subject.stale && decision.type === "approve")
        return refusal(
          "The change no longer fits the file on disk. Reject it, so that the agent reads the file again.",
          row,
        );
      const effectiveAt = now() + (decision.type === "approve" || decision.type === "edit" ? graceMs : 0);
      const decided = parts.commitDurably(() => {
        if (!approvals.decide(id, row.digest, decision, by, effectiveAt)) return false;
        log.append(row.threadId, [
          { type: "approval.decided", itemId: row.itemId, approvalId: id, decision, by },
        ]);
        return true;
      });
      passBarrier("approval-decided");
      const after = approvals.get(id)!;
      if (!decided) return refusal("This was decided in the meantime.", after);
      wake(after);
      return { ok: true, approval: view(after) };
    },

    undo(id) {
      const row = approvals.get(id);
      if (!row) return refusal("This approval does not exist any more.");
      const undone = parts.database.transaction(() => {
        if (!approvals.undo(id)) return false;
        log.append(row.threadId, [
          { type: "approval.requested", itemId: row.itemId, approvalId: id, verdict: row.verdict },
        ]);
        return true;
      })();
      clearTimeout(timers.get(id));
      timers.delete(id);
      const after = approvals.get(id)!;
      if (!undone) return refusal("It is too late to take this back: it has started.", after);
      room.wake(id);
      return { ok: true, approval: view(after) };
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

/** @returns a sentence naming the field, or `undefined` when the arguments fit the schema. */
function checkArguments(
  args: Record<string, unknown>,
  schema: Record<string, unknown> | undefined,
): string | undefined {
  if (!schema) return undefined;
  const { $schema: _dialect, ...rest } = schema;
  const parsed = z.fromJSONSchema(rest as Parameters<typeof z.fromJSONSchema>[0]).safeParse(args);
  if (parsed.success) return undefined;
  const issue = parsed.error.issues[0]!;
  return `The edited arguments do not fit: ${issue.path.join(".") || "arguments"}: ${issue.message}.`;
}
