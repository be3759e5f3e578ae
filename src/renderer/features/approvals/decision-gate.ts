/** The one place that answers "may this decision act now?", for a key, a button, a form, a held key and many at once. */
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { DecisionType } from "../../../shared/contract/decisions.ts";
import { wasPaintedAtPress } from "../../base/painted.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { heightInView, lookAtAll, roomOf } from "../../ui/visible-part.ts";
import { drawnOf, isRead, wasRead } from "../seen/read-gauge.ts";
import { manyKey } from "../seen/read-list.tsx";
import { type CardForm, writtenKey } from "./card-form-name.ts";
import { isArmed, useQueue } from "./queue-store.ts";
import { classOf } from "./verdict-class.ts";

/**
 * What the person did. `pointer`: pressed a button with a mouse, pen or finger, `aimed` when it did not slide under
 * the pointer · `key`: a key of the queue, Enter on a button, or Enter in a field of the card.
 */
export type Press = { by: "key" } | { by: "pointer"; aimed: boolean };

/** Why it may not: the first of these that holds. */
export type Refusal =
  | "gone"
  | "notAllowed"
  | "busy"
  | "changed"
  | "stale"
  | "offScreen"
  | "unread"
  | "moved"
  | "arming";

/** Why one of many is left out. */
export type LeftOut =
  | "gone"
  | "notAllowed"
  | "changed"
  | "beyond"
  | "highRisk"
  | "rehearsed"
  | "responseFirst"
  | "stale"
  | "unread";

/**
 * @param shown the approval as it was drawn when the person decided.
 * @param written what stands in a form of it and would be sent.
 */
export function mayDecide(
  shown: Approval,
  type: DecisionType,
  press: Press,
  written?: string,
): Refusal | undefined {
  const { id } = shown;
  const approval = useApprovals.getState().byId.get(id);
  if (!approval) return "gone";
  if (!approval.allowedDecisions.includes(type)) return "notAllowed";
  if (useQueue.getState().busy.has(id)) return "busy";
  if (approval.digest !== shown.digest) return "changed";
  if (isStale(approval) && needsReading(type)) return "stale";
  if (!isOnScreen(id)) return "offScreen";
  if (toRead(approval, type, written).some(({ key, digest }) => !isRead(key, digest))) return "unread";
  if (press.by === "pointer") return press.aimed && wasPaintedAtPress() ? undefined : "moved";
  return isArmed() && wasPaintedAtPress() ? undefined : "arming";
}

/** What a person writes for a decision. */
const formOf: Partial<Record<DecisionType, CardForm>> = {
  edit: "edit",
  respond: "respond",
  reject: "reason",
};

/** What has to be on the screen to its end before: the card, unless it is refused, and what is written to be sent. */
export function toRead(
  { id, digest }: Approval,
  type: DecisionType,
  written?: string,
): { key: string; digest: string }[] {
  const form = formOf[type];
  // Of blanks there is nothing to see.
  const sent = form && written?.trim() ? [{ key: writtenKey(id, form), digest: written }] : [];
  return needsReading(type) ? [{ key: id, digest }, ...sent] : sent;
}

/** Whether a key may act on a card or group at all, such as opening a form of it. @param armed it leads to a decision. */
export function mayAct(key: string, armed = false): Refusal | undefined {
  if (useQueue.getState().busy.has(key as Approval["id"])) return "busy";
  if (!isOnScreen(key)) return "offScreen";
  return armed && !(isArmed() && wasPaintedAtPress()) ? "arming" : undefined;
}

/** Whether one of many may be decided with them; the list it stands in shows a command or an address whole. */
export function mayDecideAmongMany(shown: Approval, verb: "approve" | "reject"): LeftOut | undefined {
  const approval = useApprovals.getState().byId.get(shown.id);
  if (!approval) return "gone";
  if (!approval.allowedDecisions.includes(verb)) return "notAllowed";
  if (approval.digest !== shown.digest) return "changed";
  if (verb === "reject") return undefined;
  if (classOf(approval.verdict) !== undefined) return "beyond";
  if (approval.risk === "high") return "highRisk";
  if (isRehearsed(approval)) return "rehearsed";
  if (useQueue.getState().responseFirst.has(approval.id)) return "responseFirst";
  if (isStale(approval)) return "stale";
  return isToldByItsLine(approval) || wasRead(approval.id, approval.digest) ? undefined : "unread";
}

/** Whether one line in a list of many shows all there is to see of it. */
export function isToldByItsLine({ leftOut, subject: { kind } }: Approval): boolean {
  return leftOut === undefined && (kind === "command" || kind === "url");
}

/** Changes with every card that joins, leaves or is drawn anew. */
export function digestOfMany(listed: readonly Approval[]): string {
  return listed.map((one) => `${one.id} ${one.digest}`).join("\n");
}

/** Those of a list that may be decided now: none before all of the list was on the screen. */
export function whichOfMany(listed: readonly Approval[], verb: "approve" | "reject"): Approval[] {
  if (!isRead(manyKey, digestOfMany(listed))) return [];
  return listed.filter((one) => mayDecideAmongMany(one, verb) === undefined);
}

export function isStale({ subject }: Approval): boolean {
  return subject.kind === "file" && subject.stale;
}

/** Whether a yes to it commits what a rehearsal found. */
export function isRehearsed({ subject }: Approval): boolean {
  return subject.kind === "command" && subject.rehearsed?.could === true;
}

/** A refusal starts nothing, so it may be given without reading to the end. */
function needsReading(type: DecisionType): boolean {
  return type !== "reject";
}

/** A row is on the screen when all of its subject is, or when either fills half of the room there is. */
export function isOnScreen(key: string): boolean {
  const row = rowOf(key);
  if (!row) return false;
  const half = roomOf(row) / 2;
  const subject = drawnOf(key)?.element ?? row;
  return lookAtAll(() => isInView(subject, row, half) || isInView(row, row, half));
}

/** What a row says of itself may lie over it; whether its lines were seen all the same is for the gauge to say. */
function isInView(element: Element, row: Element, enough: number): boolean {
  const { height } = element.getBoundingClientRect();
  const least = Math.min(height - 1, enough);
  return height > 0 && heightInView(element, row, least) >= least;
}

/** The element of a card or a group, while it is drawn. */
export function rowOf(key: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`);
}
