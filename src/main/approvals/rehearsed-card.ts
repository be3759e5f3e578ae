/** The card of a command that was rehearsed: what was found is shown on it, and a yes means that and nothing else. */
import type { Approval, DecideOutcome, ShownApproval } from "../../shared/contract/approvals.ts";
import type { Width } from "../../shared/contract/decisions.ts";
import type { RehearsedCommand } from "../../shared/contract/subjects.ts";
import type { ApprovalRow } from "./approval-row.ts";
import type { ApprovalStore } from "./approval-store.ts";
import { whyNotDecided } from "./decision-check.ts";
import { type Drawing, redraw } from "./redraw.ts";

export type CardParts = {
  approvals: Pick<ApprovalStore, "get" | "redraw">;
  view(row: ApprovalRow): Approval;
};

/** What a rehearsal found, and for what was found the base that a yes is bound to. */
export type FoundByRehearsal = {
  readonly rehearsed: RehearsedCommand;
  readonly width: Width;
  readonly base: string | undefined;
};

/** Whether a yes to it commits what was found. */
export function isRehearsed({ subject }: Pick<ApprovalRow, "subject">): boolean {
  return subject.kind === "command" && subject.rehearsed?.could === true;
}

/** The card as it was before it was rehearsed. */
export function withoutRehearsal(row: ApprovalRow): Drawing {
  const { subject } = row;
  const isCommand = subject.kind === "command";
  const { rehearsed: _found, ...command } = isCommand ? subject : { rehearsed: undefined };
  const drawn = isCommand ? { subject: command as typeof subject, baseHash: undefined } : {};
  return { ...row, baseHash: row.baseHash ?? undefined, ...drawn, unable: undefined };
}

/** What is asked is asked of a command that waits, as it was shown, and of none that never runs. */
export function findToRehearse(
  { approvals, view }: CardParts,
  { id, digest }: ShownApproval,
): { row: ApprovalRow } | { refusal: DecideOutcome } {
  const row = approvals.get(id);
  if (!row) return { refusal: { ok: false, reason: "This approval does not exist any more." } };
  const isOne = row.kind === "tool" && row.subject.kind === "command" && row.askedBy === "gate";
  const why = isOne
    ? whyNotDecided(row, digest, { type: "approve" })
    : "Only a command that waits can be rehearsed.";
  return why === undefined ? { row } : { refusal: { ok: false, reason: why, approval: view(row) } };
}

/** Shows a command that waits with what a rehearsal found, or without any. Nothing is decided by it. */
export function showRehearsal(
  parts: CardParts,
  shown: ShownApproval,
  found: FoundByRehearsal | undefined,
): DecideOutcome {
  const { approvals, view } = parts;
  const asked = findToRehearse(parts, shown);
  if ("refusal" in asked) return asked.refusal;
  const { row } = asked;
  const plain = withoutRehearsal(row);
  const { subject } = plain;
  if (found === undefined || subject.kind !== "command") redraw(approvals, row, row.args, plain);
  else {
    const { rehearsed, width, base: baseHash } = found;
    const bound = rehearsed.could ? { width, baseHash } : {};
    redraw(approvals, row, row.args, { ...plain, subject: { ...subject, rehearsed }, ...bound });
  }
  return { ok: true, approval: view(approvals.get(row.id)!) };
}
