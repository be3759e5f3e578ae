/** What makes a key act on the current row of the queue, while the queue is what the person works in. */
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { DecisionType } from "../../../shared/contract/decisions.ts";
import type { ThreadSummary } from "../../../shared/contract/threads.ts";
import type { ApprovalId } from "../../../shared/ids.ts";
import type { Action } from "../../base/actions.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { usePalette } from "../../base/stores/palette-store.ts";
import { showToast } from "../../ui/toast.tsx";
import { mayAct } from "./decision-gate.ts";
import { haltedThreadOf } from "./halted.ts";
import { leadTo, leadToPane } from "./lead-to-card.ts";
import { areKeysForQueue, isQueueBeside, isThreadQuiet } from "./queue-focus.ts";
import { setNote, useQueue } from "./queue-store.ts";
import { strings } from "./strings.ts";

/** The row that was current when the palette opened over it: what is chosen there is meant for that one. */
let underPalette: string | undefined;

/** @returns a function that ends it. */
export function watchPalette(): () => void {
  return usePalette.subscribe((now, before) => {
    if (now.open && !before.open) underPalette = currentKey();
  });
}

/** The current row, as long as it stands in the list. */
export function currentKey(): string | undefined {
  const { currentId, order } = useQueue.getState();
  return currentId !== undefined && order.includes(currentId) ? currentId : undefined;
}

export function currentCard(): Approval | undefined {
  const key = currentKey();
  return key === undefined ? undefined : useApprovals.getState().byId.get(key as ApprovalId);
}

function currentGroup(): readonly ApprovalId[] | undefined {
  const key = currentKey();
  return key === undefined ? undefined : useQueue.getState().groups.get(key);
}

type RowAction = {
  action: Pick<Action, "id" | "label" | "keys" | "guarded">;
  onCard: (approval: Approval, event?: KeyboardEvent) => void;
  /** Without it the key does nothing on a group. */
  onGroup?: (ids: readonly ApprovalId[]) => void;
  /** Without it the key does nothing on a thread that came to a halt. */
  onHalted?: (thread: ThreadSummary, key: string) => void;
  /** The decision a card must allow. */
  needs?: DecisionType;
  /** It decides, or leads to a decision: the row must be on the screen and armed; else the press leads there. */
  checked?: boolean;
};

/** An action on the current row; a card that does not take the decision says so. */
export function onRow({ action, onCard, onGroup, onHalted, needs, checked = false }: RowAction): Action {
  return {
    ...action,
    section: strings.region,
    when: () => {
      if (isQueueBeside()) return true;
      if (isThreadQuiet()) return needs !== undefined;
      if (!areKeysForQueue()) return false;
      if (currentCard() !== undefined) return true;
      if (onHalted !== undefined && haltedThreadOf(currentKey())) return true;
      return onGroup !== undefined && currentGroup() !== undefined;
    },
    onTypedJustNow: () => {
      if (isQueueBeside()) return leadToPane();
      const key = currentKey();
      if (key !== undefined) setNote(key, strings.notes.typing, true);
    },
    run: (event) => {
      if (isQueueBeside()) return leadToPane();
      if (isThreadQuiet()) return showToast(strings.nothingHere);
      const key = currentKey();
      if (key === undefined) return;
      // Only the palette runs an action without a key.
      if (checked && event === undefined && key !== underPalette) return leadTo(key, "arming");
      const approval = currentCard();
      const refusal = checked ? mayAct(key, action.guarded) : undefined;
      if (refusal) return leadTo(key, refusal);
      if (approval && needs && !approval.allowedDecisions.includes(needs)) return leadTo(key, "notAllowed");
      const group = currentGroup();
      const halted = haltedThreadOf(key);
      if (approval) onCard(approval, event);
      else if (group) onGroup?.(group);
      else if (halted) onHalted?.(halted, key);
    },
  };
}
