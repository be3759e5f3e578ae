/** Sends the person's decisions to the host and tells the stores what came back. */
import type { Approval, DecideOutcome } from "../../../shared/contract/approvals.ts";
import type { Decision } from "../../../shared/contract/decisions.ts";
import type { ApprovalId } from "../../../shared/ids.ts";
import { client, newCommandId } from "../../app/client.ts";
import { useApprovals } from "../../app/stores/approvals-store.ts";
import { useSettings } from "../../app/stores/settings-store.ts";
import { describeError } from "../../app/words.ts";
import { showProblem, showToast } from "../../ui/toast.tsx";
import { summarise } from "./arrange-queue.ts";
import { forgetCards, makeCurrent, neighbourOf, toggled, useQueue } from "./queue-store.ts";
import { strings } from "./strings.ts";
import { addUndo } from "./undo-store.ts";

/** Decides one approval for exactly what was shown, then goes on to the next card. */
export async function decide(approval: Approval, decision: Decision): Promise<void> {
  const { busy } = useQueue.getState();
  if (busy.has(approval.id)) return;
  useQueue.setState({ busy: toggled(busy, approval.id, true), confirming: undefined });
  const next = neighbourOf(approval.id);
  const hadFocus = isFocusInQueue();
  try {
    const outcome = await client().call("approvals.decide", {
      commandId: newCommandId(),
      id: approval.id,
      digest: approval.digest,
      decision,
      graceMs: graceOf(approval, decision),
    });
    takeOutcome(approval, outcome);
    if (outcome.ok && useQueue.getState().currentId === approval.id) makeCurrent(next, hadFocus);
  } catch (error) {
    noteProblem(approval.id, `${strings.failed}: ${describeError(error)}`);
  } finally {
    useQueue.setState((state) => ({ busy: toggled(state.busy, approval.id, false) }));
  }
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
      addUndo({ ids: [before.id], what: summarise(before), effectiveAt });
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

export function isFocusInQueue(): boolean {
  const { activeElement } = document;
  return (
    activeElement === document.body ||
    activeElement === null ||
    activeElement.closest("[data-queue]") !== null
  );
}

/** Puts an approval aside until a time, or back with `null`. */
export async function snooze(approval: Approval, until: number | null): Promise<void> {
  const next = neighbourOf(approval.id);
  try {
    await client().call("approvals.snooze", { id: approval.id, until });
    useApprovals.getState().change([{ ...approval, snoozedUntil: until ?? undefined }]);
    if (useQueue.getState().currentId === approval.id) makeCurrent(next, isFocusInQueue());
  } catch (error) {
    showProblem(strings.failed, describeError(error));
  }
}
