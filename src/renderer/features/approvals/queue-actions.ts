/** The keys of the queue, registered once; they act on the current card while the queue is what the person is looking at. */
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { DecisionType } from "../../../shared/contract/decisions.ts";
import type { ApprovalId } from "../../../shared/ids.ts";
import { type Action, registerActions } from "../../app/actions.ts";
import { go, useRoute } from "../../app/navigation.ts";
import { useApprovals } from "../../app/stores/approvals-store.ts";
import { askAutoApprove } from "../threads/auto-approve.ts";
import { snoozeMs } from "./card-menu.tsx";
import { snooze } from "./decide.ts";
import { holdToAct } from "./hold-key.ts";
import { isArmed, isShown, makeCurrent, moveCurrent, setForm, toggled, useQueue } from "./queue-store.ts";
import { strings } from "./strings.ts";
import { submitApprove } from "./submit-form.ts";
import { undo } from "./undo.ts";
import { lastUndoable } from "./undo-store.ts";

const section = strings.region;

/** @returns a function that takes them out again. */
export function registerQueueActions(): () => void {
  return registerActions([...decisions(), ...moves(), ...selections(), ...others()]);
}

/** On the default screen always; beside a conversation only while the focus is in the region. */
function isQueueInView(): boolean {
  const { view } = useRoute.getState();
  if (document.activeElement?.closest("[data-queue]")) return true;
  return (
    (view === "queue" || view === "threads") && (document.activeElement ?? document.body) === document.body
  );
}

function current(): Approval | undefined {
  const { currentId } = useQueue.getState();
  return currentId && useApprovals.getState().byId.get(currentId);
}

/** An action on the current card, offered only when that card allows it. */
function onCard(
  action: Pick<Action, "id" | "label" | "keys" | "guarded">,
  act: (approval: Approval, event?: KeyboardEvent) => void,
  needs?: DecisionType,
): Action {
  return {
    ...action,
    section,
    when: () => {
      const approval = current();
      return (
        isQueueInView() && approval !== undefined && (!needs || approval.allowedDecisions.includes(needs))
      );
    },
    run: (event) => {
      const approval = current();
      if (approval && (!action.guarded || !event || isArmed())) act(approval, event);
    },
  };
}

function decisions(): Action[] {
  const { keys } = strings;
  return [
    onCard(
      { id: "card.approve", label: keys.approve, keys: ["y", "1"], guarded: true },
      approveByKey,
      "approve",
    ),
    onCard(
      { id: "card.reject", label: keys.reject, keys: ["n", "2"], guarded: true },
      ({ id }) => setForm(id, "reason"),
      "reject",
    ),
    onCard({ id: "card.auto", label: keys.auto, keys: ["a", "3"], guarded: true }, ({ threadId }) =>
      askAutoApprove(threadId),
    ),
    onCard({ id: "card.edit", label: keys.change, keys: ["c"] }, ({ id }) => setForm(id, "edit"), "edit"),
    onCard(
      { id: "card.respond", label: keys.respond, keys: ["r"] },
      ({ id }) => setForm(id, "respond"),
      "respond",
    ),
    onCard({ id: "card.rule", label: keys.rule, keys: ["p"] }, ({ id }) =>
      useQueue.setState({ ruleFor: id }),
    ),
    onCard(
      { id: "card.snooze", label: keys.snooze, keys: ["s"], guarded: true },
      (approval) => void snooze(approval, Date.now() + snoozeMs),
    ),
    {
      id: "queue.undo",
      label: keys.undo,
      section,
      keys: ["z"],
      when: () => lastUndoable() !== undefined,
      run: () => {
        const last = lastUndoable();
        if (last) void undo(last);
      },
    },
  ];
}

/** A red card wants the key to be held; the palette counts as a deliberate choice only after the card's own second step. */
function approveByKey(approval: Approval, event?: KeyboardEvent): void {
  if (approval.subject.kind === "file" && approval.subject.stale) return;
  if (approval.risk !== "high" || !isShown(approval)) void submitApprove(approval);
  else if (event) holdToAct(approval, event, () => void submitApprove(approval));
  else useQueue.setState({ confirming: approval.id });
}

function moves(): Action[] {
  const { keys } = strings;
  const move = (id: string, label: string, list: string[], run: () => void): Action => ({
    id: `queue.${id}`,
    label,
    section,
    keys: list,
    hidden: true,
    when: isQueueInView,
    run,
  });
  const toEnd = (end: 0 | -1) => makeCurrent(useQueue.getState().order.at(end), true);
  return [
    move("down", keys.down, ["j", "ArrowDown"], () => moveCurrent(1)),
    move("up", keys.up, ["k", "ArrowUp"], () => moveCurrent(-1)),
    move("first", keys.first, ["g g"], () => toEnd(0)),
    move("last", keys.last, ["Shift+g"], () => toEnd(-1)),
    {
      ...move("search", keys.search, ["/"], focusSearch),
      when: () => useRoute.getState().view === "queue",
      hidden: false,
    },
  ];
}

function focusSearch(): void {
  document.querySelector<HTMLInputElement>("[data-queue-search], [data-queue] input[type=search]")?.focus();
}

function focusIn(id: ApprovalId, selector: string): void {
  document.querySelector<HTMLElement>(`[data-approval="${CSS.escape(id)}"] ${selector}`)?.focus();
}

function selections(): Action[] {
  const { keys } = strings;
  const bulk = (id: string, label: string, key: string, verb: "approve" | "reject"): Action => ({
    id: `queue.${id}`,
    label,
    section,
    keys: [key],
    guarded: true,
    when: () => isQueueInView() && useQueue.getState().selected.size > 0,
    run: () => useQueue.setState((state) => ({ bulk: { verb, ids: [...state.selected] } })),
  });
  const extend = (by: 1 | -1) => {
    selectCurrent(true);
    moveCurrent(by);
    selectCurrent(true);
  };
  return [
    onCard({ id: "card.select", label: keys.select, keys: ["x"] }, () => selectCurrent()),
    onCard({ id: "card.extendDown", label: keys.extendDown, keys: ["Shift+j"] }, () => extend(1)),
    onCard({ id: "card.extendUp", label: keys.extendUp, keys: ["Shift+k"] }, () => extend(-1)),
    bulk("bulkApprove", keys.bulkApprove, "Shift+y", "approve"),
    bulk("bulkReject", keys.bulkReject, "Shift+n", "reject"),
    {
      id: "queue.clear",
      label: keys.leave,
      section,
      keys: ["Escape"],
      hidden: true,
      when: () => isQueueInView() && useQueue.getState().selected.size > 0,
      run: () => useQueue.setState({ selected: new Set() }),
    },
  ];
}

function selectCurrent(on?: boolean): void {
  useQueue.setState(({ selected, currentId }) =>
    currentId ? { selected: toggled(selected, currentId, on) } : {},
  );
}

function others(): Action[] {
  const { keys } = strings;
  const fold = ({ id }: Approval) =>
    useQueue.setState(({ expanded }) => ({ expanded: toggled(expanded, id) }));
  return [
    onCard({ id: "card.details", label: keys.details, keys: ["e"] }, fold),
    onCard({ id: "card.diff", label: keys.diff, keys: ["v"] }, fold),
    onCard({ id: "card.why", label: keys.why, keys: ["w"] }, ({ id }) => focusIn(id, "[data-why]")),
    {
      ...onCard({ id: "card.choose", label: keys.choose, keys: ["Enter"], guarded: true }, ({ id }) =>
        focusIn(id, "[data-decisions] button:not(:disabled)"),
      ),
      hidden: true,
      // Enter on a button presses that button.
      when: () => document.activeElement?.matches("[data-approval]") ?? false,
    },
    onCard({ id: "card.open", label: keys.open, keys: ["o"] }, ({ threadId }) =>
      go({ view: "thread", id: threadId }),
    ),
  ];
}
