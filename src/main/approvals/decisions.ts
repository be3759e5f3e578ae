/** Decides approvals: exactly what was shown, only what is allowed, once; and wakes whatever waited for it. */
import type Database from "better-sqlite3";
import { z } from "zod";
import type { Approval, DecideOutcome, ShownApproval } from "../../shared/contract/approvals.ts";
import {
  type DecidedBy,
  type Decision,
  type Risk,
  riskSchema,
  type Seen,
  type Verdict,
  type Width,
} from "../../shared/contract/decisions.ts";
import type { ApprovalId, CommandId } from "../../shared/ids.ts";
import { reachesBeyond } from "../../shared/width.ts";
import { passBarrier } from "../base/barriers.ts";
import { giveWayAfter } from "../base/give-way.ts";
import { riskOf } from "../policy/verdict.ts";
import type { DurableCommits } from "../storage/durable-commit.ts";
import type { OnceOnly } from "../threads/commands.ts";
import type { EventLog } from "../threads/event-log.ts";
import type { ApprovalRow } from "./approval-row.ts";
import type { ApprovalStore } from "./approval-store.ts";
import { whyNotDecided } from "./decision-check.ts";
import { canonicalJson } from "./digest.ts";
import { createGraces, type Graces } from "./graces.ts";
import { type RedrawParts, redraw, refresh } from "./redraw.ts";
import { withoutRehearsal } from "./rehearsed-card.ts";

export type DecisionParts = RedrawParts & {
  database: Database.Database;
  commit: DurableCommits["commit"];
  once: Pick<OnceOnly, "answerOf" | "note">;
  now: () => number;
  approvals: ApprovalStore;
  log: EventLog;
  view(row: ApprovalRow): Approval;
  /** Brings a decision to what waits for it; called once for each, when nothing can take it back any more. */
  wake(row: ApprovalRow): void;
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

const gone: DecideOutcome = { ok: false, reason: "This approval does not exist any more." };

/** Holds in memory only the ends of graces; `keepGraces` brings those back after a start. */
export function createDecisions(parts: DecisionParts): Decisions {
  const { approvals, now } = parts;
  const graces = createGraces(now, parts.wake);
  return {
    refresh: (row) => refresh(parts, row),
    async refreshAll(...kinds) {
      for (const id of kinds.flatMap((kind) => approvals.pendingIds(kind))) {
        const row = approvals.get(id);
        if (row?.status === "pending") await refresh(parts, row);
      }
    },
    decide: (input) => decide(parts, graces, input),
    setWidth: (shown, width) => setWidth(parts, shown, width),
    undo: (ids) => undo(parts, graces, ids),
    keepGraces() {
      for (const threadId of approvals.threadsWithUnconsumed())
        for (const row of approvals.unconsumed(threadId))
          if ((row.effectiveAt ?? 0) > now()) graces.start(row);
    },
    close: graces.close,
  };
}

async function decide(parts: DecisionParts, graces: Graces, input: DecisionInput): Promise<DecideOutcome[]> {
  const { items, decision } = input;
  const { approvals, view } = parts;
  for (const { id } of items) {
    const row = approvals.get(id);
    if (row) await giveWayAfter((await refresh(parts, row)).args);
  }
  const [only] = items;
  const isRepeated = input.commandId !== undefined && parts.once.answerOf(input.commandId) !== undefined;
  const shown =
    decision.type === "edit" && only && !isRepeated && (await drawEdit(parts, only, decision.args));
  if (shown) return [shown];
  const { result: refused, onDisk } = parts.commit(() => decideRows(parts, input));
  passBarrier("approval-decided");
  const outcomes = refused.map((outcome, index): DecideOutcome => {
    if (outcome) return outcome;
    const row = approvals.get(items[index]!.id)!;
    graces.start(row);
    return { ok: true, approval: view(row) };
  });
  // Whoever was woken waits for the disk itself before it acts, and that wait covers this commit too.
  await onDisk;
  return outcomes;
}

/** Inside the commit. @returns for each item why it stays, or `undefined` when it was decided. */
function decideRows(parts: DecisionParts, input: DecisionInput): (DecideOutcome | undefined)[] {
  const { items, commandId, decision } = input;
  const earlier = commandId && parts.once.answerOf(commandId);
  if (earlier !== undefined) return repeat(parts, items, firstAnswers.parse(earlier));
  const starts = decision.type === "approve" || decision.type === "edit";
  const effectiveAt = parts.now() + (starts ? input.graceMs : 0);
  const outcomes = items.map((item) => decideRow(parts, item, input, effectiveAt));
  const answers = outcomes.map((outcome) => (outcome && !outcome.ok ? outcome.reason : null));
  if (commandId) parts.once.note(commandId, answers);
  return outcomes;
}

/** Inside the commit: nothing else can happen between the checks and the decision. */
function decideRow(parts: DecisionParts, shown: ShownApproval, input: DecisionInput, effectiveAt: number) {
  const { id, digest } = shown;
  const row = parts.approvals.get(id);
  if (!row) return gone;
  const why = whyNotDecided(row, digest, input.decision) ?? input.refuse?.(row);
  if (why) return refusal(parts, why, row);
  const { decision, by } = input;
  parts.approvals.decide(id, row.digest, { decision, by, seen: seenBy(shown, input), effectiveAt });
  parts.log.append(row.threadId, [
    { type: "approval.decided", itemId: row.itemId, approvalId: id, decision, by },
  ]);
  return undefined;
}

/** What was answered the first time, with each approval as it is now. */
function repeat(parts: DecisionParts, items: readonly ShownApproval[], reasons: (string | null)[]) {
  return items.map(({ id }, index): DecideOutcome => {
    const row = parts.approvals.get(id);
    const reason = reasons[index];
    if (!row) return gone;
    return reason ? refusal(parts, reason, row) : { ok: true, approval: parts.view(row) };
  });
}

/**
 * An edit of what leads to the disk or the network, or into a command that does more than its card said, is shown as what
 * it would do now, and decided about after that.
 * @returns `undefined` where nothing has to be seen first
 */
async function drawEdit(
  parts: DecisionParts,
  { id, digest }: ShownApproval,
  args: Record<string, unknown>,
): Promise<DecideOutcome | undefined> {
  const { approvals } = parts;
  const row = approvals.get(id);
  if (row?.kind !== "tool" || !/^(?:file|url|command)$/.test(row.subject.kind)) return undefined;
  if (canonicalJson(args) === canonicalJson(row.args)) return undefined;
  const why = whyNotDecided(row, digest, { type: "edit", args });
  if (why) return refusal(parts, why, row);
  const drawing = await parts.draw(row, args);
  if (row.subject.kind === "command" && !doesMore(row, drawing?.verdict)) return undefined;
  const denied = drawing?.verdict.verdict === "deny";
  if (!drawing || denied)
    return refusal(parts, `This is never allowed: ${reasonsOf(drawing?.verdict)}.`, row);
  if (drawing.unable !== undefined) return refusal(parts, drawing.unable, row);
  const now = approvals.get(id);
  if (now?.status !== "pending" || now.digest !== digest)
    return refusal(parts, "This was decided or changed meanwhile. Look at it again.", now ?? row);
  redraw(approvals, now, args, drawing);
  return refusal(parts, "This is what your edit does. Look at it, then decide.", approvals.get(id)!);
}

function setWidth(parts: DecisionParts, { id, digest }: ShownApproval, width: Width): DecideOutcome {
  const { approvals } = parts;
  const row = approvals.get(id);
  if (!row) return gone;
  if (row.width === undefined) return refusal(parts, "Only a command can be confined.", row);
  const why = whyNotDecided(row, digest, { type: "approve" });
  if (why) return refusal(parts, why, row);
  // What is granted more or leaves the sandbox is more than its first run had; whether anything else is, nobody knows here.
  if (row.kind === "escalation" && !reachesBeyond(width))
    return refusal(parts, "It ran confined already and was refused something.", row);
  redraw(approvals, row, row.args, { ...withoutRehearsal(row), width });
  return { ok: true, approval: parts.view(approvals.get(id)!) };
}

function undo(parts: DecisionParts, graces: Graces, ids: readonly ApprovalId[]): DecideOutcome[] {
  const { approvals, log } = parts;
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
    if (!undone[index]) return refusal(parts, "It is too late to take this back: it has started.", row);
    graces.drop(id);
    return { ok: true, approval: parts.view(row) };
  });
}

function refusal(parts: DecisionParts, reason: string, row: ApprovalRow): DecideOutcome {
  return { ok: false, reason, approval: parts.view(row) };
}

/** Who says nothing of it had not all of it before them; what no person decided was seen by nobody. */
function seenBy({ seen }: ShownApproval, { by, items }: DecisionInput): Seen | undefined {
  if (by.kind !== "person") return undefined;
  const sight = seen ?? { inFull: false, ms: 0 };
  return items.length > 1 ? { ...sight, among: items.length } : sight;
}

/** A command is what was typed. That it has a higher risk, leaves this machine or cannot be undone has to be seen first, unless it was. */
function doesMore({ risk, verdict: shown }: ApprovalRow, edited: Verdict | undefined): boolean {
  // What never runs is refused where it would begin, and the agent is told.
  if (!edited || edited.verdict === "deny") return false;
  const isRiskier = rankOf(riskOf(edited.verdict)) > rankOf(risk);
  const classes = new Set(shown.units.map((unit) => unit.class));
  return isRiskier || edited.units.some((unit) => unit.class !== undefined && !classes.has(unit.class));
}

const rankOf = (risk: Risk) => riskSchema.options.indexOf(risk);

function reasonsOf(verdict: Verdict | undefined): string {
  const denied = verdict?.units.filter((unit) => unit.verdict === "deny") ?? [];
  return [...new Set(denied.map(({ reason }) => reason.replace(/\.$/, "")))].join("; ");
}
