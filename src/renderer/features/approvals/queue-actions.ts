/** The keys of the queue, registered once; they act on the current row while the queue is what the person works in. */
import { type Approval, mostChoices } from "../../../shared/contract/approvals.ts";
import type { DecisionType } from "../../../shared/contract/decisions.ts";
import type { ThreadSummary } from "../../../shared/contract/threads.ts";
import type { ApprovalId } from "../../../shared/ids.ts";
import { type Action, registerActions } from "../../base/actions.ts";
import { isWide } from "../../base/media.ts";
import { go, useRoute } from "../../base/navigation.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { usePalette } from "../../base/stores/palette-store.ts";
import { showToast } from "../../ui/toast.tsx";
import { drawnOf } from "../seen/read-gauge.ts";
import { askAutoApprove } from "../threads/auto-approve.ts";
import { askAlways } from "./approve-always.ts";
import { askBulk } from "./ask-bulk.ts";
import { choicesOf } from "./card-form.tsx";
import { snoozeMs } from "./card-menu.tsx";
import { isLetThrough, snooze } from "./decide.ts";
import { mayAct, mayDecide, rowOf } from "./decision-gate.ts";
import { haltedThreadOf } from "./halted.ts";
import { holdToAct } from "./hold-key.ts";
import { leadTo, leadToPane } from "./lead-to-card.ts";
import { areKeysForQueue, areSharedKeysForQueue, isQueueBeside, isThreadQuiet } from "./queue-focus.ts";
import {
  makeCurrent,
  moveCurrent,
  type QueueViewName,
  setForm,
  setNote,
  toggled,
  useQueue,
} from "./queue-store.ts";
import { strings } from "./strings.ts";
import { submitApprove } from "./submit-form.ts";
import { canUndo, undoLast } from "./undo.ts";

const section = strings.region;

/** The row that was current when the palette opened over it: what is chosen there is meant for that one. */
let underPalette: string | undefined;

/** @returns a function that takes them out again. */
export function registerQueueActions(): () => void {
  const unregister = registerActions([choices(), ...decisions(), ...moves(), ...selections(), ...others()]);
  const stop = usePalette.subscribe((now, before) => {
    if (now.open && !before.open) underPalette = currentKey();
  });
  return () => {
    unregister();
    stop();
  };
}

/** The current row, as long as it stands in the list. */
function currentKey(): string | undefined {
  const { currentId, order } = useQueue.getState();
  return currentId !== undefined && order.includes(currentId) ? currentId : undefined;
}

function currentCard(): Approval | undefined {
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
function onRow({ action, onCard, onGroup, onHalted, needs, checked = false }: RowAction): Action {
  return {
    ...action,
    section,
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
      if (key !== undefined) setNote(key, strings.notes.typing);
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
      onCard: ({ id }) => setForm(id, "reason"),
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
      onCard: (approval) => void snooze(approval, Date.now() + snoozeMs),
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
      const row = document.querySelector(`[data-row="${CSS.escape(key)}"]`);
      row?.querySelectorAll<HTMLElement>("[data-choice]")[digits.indexOf(event.key)]?.focus();
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

function moves(): Action[] {
  const { keys } = strings;
  const move = (id: string, label: string, keys: string[], run: () => void): Action => ({
    id: `queue.${id}`,
    label,
    section,
    keys,
    hidden: true,
    when: () => areKeysForQueue() || isQueueBeside(),
    run: () => (isQueueBeside() ? leadToPane() : run()),
  });
  // Beside another view the arrows are that view's.
  const arrow = (id: string, key: string, by: 1 | -1): Action => ({
    ...move(id, strings.keys[by === 1 ? "down" : "up"], [key], () => moveCurrent(by)),
    when: areSharedKeysForQueue,
  });
  const toEnd = (end: 0 | -1) => makeCurrent(useQueue.getState().order.at(end), true);
  return [
    move("down", keys.down, ["j"], () => moveCurrent(1)),
    move("up", keys.up, ["k"], () => moveCurrent(-1)),
    arrow("downByArrow", "ArrowDown", 1),
    arrow("upByArrow", "ArrowUp", -1),
    ...viewKeys(),
    move("first", keys.first, ["g g"], () => toEnd(0)),
    move("last", keys.last, ["Shift+g"], () => toEnd(-1)),
    {
      ...move("search", keys.search, ["[Shift]+/"], focusSearch),
      when: isQueueView,
      hidden: false,
    },
  ];
}

function isQueueView(): boolean {
  return useRoute.getState().view === "queue";
}

/** What waits, alike ones together, what was put off and what was decided: each by a key of its own, from every view. */
function viewKeys(): Action[] {
  const keysOfViews = { all: "g w", shape: "g u", snoozed: "g z", decided: "g d" } as const;
  return Object.entries(keysOfViews).map(([view, key]) => ({
    id: `queue.view.${view}`,
    label: strings.keys.views[view as keyof typeof keysOfViews],
    section,
    keys: [key],
    run: () => {
      useQueue.setState({ view: view as QueueViewName, selected: new Set() });
      go({ view: "queue" });
    },
  }));
}

function focusSearch(): void {
  document.querySelector<HTMLInputElement>("[data-queue-search], [data-queue] input[type=search]")?.focus();
}

function focusIn(key: string, selector: string): void {
  document.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"] ${selector}`)?.focus();
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
      run: () => {
        const pane = document.querySelector("[data-card-scroll]");
        pane?.scrollBy(0, pane.clientHeight * 0.85);
      },
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
