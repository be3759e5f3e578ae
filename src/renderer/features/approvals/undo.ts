/** Takes back what was approved and has not started: one action, or all that were approved at once. */
import { type DecideOutcome, mostAtOnce } from "../../../shared/contract/approvals.ts";
import { client } from "../../base/client.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { describeError } from "../../base/words.ts";
import { showProblem, showToast } from "../../ui/toast.tsx";
import { hasQueueFocus } from "./queue-focus.ts";
import { restoreCards } from "./queue-store.ts";
import { strings } from "./strings.ts";
import { dropUndo, type Undoable } from "./undo-store.ts";

export async function undo(entry: Undoable): Promise<void> {
  dropUndo(entry);
  try {
    const outcomes = await takeBack(entry);
    const back = outcomes.flatMap(({ ok, approval }) => (ok && approval ? approval.id : []));
    const late = outcomes.find((one) => !one.ok);
    if (back.length > 0) {
      restoreCards(back, hasQueueFocus());
      showToast(strings.undone(back.length));
    }
    useApprovals.getState().change(outcomes.flatMap(({ approval }) => approval ?? []));
    if (late && !late.ok) showProblem(strings.notUndone(outcomes.length - back.length), late.reason);
  } catch (error) {
    showProblem(strings.failed, describeError(error));
  }
}

async function takeBack({ ids }: Undoable): Promise<DecideOutcome[]> {
  const [only] = ids;
  if (only && ids.length === 1) return [await client().call("approvals.undo", { id: only })];
  const outcomes: DecideOutcome[] = [];
  for (let from = 0; from < ids.length; from += mostAtOnce) {
    const part = ids.slice(from, from + mostAtOnce);
    outcomes.push(...(await client().call("approvals.undoMany", { ids: part })).outcomes);
  }
  return outcomes;
}
