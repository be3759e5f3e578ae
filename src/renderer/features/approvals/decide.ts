/** Sends the person's decisions to the host, when they may act, and tells the stores what came back. */

import { type Approval, type DecideOutcome, mostAtOnce } from "../../../shared/contract/approvals.ts";
import type { Decision, DecisionType, Sight } from "../../../shared/contract/decisions.ts";
import type { ApprovalId } from "../../../shared/ids.ts";
import { aboutApproval } from "../../../shared/tools/about-call.ts";
import type { Grant } from "../../../shared/width.ts";
import { client, newCommandId } from "../../base/client.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { useSettings } from "../../base/stores/settings-store.ts";
import { describeError } from "../../base/words.ts";
import { showProblem, showToast } from "../../ui/toast.tsx";
import { untilRead } from "../seen/read-gauge.ts";
import { bulkStrings } from "./bulk-strings.ts";
import { mayDecide, type Press, toRead, whichOfMany } from "./decision-gate.ts";
import { staysLastPress } from "./last-press.ts";
import { leadTo } from "./lead-to-card.ts";
import { forgetCards, setNote, toggled, useQueue } from "./queue-store.ts";
import { objectOf } from "./row-words.ts";
import { keepSettled } from "./settled.ts";
import { sightInList, sightOf } from "./sight-of.ts";
import { strings } from "./strings.ts";
import { addUndo, beginWay, endWay, type Undoable, undo } from "./undo.ts";

type BulkDecision = { type: "approve" | "reject" };
/** One that is sent, and what was on the screen of it. */
type Sent = { approval: Approval; seen: Sight };
type Result = { approval: Approval; outcome: DecideOutcome };
const mostNamed = 4;

/**
 * Decides one approval for exactly what was shown, when that was on the screen to its end and is there now; else leads
 * the person to it. The row that follows is next as soon as this one has left.
 * @param written what stands in the form and is sent with it.
 * @returns whether it is decided.
 */
export async function decide(
  approval: Approval,
  decision: Decision,
  press: Press,
  written?: string,
): Promise<boolean> {
  const { id } = approval;
  if (!(await isLetThrough(approval, decision.type, press, written))) return false;
  const seen = sightOf(approval, decision.type, written);
  setNote(id, undefined);
  useQueue.setState(({ busy }) => ({ busy: toggled(busy, id, true), confirming: undefined }));
  const graceMs = graceOf(approval, decision);
  const way = graceMs > 0 ? beginWay() : undefined;
  try {
    const [result] = await send([{ approval, seen }], decision, graceMs);
    if (result) reportOne(result, decision.type, way?.takenBack);
    return result?.outcome.ok === true && !way?.takenBack;
  } catch (error) {
    noteProblem(id, `${strings.failed}: ${describeError(error)}`);
    return false;
  } finally {
    if (way) endWay(way);
    useQueue.setState((state) => ({ busy: toggled(state.busy, id, false) }));
  }
}

/**
 * Decides those that may be decided with others, as they were listed. A row that could not be decided says why on its
 * card; one that is gone is named in the message.
 */
export async function decideMany(listed: readonly Approval[], decision: BulkDecision): Promise<void> {
  const approvals = whichOfMany(listed, decision.type);
  if (approvals.length < listed.length)
    showProblem(bulkStrings.bulkChanged(listed.length - approvals.length));
  if (approvals.length === 0) return;
  const sent = approvals.map((approval) => ({ approval, seen: sightInList(approval, listed) }));
  const results: Result[] = [];
  // One of them that is not trivial makes all wait, so that all can be taken back together.
  const graceMs = Math.max(0, ...approvals.map((one) => graceOf(one, decision)));
  const way = graceMs > 0 ? beginWay() : undefined;
  try {
    for (let from = 0; from < approvals.length; from += mostAtOnce)
      results.push(...(await send(sent.slice(from, from + mostAtOnce), decision, graceMs)));
  } catch (error) {
    showProblem(strings.failed, describeError(error));
  }
  if (way) endWay(way);
  reportMany(results, decision, way?.takenBack);
}

/** One commit of the host; cards that wait no more leave the queue. */
async function send(part: readonly Sent[], decision: Decision, graceMs: number): Promise<Result[]> {
  const { outcomes } = await client().call("approvals.decide", {
    commandId: newCommandId(),
    items: part.map(({ approval: { id, digest }, seen }) => ({ id, digest, seen })),
    decision,
    graceMs,
  });
  const results = part.flatMap(({ approval }, index) => {
    const outcome = outcomes[index];
    return outcome ? [{ approval, outcome }] : [];
  });
  useApprovals.getState().change(outcomes.flatMap(({ approval }) => approval ?? []));
  forgetCards(results.filter(({ outcome }) => !stillWaits(outcome)).map(({ approval }) => approval.id));
  return results;
}

function stillWaits(outcome: DecideOutcome): boolean {
  return !outcome.ok && (outcome.approval === undefined || outcome.approval.status === "pending");
}

function reportOne({ approval, outcome }: Result, type: DecisionType, takenBack = false): void {
  if (outcome.ok) {
    const { effectiveAt = 0 } = outcome.approval;
    const ids = [approval.id];
    if (!offerUndo({ ids, what: aboutApproval(approval), effectiveAt }, takenBack)) keepSettled(ids, type);
  } else if (stillWaits(outcome)) noteProblem(approval.id, outcome.reason);
  else showToast(strings.conflict, outcome.reason);
}

/** @param takenBack the person has taken it back already. @returns whether it still can be, or is being taken back. */
function offerUndo(entry: Undoable, takenBack: boolean): boolean {
  if (takenBack) void undo(entry);
  else if (entry.effectiveAt > Date.now()) addUndo(entry);
  else return false;
  return true;
}

function reportMany(results: readonly Result[], decision: BulkDecision, takenBack = false): void {
  const done = results.flatMap(({ outcome }) => (outcome.ok ? outcome.approval : []));
  const ends = done.map(({ effectiveAt = 0 }) => effectiveAt);
  const earliest = Math.min(...ends);
  const entry = { ids: done.map(({ id }) => id), effectiveAt: earliest };
  if (done.length > 0 && !offerUndo(entry, takenBack)) {
    keepSettled(entry.ids, decision.type);
    showToast(bulkStrings.bulkDone(decision.type, done.length));
  }
  const refused = results.flatMap(({ approval, outcome }) =>
    outcome.ok ? [] : { approval, reason: outcome.reason, waits: stillWaits(outcome) },
  );
  for (const { approval, reason, waits } of refused) if (waits) noteProblem(approval.id, reason);
  if (refused.length === 0) return;
  const named = refused
    .slice(0, mostNamed)
    .map(({ approval, reason }) => bulkStrings.bulkOutcome(objectOf(approval), reason));
  showProblem(bulkStrings.bulkFailed(refused.length), named.join("\n"));
}

/**
 * Whether a press may act; one that may not leads to what is missing. What was scrolled to and pressed within a glance
 * acts as soon as it was there long enough to be seen, unless the person pressed anything else meanwhile.
 */
export async function isLetThrough(
  approval: Approval,
  type: DecisionType,
  press: Press,
  written?: string,
): Promise<boolean> {
  const { id } = approval;
  let refusal = mayDecide(approval, type, press, written);
  if (refusal === "unread") {
    // What the last press said may lie over the very line that is missing.
    setNote(id, undefined);
    const isWanted = await staysLastPress(async () => {
      for (const { key, digest } of toRead(approval, type, written)) await untilRead(key, digest);
    });
    if (!isWanted) return false;
    refusal = mayDecide(approval, type, press, written);
  }
  if (refusal) leadTo(id, refusal);
  return refusal === undefined;
}

/** Trivial approvals start at once; others wait for the time in which they can be taken back. */
function graceOf(approval: Approval, decision: Pick<Decision, "type">): number {
  const starts = decision.type === "approve" || decision.type === "edit";
  return starts && approval.risk !== "low" ? useSettings.getState().settings.undoGraceMs : 0;
}

/** Says on the card itself what is wrong. */
export function noteProblem(id: ApprovalId, problem: string): void {
  useQueue.setState(({ problems }) => ({ problems: new Map(problems).set(id, problem) }));
}

/** Puts an approval aside until a time, or back with `null`. */
export async function snooze(approval: Approval, until: number | null): Promise<void> {
  try {
    await client().call("approvals.snooze", { id: approval.id, until });
    useApprovals.getState().change([{ ...approval, snoozedUntil: until ?? undefined }]);
    showToast(until === null ? strings.awake : strings.snoozedUntil(until));
  } catch (error) {
    showProblem(strings.failed, describeError(error));
  }
}

/** Takes a command that waits out of the sandbox or puts it in, or grants it something there; the card shows it then, and only a yes to that means it. */
export async function confine(
  { id, digest }: Approval,
  confined: boolean,
  grant?: Grant | null,
): Promise<void> {
  try {
    const outcome = await client().call("approvals.confine", { id, digest, confined, grant });
    if (outcome.approval) useApprovals.getState().change([outcome.approval]);
    if (!outcome.ok) noteProblem(id, outcome.reason);
  } catch (error) {
    showProblem(strings.failed, describeError(error));
  }
}
