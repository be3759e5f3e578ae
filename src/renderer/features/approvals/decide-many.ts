/** Decides many at once: one commit of the host for each part, one way back for all of them, and an outcome for each row. */
import { type Approval, type DecideOutcome, mostAtOnce } from "../../../shared/contract/approvals.ts";
import { aboutApproval } from "../../../shared/tools/about-call.ts";
import { client, newCommandId } from "../../base/client.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { describeError } from "../../base/words.ts";
import { showProblem, showToast } from "../../ui/toast.tsx";
import { graceOf, noteProblem } from "./decide.ts";
import { whichOfMany } from "./decision-gate.ts";
import { forgetCards } from "./queue-store.ts";
import { strings } from "./strings.ts";
import { addUndo } from "./undo-store.ts";

type BulkDecision = { type: "approve" | "reject" };
type Result = { approval: Approval; outcome: DecideOutcome };
const mostNamed = 4;

/**
 * Decides those that may be decided with others, as they were listed. A row that could not be decided says why on its
 * card; one that is gone is named in the message.
 */
export async function decideMany(listed: readonly Approval[], decision: BulkDecision): Promise<void> {
  const approvals = whichOfMany(listed, decision.type);
  if (approvals.length < listed.length) showProblem(strings.bulkChanged(listed.length - approvals.length));
  if (approvals.length === 0) return;
  const results: Result[] = [];
  // One of them that is not trivial makes all wait, so that all can be taken back together.
  const graceMs = Math.max(0, ...approvals.map((one) => graceOf(one, decision)));
  try {
    for (let from = 0; from < approvals.length; from += mostAtOnce)
      results.push(...(await decidePart(approvals.slice(from, from + mostAtOnce), decision, graceMs)));
  } catch (error) {
    showProblem(strings.failed, describeError(error));
  }
  report(results, decision);
}

async function decidePart(
  part: readonly Approval[],
  decision: BulkDecision,
  graceMs: number,
): Promise<Result[]> {
  const { outcomes } = await client().call("approvals.decideMany", {
    commandId: newCommandId(),
    items: part.map(({ id, digest }) => ({ id, digest })),
    decision,
    graceMs,
  });
  const results = part.flatMap((approval, index) => {
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

function report(results: readonly Result[], decision: BulkDecision): void {
  const done = results.flatMap(({ outcome }) => (outcome.ok ? outcome.approval : []));
  const ends = done.map(({ effectiveAt = 0 }) => effectiveAt);
  const earliest = Math.min(...ends);
  if (done.length > 0 && earliest > Date.now())
    addUndo({ ids: done.map(({ id }) => id), effectiveAt: earliest });
  else if (done.length > 0) showToast(strings.bulkDone(decision.type, done.length));
  const refused = results.flatMap(({ approval, outcome }) =>
    outcome.ok ? [] : { approval, reason: outcome.reason, waits: stillWaits(outcome) },
  );
  for (const { approval, reason, waits } of refused) if (waits) noteProblem(approval.id, reason);
  if (refused.length === 0) return;
  const named = refused
    .slice(0, mostNamed)
    .map(({ approval, reason }) => strings.bulkOutcome(aboutApproval(approval), reason));
  showProblem(strings.bulkFailed(refused.length), named.join("\n"));
}
