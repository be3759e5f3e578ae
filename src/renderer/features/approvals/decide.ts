/** Sends the person's decisions to the host, when they may act, and tells the stores what came back. */
import type { Approval, DecideOutcome } from "../../../shared/contract/approvals.ts";
import type { Decision, DecisionType } from "../../../shared/contract/decisions.ts";
import type { ApprovalId } from "../../../shared/ids.ts";
import { aboutApproval } from "../../../shared/tools/about-call.ts";
import { client, newCommandId } from "../../base/client.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { useSettings } from "../../base/stores/settings-store.ts";
import { describeError } from "../../base/words.ts";
import { showProblem, showToast } from "../../ui/toast.tsx";
import { mayDecide, type Press, toRead } from "./decision-gate.ts";
import { leadTo } from "./lead-to-card.ts";
import { forgetCards, setNote, toggled, useQueue } from "./queue-store.ts";
import { untilRead } from "./read-gauge.ts";
import { strings } from "./strings.ts";
import { addUndo } from "./undo-store.ts";

/**
 * Decides one approval for exactly what was shown, when that was on the screen to its end and is there now; else leads
 * the person to it. The row that follows is next as soon as this one has left.
 * @param written what stands in the form and is sent with it.
 */
export async function decide(
  approval: Approval,
  decision: Decision,
  press: Press,
  written?: string,
): Promise<void> {
  const { id, digest } = approval;
  if (!(await isLetThrough(approval, decision.type, press, written))) return;
  setNote(id, undefined);
  useQueue.setState(({ busy }) => ({ busy: toggled(busy, id, true), confirming: undefined }));
  try {
    const outcome = await client().call("approvals.decide", {
      commandId: newCommandId(),
      id,
      digest,
      decision,
      graceMs: graceOf(approval, decision),
    });
    takeOutcome(approval, outcome);
  } catch (error) {
    noteProblem(id, `${strings.failed}: ${describeError(error)}`);
  } finally {
    useQueue.setState((state) => ({ busy: toggled(state.busy, id, false) }));
  }
}

/**
 * Whether a press may act; one that may not leads to what is missing. What was scrolled to and pressed within a glance
 * acts as soon as it was there long enough to be seen.
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
    for (const { key, digest } of toRead(approval, type, written)) await untilRead(key, digest);
    refusal = mayDecide(approval, type, press, written);
  }
  if (refusal) leadTo(id, refusal);
  return refusal === undefined;
}

/** Trivial approvals start at once; others wait for the time in which they can be taken back. */
export function graceOf(approval: Approval, decision: Pick<Decision, "type">): number {
  const starts = decision.type === "approve" || decision.type === "edit";
  return starts && approval.risk !== "low" ? useSettings.getState().settings.undoGraceMs : 0;
}

function takeOutcome(before: Approval, outcome: DecideOutcome): void {
  if (outcome.approval) useApprovals.getState().change([outcome.approval]);
  if (outcome.ok) {
    forgetCards([before.id]);
    const { effectiveAt } = outcome.approval;
    if (effectiveAt !== undefined && effectiveAt > Date.now()) {
      addUndo({ ids: [before.id], what: aboutApproval(before), effectiveAt });
    }
    return;
  }
  if (outcome.approval && outcome.approval.status !== "pending") {
    forgetCards([before.id]);
    showToast(strings.conflict, outcome.reason);
  } else {
    noteProblem(before.id, outcome.reason);
  }
}

export function noteProblem(id: ApprovalId, problem: string): void {
  useQueue.setState(({ problems }) => ({ problems: new Map(problems).set(id, problem) }));
}

/** Puts an approval aside until a time, or back with `null`. */
export async function snooze(approval: Approval, until: number | null): Promise<void> {
  try {
    await client().call("approvals.snooze", { id: approval.id, until });
    useApprovals.getState().change([{ ...approval, snoozedUntil: until ?? undefined }]);
  } catch (error) {
    showProblem(strings.failed, describeError(error));
  }
}
