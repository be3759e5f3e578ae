/** What was approved and has not started, one entry for each decision of the person, and the way to take it back. */
import { create } from "zustand";
import { type DecideOutcome, mostAtOnce } from "../../../shared/contract/approvals.ts";
import type { ApprovalId } from "../../../shared/ids.ts";
import { client } from "../../base/client.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { describeError } from "../../base/words.ts";
import { showProblem, showToast } from "../../ui/toast.tsx";
import { hasQueueFocus } from "./queue-focus.ts";
import { restoreCards } from "./queue-store.ts";
import { strings } from "./strings.ts";

/** `what` is the action; absent when many were approved at once. */
export type Undoable = { ids: readonly ApprovalId[]; what?: string; effectiveAt: number };

/** `inPlace`: those whose rows still stand in the list and offer the way back themselves. */
type UndoState = { entries: readonly Undoable[]; inPlace: ReadonlySet<Undoable> };

export const useUndo = create<UndoState>(() => ({ entries: [], inPlace: new Set() }));

/** Kept until it starts. */
export function addUndo(entry: Undoable): void {
  useUndo.setState(({ entries }) => ({ entries: [...entries, entry] }));
  setTimeout(() => dropUndo(entry), Math.max(0, entry.effectiveAt - Date.now()));
}

function dropUndo(entry: Undoable): void {
  useUndo.setState(({ entries }) => ({ entries: entries.filter((one) => one !== entry) }));
}

/** What was approved last. */
export function lastUndoable(): Undoable | undefined {
  return useUndo.getState().entries.at(-1);
}

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
  const outcomes: DecideOutcome[] = [];
  for (let from = 0; from < ids.length; from += mostAtOnce) {
    const part = ids.slice(from, from + mostAtOnce);
    outcomes.push(...(await client().call("approvals.undo", { ids: part })).outcomes);
  }
  return outcomes;
}
