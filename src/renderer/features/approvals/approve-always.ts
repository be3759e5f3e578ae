/** Approves a card and keeps a rule for what is like it, by one press in the dialog that shows the rule. */
import type { Approval } from "../../../shared/contract/approvals.ts";
import { client } from "../../base/client.ts";
import { describeError } from "../../base/words.ts";
import { showProblem, showToast } from "../../ui/toast.tsx";
import type { NewRule } from "../rules/rule-dialog.tsx";
import { decide, isLetThrough } from "./decide.ts";
import type { Press } from "./decision-gate.ts";
import { setNote, useQueue } from "./queue-store.ts";
import { strings } from "./strings.ts";
import { bindRule } from "./undo.ts";
import { classOf } from "./verdict-class.ts";

/**
 * Whether a rule could answer what is like it: only a command that asks because nothing covers it yet, never what leaves
 * the machine, cannot be undone, is of high risk, or is not here whole.
 */
export function mayBeRuled(approval: Approval): boolean {
  const { kind, subject, verdict, risk, leftOut, allowedDecisions } = approval;
  if (kind !== "tool" || subject.kind !== "command" || leftOut !== undefined) return false;
  if (!allowedDecisions.includes("approve") || risk === "high") return false;
  return verdict.verdict === "new" && classOf(verdict) === undefined;
}

/** Opens the dialog once the card may be approved; what is pressed there approves just what is shown now. */
export async function askAlways(approval: Approval, press: Press): Promise<void> {
  const { id } = approval;
  if (!mayBeRuled(approval)) return setNote(id, strings.notes.noRule);
  if (await isLetThrough(approval, "approve", press))
    useQueue.setState({ ruleFor: { id, approving: approval } });
}

/** In this order, so that the record has the approval as the person's own and not as the rule's. */
export async function approveAlways(approval: Approval, rule: NewRule): Promise<void> {
  useQueue.setState({ ruleFor: undefined });
  // The dialog lay over the card until now.
  await new Promise(requestAnimationFrame);
  if (!(await decide(approval, { type: "approve" }, { by: "key" }))) return;
  const adding = client().call("rules.add", rule);
  bindRule(
    approval.id,
    adding.then(
      ({ id }) => id,
      () => undefined,
    ),
  );
  try {
    const { text } = await adding;
    showToast(strings.ruleKept, text);
  } catch (error) {
    showProblem(strings.ruleNotKept, describeError(error));
  }
}
