/** Decides approvals: exactly what was shown, only what is allowed, once; and wakes whatever waited for it. */
import type Database from "better-sqlite3";
import { z } from "zod";
import type { Approval, DecideOutcome, ShownApproval } from "../../shared/contract/approvals.ts";
import type { DecidedBy, Decision, Seen, Verdict, Width } from "../../shared/contract/decisions.ts";
import type { ApprovalId, CommandId } from "../../shared/ids.ts";
import { passBarrier } from "../base/barriers.ts";
import { giveWayAfter } from "../base/give-way.ts";
import { riskOf } from "../policy/verdict.ts";
import type { DurableCommits } from "../storage/durable-commit.ts";
import type { OnceOnly } from "../threads/commands.ts";
import type { EventLog } from "../threads/event-log.ts";
import type { ApprovalRow, Redrawn } from "./approval-row.ts";
import type { ApprovalStore } from "./approval-store.ts";
import { whyNotDecided } from "./decision-check.ts";
import { canonicalJson, digestOf } from "./digest.ts";

export type DecisionParts = {
  database: Database.Database;
  commit: DurableCommits["commit"];
  once: Pick<OnceOnly, "answerOf" | "note">;
  now: () => number;
  approvals: ApprovalStore;
  log: EventLog;
  view(row: ApprovalRow): Approval;
  /** The card as it would be drawn now, with these arguments; `undefined` when nothing of it can have changed. */
  draw(row: ApprovalRow, args: Record<string, unknown>): Promise<Drawing | undefined>;
  /** Brings a decision to what waits for it; called once for each, when nothing can take it back any more. */
  wake(row: ApprovalRow): void;
};

/** What of a card may be different from when it was asked, or from what the agent wanted. */
export type Drawing = Pick<Redrawn, "subject" | "shape" | "baseHash" | "description" | "width"> & {
  verdict: Verdict;
  /** It cannot be made as the disk is now. */
  unable: string | undefined;
};

/** What is decided about, in one commit. */
export type DecisionInput = {
  items: readonly ShownApproval[];
  decision: Decision;
  /** One end of the grace for all of them, counted from the commit. */
  graceMs: number;
  by: DecidedBy;
  /** The same command again gets the first answer. */
  commandId?: CommandId;
  /** Asked last, inside the commit, about each row that would be decided. @returns why it stays after all. */
  refuse?(row: ApprovalRow): string | undefined;
};

export type Decisions = {
  /** Decides what can be decided; the others keep waiting. @returns an outcome for each item, in order. */
  decide(input: DecisionInput): Promise<DecideOutcome[]>;
  /** Shows a command that waits with another width, so that a yes means that one; nothing is decided. */
  setWidth(shown: ShownApproval, width: Width): DecideOutcome;
  /** Takes back those that have not started. @returns an outcome for each, in order. */
  undo(ids: readonly ApprovalId[]): DecideOutcome[];
  /** Draws a pending card anew when its file, or what the rules say of it, changed. */
  refresh(row: ApprovalRow): Promise<ApprovalRow>;
  /** Draws everything of these kinds that waits anew, as after a change of the rules. */
  refreshAll(...kinds: ApprovalRow["kind"][]): Promise<void>;
  /** After a start: what was decided before wakes what waits for it when its grace is over. */
  keepGraces(): void;
  close(): void;
};

/** Why each item was refused; `null` for those that were decided. */
const firstAnswers = z.array(z.string().nullable());

const longestTimerMs = 60_000;

const gone: DecideOutcome = { ok: false, reason: "This approval does not exist any more." };

export function createDecisions(parts: DecisionParts): Decisions {
  const { approvals, log, now, view } = parts;
  const timers = new Map<ApprovalId, NodeJS.Timeout>();

  async function refresh(row: ApprovalRow): Promise<ApprovalRow> {
    if (row.status !== "pending") return row;
    const drawing = await parts.draw(row, row.args);
    await giveWayAfter(row.args);
    if (drawing) redraw(row, row.args, drawing);
    return approvals.get(row.id) ?? row;
  }

  /** Shows what is so now. What a decision was about before, it is not about any more: the digest is another. */
  function redraw(row: ApprovalRow, args: Record<string, unknown>, drawing: Drawing): void {
    const { threadId, callKey, tool, cwd } = row;
    const { subject, shape, baseHash, description, verdict, width } = drawing;
    const digest = digestOf({ threadId, callKey, tool, args, cwd, baseHash, width });
    const risk = riskOf(verdict.verdict);
    const next = { args, subject, shape, baseHash, description, verdict, width, risk, digest };
    if (canonicalJson(next) !== canonicalJson(pickRedrawn(row))) approvals.redraw(row.id, next);
  }

  /** An edit of what leads to the disk or the network is shown as what it would do now, and decided about after that. */
  async function drawEdit({ id, digest }: ShownApproval, args: Record<string, unknown>) {
    const row = approvals.get(id);
    if (!row) return gone;
    const why = whyNotDecided(row, digest, { type: "edit", args });
    if (why) return refusal(why, row);
    const drawing = await parts.draw(row, args);
    const denied = drawing?.verdict.verdict === "deny";
    if (!drawing || denied) return refusal(`This is never allowed: ${reasonsOf(drawing?.verdict)}.`, row);
    if (drawing.unable !== undefined) return refusal(drawing.unable, row);
    const now = approvals.get(id);
    if (now?.status !== "pending" || now.digest !== digest)
      return refusal("This was decided or changed meanwhile. Look at it again.", now ?? row);
    redraw(now, args, drawing);
    return refusal("This is what your edit does. Look at it, then decide.", approvals.get(id)!);
  }

  function refusal(reason: string, row: ApprovalRow): DecideOutcome {
    return { ok: false, reason, approval: view(row) };
  }

  /** Inside the commit: nothing else can happen between the checks and the decision. */
  function decideRow(shown: ShownApproval, input: DecisionInput, effectiveAt: number) {
    const { id, digest } = shown;
    const row = approvals.get(id);
    if (!row) return gone;
    const why = whyNotDecided(row, digest, input.decision) ?? input.refuse?.(row);
    if (why) return refusal(why, row);
    const { decision, by } = input;
    approvals.decide(id, row.digest, { decision, by, seen: seenBy(shown, input), effectiveAt });
    log.append(row.threadId, [
      { type: "approval.decided", itemId: row.itemId, approvalId: id, decision, by },
    ]);
    return undefined;
  }

  /** What was answered the first time, with each approval as it is now. */
  function repeat(items: readonly ShownApproval[], reasons: (string | null)[]): DecideOutcome[] {
    return items.map(({ id }, index) => {
      const row = approvals.get(id);
      const reason = reasons[index];
      if (!row) return gone;
      return reason ? refusal(reason, row) : { ok: true, approval: view(row) };
    });
  }

  async function decide(input: DecisionInput): Promise<DecideOutcome[]> {
    const { items, decision } = input;
    for (const { id } of items) {
      const row = approvals.get(id);
      if (row) await giveWayAfter((await refresh(row)).args);
    }
    const [only] = items;
    if (decision.type === "edit" && only && showsFirst(approvals.get(only.id), decision.args))
      return [await drawEdit(only, decision.args)];
    const starts = decision.type === "approve" || decision.type === "edit";
    const { result: refused, onDisk } = parts.commit(() => {
      const earlier = input.commandId && parts.once.answerOf(input.commandId);
      if (earlier !== undefined) return repeat(items, firstAnswers.parse(earlier));
      const effectiveAt = now() + (starts ? input.graceMs : 0);
      const outcomes = items.map((item) => decideRow(item, input, effectiveAt));
      const answers = outcomes.map((outcome) => (outcome && !outcome.ok ? outcome.reason : null));
      if (input.commandId) parts.once.note(input.commandId, answers);
      return outcomes;
    });
    passBarrier("approval-decided");
    const outcomes = refused.map((outcome, index): DecideOutcome => {
      if (outcome) return outcome;
      const row = approvals.get(items[index]!.id)!;
      wakeAfterGrace(row);
      return { ok: true, approval: view(row) };
    });
    // Whoever was woken waits for the disk itself before it acts, and that wait covers this commit too.
    await onDisk;
    return outcomes;
  }

  function wakeAfterGrace(row: ApprovalRow): void {
    timers.delete(row.id);
    const graceMs = (row.effectiveAt ?? 0) - now();
    // A timer may end a moment early, and the clock may be set meanwhile; then it is set for the rest.
    if (graceMs > 0) timers.set(row.id, setTimeout(wakeAfterGrace, Math.min(graceMs, longestTimerMs), row));
    else parts.wake(row);
  }

  function setWidth({ id, digest }: ShownApproval, width: Width): DecideOutcome {
    const row = approvals.get(id);
    if (!row) return gone;
    if (row.width === undefined) return refusal("Only a command can be confined.", row);
    const why = whyNotDecided(row, digest, { type: "approve" });
    if (why) return refusal(why, row);
    redraw(row, row.args, { ...row, baseHash: row.baseHash ?? undefined, width, unable: undefined });
    return { ok: true, approval: view(approvals.get(id)!) };
  }

  function undo(ids: readonly ApprovalId[]): DecideOutcome[] {
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
      return { ok: true, approval: view(row) };
    });
  }

  return {
    refresh,
    async refreshAll(...kinds) {
      for (const row of approvals.pending()) if (kinds.includes(row.kind)) await refresh(row);
    },
    decide,
    setWidth,
    undo,

    keepGraces() {
      for (const threadId of approvals.threadsWithUnconsumed())
        for (const row of approvals.unconsumed(threadId))
          if ((row.effectiveAt ?? 0) > now()) wakeAfterGrace(row);
    },

    close() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}

/** Who says nothing of it had not all of it before them; what no person decided was seen by nobody. */
function seenBy({ seen }: ShownApproval, { by, items }: DecisionInput): Seen | undefined {
  if (by.kind !== "person") return undefined;
  const sight = seen ?? { inFull: false, ms: 0 };
  return items.length > 1 ? { ...sight, among: items.length } : sight;
}

function pickRedrawn(row: ApprovalRow): Redrawn {
  const { args, subject, shape, baseHash, description, verdict, risk, digest } = row;
  return { args, subject, shape, baseHash: baseHash ?? undefined, description, verdict, risk, digest };
}

/** A command is what was typed; where a path or an address leads has to be seen first, unless it was. */
function showsFirst(row: ApprovalRow | undefined, args: Record<string, unknown>): boolean {
  if (row?.kind !== "tool" || (row.subject.kind !== "file" && row.subject.kind !== "url")) return false;
  return canonicalJson(args) !== canonicalJson(row.args);
}

function reasonsOf(verdict: Verdict | undefined): string {
  const denied = verdict?.units.filter((unit) => unit.verdict === "deny") ?? [];
  return [...new Set(denied.map(({ reason }) => reason.replace(/\.$/, "")))].join("; ");
}
