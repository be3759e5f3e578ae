/** Draws the card of what waits anew, so that a decision is about what is so now. */

import type { Verdict } from "../../shared/contract/decisions.ts";
import { giveWayAfter } from "../base/give-way.ts";
import { riskOf } from "../policy/verdict.ts";
import type { ApprovalRow, Redrawn } from "./approval-row.ts";
import type { ApprovalStore } from "./approval-store.ts";
import { canonicalJson, digestOf, firstRunOf } from "./digest.ts";

/** What of a card may be different from when it was asked, or from what the agent wanted. */
export type Drawing = Pick<Redrawn, "subject" | "shape" | "baseHash" | "description" | "width"> & {
  verdict: Verdict;
  /** It cannot be made as the disk is now. */
  unable: string | undefined;
};

export type RedrawParts = {
  approvals: Pick<ApprovalStore, "get" | "redraw">;
  /** The card as it would be drawn now, with these arguments; `undefined` when nothing of it can have changed. */
  draw(row: ApprovalRow, args: Record<string, unknown>): Promise<Drawing | undefined>;
};

/** Looks again at what a pending card is about. @returns the row as it is after that. */
export async function refresh({ approvals, draw }: RedrawParts, row: ApprovalRow): Promise<ApprovalRow> {
  if (row.status !== "pending") return row;
  const drawing = await draw(row, row.args);
  await giveWayAfter(row.args);
  if (drawing) redraw(approvals, row, row.args, drawing);
  return approvals.get(row.id) ?? row;
}

/** Shows what is so now. What a decision was about before, it is not about any more: the digest is another. */
export function redraw(
  approvals: RedrawParts["approvals"],
  row: ApprovalRow,
  args: Record<string, unknown>,
  drawing: Drawing,
): void {
  const { threadId, callKey, tool, cwd } = row;
  const { subject, shape, baseHash, description, verdict, width } = drawing;
  const firstRun = firstRunOf(subject);
  const digest = digestOf({ threadId, callKey, tool, args, cwd, baseHash, width, firstRun });
  const risk = riskOf(verdict.verdict);
  const next = { args, subject, shape, baseHash, description, verdict, width, risk, digest };
  if (canonicalJson(next) !== canonicalJson(pickRedrawn(row))) approvals.redraw(row.id, next);
}

function pickRedrawn(row: ApprovalRow): Redrawn {
  const { args, subject, shape, baseHash, description, verdict, risk, digest } = row;
  return { args, subject, shape, baseHash: baseHash ?? undefined, description, verdict, risk, digest };
}
