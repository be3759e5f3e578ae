/** The keys of the queue, registered once; they act on the current row while the queue is what the person works in. */
import type { Approval } from "../../../shared/contract/approvals.ts";
import { mostChoices } from "../../../shared/contract/subjects.ts";
import { type Action, registerActions } from "../../base/actions.ts";
import { isWide } from "../../base/media.ts";
import { go } from "../../base/navigation.ts";
import { isSnoozed } from "../../base/stores/waiting.ts";
import { drawnOf } from "../seen/read-gauge.ts";
import { askAutoApprove } from "../threads/auto-approve.ts";
import { askAlways } from "./approve-always.ts";
import { askBulk } from "./ask-bulk.ts";
import { choicesOf } from "./card-form.tsx";
import { snoozeMs } from "./card-menu.tsx";
import { isLetThrough, snooze } from "./decide.ts";
import { mayAct, mayDecide, rowOf } from "./decision-gate.ts";
import { holdToAct } from "./hold-key.ts";
import { leadTo } from "./lead-to-card.ts";
import { nobodyWaits } from "./nobody-waits.ts";
import { areKeysForQueue, areSharedKeysForQueue } from "./queue-focus.ts";
import { isQueueView, moves } from "./queue-moves.ts";
import { moveCurrent, setForm, setNote, toggled, useQueue } from "./queue-store.ts";
import { readOn } from "./read-on.ts";
import { rehearsalStrings } from "./rehearsal-strings.ts";
import { mayRehearse, rehearse } from "./rehearse.ts";
import { currentCard, currentKey, onRow, watchPalette } from "./row-action.ts";
import { strings } from "./strings.ts";
import { submitApprove, submitReject } from "./submit-form.ts";
import { canUndo, undoLast } from "./undo.ts";

const section = strings.region;

/** @returns a function that takes them out again. */
export function registerQueueActions(): () => void {
  const unregister = registerActions([choices(), ...decisions(), ...moves(), ...selections(), ...others()]);
  const stop = watchPalette();
  return () => {
    unregister();
    stop();
  };
}

function decisions(): Action[] {
  const { keys } = strings;
  return [
    onRow({
      action: { id: "card.approve", label: keys.approve, keys: ["y", "1"], guarded: true },
      onCard: approveByKey,
      onGroup: (ids) => askBulk("approve", ids),
      onHalted: (_, key) => goOn(key, "y"),
      needs: "approve",
      checked: true,
    }),
    onRow({
      action: { id: "card.reject", label: keys.reject, keys: ["n", "2"], guarded: true },
      onCard: (approval) =>
        nobodyWaits(approval) ? void submitReject(approval, { by: "key" }) : setForm(approval.id, "reason"),
      onGroup: (ids) => askBulk("reject", ids),
      needs: "reject",
      checked: true,
    }),
    onRow({
      action: { id: "card.auto", label: keys.auto, keys: ["a", "3"], guarded: true },
      onCard: ({ threadId }) => void askAutoApprove(threadId),
      checked: true,
    }),
    onRow({
      action: { id: "card.edit", label: keys.change, keys: ["c"] },
      onCard: ({ id }) => setForm(id, "edit"),
      onHalted: (_, key) => goOn(key, "c"),
      needs: "edit",
      checked: true,
    }),
    onRow({
      action: { id: "card.respond", label: keys.respond, keys: ["r"] },
      onCard: ({ id }) => setForm(id, "respond"),
      needs: "respond",
      checked: true,
    }),
    onRow({
      action: { id: "card.rule", label: keys.rule, keys: ["p"] },
      onCard: ({ id }) => useQueue.setState({ ruleFor: { id } }),
      checked: true,
    }),
    onRow({
      action: { id: "card.always", label: keys.always, keys: ["Shift+p"], guarded: true },
      onCard: (approval) => void askAlways(approval, { by: "key" }),
      needs: "approve",
      checked: true,
    }),
    onRow({
      action: { id: "card.snooze", label: keys.snooze, keys: ["s"], guarded: true },
      onCard: (approval) =>
        void snooze(approval, isSnoozed(approval, Date.now()) ? null : Date.now() + snoozeMs),
      checked: true,
    }),
    onRow({
      action: { id: "card.rehearse", label: rehearsalStrings.key, keys: ["h"] },
      onCard: (approval) =>
        mayRehearse(approval)
          ? void rehearse(approval, true)
          : setNote(approval.id, rehearsalStrings.notHere),
      checked: true,
    }),
    {
      id: "queue.undo",
      label: keys.undo,
      section,
      keys: ["z"],
      when: canUndo,
      run: undoLast,
    },
  ];
}

/** On a question that offers answers the digits lead to those and mean nothing else; `Enter` takes the one with the focus. */
function choices(): Action {
  const digits = Array.from({ length: mostChoices }, (_, index) => String(index + 1));
  return {
    id: "card.choice",
    label: strings.keys.choice,
    section,
    keys: digits,
    hidden: true,
    when: () => {
      const approval = areKeysForQueue() ? currentCard() : undefined;
      return approval !== undefined && choicesOf(approval).length > 0;
    },
    run: (event) => {
      const key = currentKey();
      if (key === undefined || event === undefined) return;
      const refusal = mayAct(key);
      if (refusal) return leadTo(key, refusal);
      rowOf(key)?.querySelectorAll<HTMLElement>("[data-choice]")[digits.indexOf(event.key)]?.focus();
    },
  };
}

/** A red card wants the key to be held; the palette counts as a deliberate choice only after the card's own second step. */
function approveByKey(approval: Approval, event?: KeyboardEvent): void {
  const { id } = approval;
  const act = () => void submitApprove(approval, { by: "key" });
  // Asked at once: a key that was released while it is being asked would count as held.
  const refused = mayDecide(approval, "approve", { by: "key" }) !== undefined;
  if (approval.risk !== "high") act();
  else if (refused)
    void isLetThrough(approval, "approve", { by: "key" }).then(
      (may) => may && setNote(id, strings.notes.hold),
    );
  else if (event) holdToAct(approval, event, act, () => setNote(id, strings.notes.hold));
  else useQueue.setState({ confirming: id });
}

function focusIn(key: string, selector: string): void {
  rowOf(key)?.querySelector<HTMLElement>(selector)?.focus();
}

function selections(): Action[] {
  const { keys } = strings;
  const bulk = (id: string, label: string, key: string, verb: "approve" | "reject"): Action => ({
    id: `queue.${id}`,
    label,
    section,
    keys: [key],
    guarded: true,
    when: () => areKeysForQueue() && useQueue.getState().selected.size > 0,
    run: () => askBulk(verb, [...useQueue.getState().selected]),
  });
  const extend = (by: 1 | -1) => {
    selectCurrent(true);
    moveCurrent(by);
    selectCurrent(true);
  };
  return [
    onRow({ action: { id: "card.select", label: keys.select, keys: ["x"] }, onCard: () => selectCurrent() }),
    onRow({
      action: { id: "card.extendDown", label: keys.extendDown, keys: ["Shift+j"] },
      onCard: () => extend(1),
      onGroup: () => moveCurrent(1),
    }),
    onRow({
      action: { id: "card.extendUp", label: keys.extendUp, keys: ["Shift+k"] },
      onCard: () => extend(-1),
      onGroup: () => moveCurrent(-1),
    }),
    bulk("bulkApprove", keys.bulkApprove, "Shift+y", "approve"),
    bulk("bulkReject", keys.bulkReject, "Shift+n", "reject"),
    {
      id: "queue.clear",
      label: keys.leave,
      section,
      keys: ["Escape"],
      hidden: true,
      when: () => areKeysForQueue() && useQueue.getState().selected.size > 0,
      run: () => useQueue.setState({ selected: new Set() }),
    },
  ];
}

/** Only rows show what is selected. */
function selectCurrent(on?: boolean): void {
  const approval = currentCard();
  if (approval && isQueueView())
    useQueue.setState(({ selected }) => ({ selected: toggled(selected, approval.id, on) }));
}

function others(): Action[] {
  const { keys } = strings;
  return [
    onRow({
      action: { id: "card.details", label: keys.details, keys: ["e"] },
      onCard: toggleDetails,
      onGroup: () => toggleGroup(currentKey()),
    }),
    onRow({
      action: { id: "card.diff", label: keys.diff, keys: ["v"] },
      onCard: ({ id }) => useQueue.setState(({ folded }) => ({ folded: toggled(folded, id, false) })),
    }),
    onRow({
      action: { id: "card.why", label: keys.why, keys: ["w"] },
      onCard: ({ id }) => focusIn(id, "[data-why]"),
    }),
    {
      ...onRow({
        action: { id: "card.choose", label: keys.choose, keys: ["Enter"], guarded: true },
        onCard: ({ id }) => focusIn(id, "[data-decisions] button:not(:disabled)"),
        onGroup: () => focusIn(currentKey() ?? "", "[data-decisions] button:not(:disabled)"),
        onHalted: (_, key) => focusIn(key, "[data-decisions] button:not(:disabled)"),
        checked: true,
      }),
      hidden: true,
      // Enter on a button presses that button.
      when: () => document.activeElement?.matches("[data-row], [data-queue-row]") ?? false,
    },
    {
      id: "queue.list",
      label: keys.list,
      section,
      keys: ["l"],
      when: () => isQueueView() && areKeysForQueue() && !isWide(),
      run: () => useQueue.setState(({ listOpen }) => ({ listOpen: !listOpen })),
    },
    {
      id: "card.readOn",
      label: keys.readOn,
      section,
      keys: ["Space"],
      when: () => areSharedKeysForQueue() && !document.activeElement?.matches("button, a, input, summary"),
      run: readOn,
    },
    onRow({
      action: { id: "card.open", label: keys.open, keys: ["o"] },
      onCard: ({ threadId }) => go({ view: "thread", id: threadId }),
      onHalted: ({ id }) => go({ view: "thread", id }),
    }),
  ];
}

/** Presses one of the buttons by which a thread goes on; the card knows which there are. */
function goOn(key: string, way: "y" | "c"): void {
  const button = rowOf(key)?.querySelector<HTMLButtonElement>(`[data-way=${way}]:not(:disabled)`);
  if (button) button.click();
  else leadTo(key, "notAllowed");
}

/** Shows all of what is long; what stands whole is folded, and what is folded opened. */
function toggleDetails({ id, subject }: Approval): void {
  const all = drawnOf(id)?.element.querySelector<HTMLButtonElement>("[data-show-all]");
  if (all) all.click();
  else if (subject.kind === "file") useQueue.setState(({ folded }) => ({ folded: toggled(folded, id) }));
}

function toggleGroup(key: string | undefined): void {
  if (key !== undefined) useQueue.setState(({ openShapes }) => ({ openShapes: toggled(openShapes, key) }));
}
