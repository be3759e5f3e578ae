/** How the person looks at the queue: view, filters, the current card, the selection, and what is half written in a card. */
import { create } from "zustand";
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { Risk } from "../../../shared/contract/decisions.ts";
import type { ApprovalId } from "../../../shared/ids.ts";
import { noteNew } from "../../base/painted.ts";
import { noteMoved } from "../../base/pointer-aim.ts";
import { forgetReadings } from "../seen/read-gauge.ts";
import { type CardForm, writtenKeys } from "./card-form-name.ts";

/** The ways in which what waits is ordered or grouped. */
export type QueueOrder = "all" | "urgent" | "thread" | "workspace" | "shape";
export type QueueViewName = QueueOrder | "snoozed" | "decided";
export type QueueFilters = {
  search: string;
  risk: Risk | "any";
  tool: string;
  threadId: string;
  workspace: string;
  /** Minutes it has waited at least. */
  olderThan: "any" | "10" | "60" | "1440";
  /** Of decisions: whether the person had all of it on the screen. */
  seen: "any" | "inFull" | "notInFull";
};

export const noFilters: QueueFilters = {
  search: "",
  risk: "any",
  tool: "any",
  threadId: "any",
  workspace: "any",
  olderThan: "any",
  seen: "any",
};

type QueueState = {
  view: QueueViewName;
  /** In which order what waits stood last; who comes back to it finds it so. */
  waitingOrder: QueueOrder;
  filters: QueueFilters;
  /** The row the keys act on: the id of a card, or the key of a group. */
  currentId?: string;
  /** Set when that row should take the focus as soon as it is drawn. */
  focusId?: string;
  /** The cards and groups as they stand on the screen, in order. */
  order: readonly string[];
  /** The cards of each group on the screen, by its key. */
  groups: ReadonlyMap<string, readonly ApprovalId[]>;
  /** Cards that came back by an undo: they are not new, whatever is held back. */
  restored: ReadonlySet<ApprovalId>;
  /** The one of them that is to be the current row once it stands in the list. */
  returning?: { id: ApprovalId; focus: boolean };
  /** Why the last press did nothing, told on the row it was meant for. */
  note?: { key: string; text: string };
  /** How much of a long subject is drawn, by `key digest`. */
  shownParts: ReadonlyMap<string, number>;
  selected: ReadonlySet<ApprovalId>;
  openShapes: ReadonlySet<string>;
  /** File changes whose difference was folded away; any other stands open. */
  folded: ReadonlySet<ApprovalId>;
  forms: ReadonlyMap<ApprovalId, CardForm>;
  /** Requests to the web whose response is to be shown before the agent reads it. */
  responseFirst: ReadonlySet<ApprovalId>;
  /** What is written in a form, by `id:form`; outlives scrolling away. */
  drafts: ReadonlyMap<string, string>;
  busy: ReadonlySet<ApprovalId>;
  /** Cards of which something is still being read from the host. */
  loading: ReadonlySet<ApprovalId>;
  problems: ReadonlyMap<ApprovalId, string>;
  /** The red card whose Approve was pressed once. */
  confirming?: ApprovalId;
  /** Counts the arming times, so that each can be drawn. */
  armings: number;
  /** The red card whose key is being held. */
  holding?: ApprovalId;
  bulk?: { verb: "approve" | "reject"; ids: readonly ApprovalId[] };
  /** The card a rule is made from, and `approving` that same card as it was shown, when it is approved with it. */
  ruleFor?: { id: ApprovalId; approving?: Approval };
  /** Where only one pane fits, the rows are shown in place of the card. */
  listOpen: boolean;
};

export const useQueue = create<QueueState>(() => ({
  view: "all",
  waitingOrder: "all",
  filters: noFilters,
  armings: 0,
  order: [],
  groups: new Map(),
  restored: new Set(),
  shownParts: new Map(),
  selected: new Set(),
  openShapes: new Set(),
  folded: new Set(),
  responseFirst: new Set(),
  forms: new Map(),
  drafts: new Map(),
  busy: new Set(),
  loading: new Set(),
  problems: new Map(),
  listOpen: false,
}));

/** Shows another view of the queue; what was selected in the one before is not on its screen. */
export function showView(view: QueueViewName): void {
  useQueue.setState({
    view,
    selected: new Set(),
    ...(view !== "snoozed" && view !== "decided" && { waitingOrder: view }),
  });
}

export const armingMs = 400;
let armedAt = 0;

/** Makes a row the current one. It takes decision keys only 400 ms after it was painted: a key meant for another cannot hit it. */
export function makeCurrent(key: string | undefined, focus = false): void {
  const { currentId, note } = useQueue.getState();
  if (currentId !== key) rearm();
  useQueue.setState({
    currentId: key,
    focusId: focus ? key : undefined,
    confirming: undefined,
    note: note?.key === key ? note : undefined,
  });
}

/** Makes a row the current one and shows its card, also where only one pane fits. */
export function openCard(key: string): void {
  makeCurrent(key, true);
  useQueue.setState({ listOpen: false });
}

/** Gives the current row the focus. @returns whether there is one on the screen. */
export function focusCurrentCard(): boolean {
  const { currentId, order } = useQueue.getState();
  if (currentId === undefined || !order.includes(currentId)) return false;
  makeCurrent(currentId, true);
  return true;
}

/** Starts the arming time again, as after a change of the current row's content; a second thought about what stood there begins anew. */
export function rearm(): void {
  armedAt = Number.POSITIVE_INFINITY;
  noteNew(() => {
    armedAt = performance.now() + armingMs;
  });
  useQueue.setState(({ armings }) => ({ armings: armings + 1, confirming: undefined }));
}

export function isArmed(): boolean {
  return performance.now() >= armedAt;
}

/** Moves the current row by a number of places, stopping at the ends. */
export function moveCurrent(by: number): void {
  const { order, currentId } = useQueue.getState();
  const from = currentId ? order.indexOf(currentId) : -1;
  makeCurrent(order[Math.min(order.length - 1, Math.max(0, from + by))], true);
}

/**
 * Takes over what stands on the screen now. When the current row is gone, whoever took it away, the one that followed
 * it is next, or the one before it at the end of the list.
 * @param focus whether that one takes the focus.
 */
export function takeOrder(order: readonly string[], groups: QueueState["groups"], focus: boolean): void {
  const state = useQueue.getState();
  const { currentId, returning } = state;
  useQueue.setState({ order, groups, returning: undefined });
  const there = new Set(order);
  if (state.order.some((key) => !there.has(key))) {
    noteMoved();
    noteNew();
  }
  const back = returning && rowWith(returning.id, order, groups);
  if (returning && back !== undefined) {
    makeCurrent(back, returning.focus);
    return;
  }
  if (currentId !== undefined && order.includes(currentId)) return;
  // A group that shrank to one card is that card now.
  const member = state.groups
    .get(currentId ?? "")
    ?.map((id) => rowWith(id, order, groups))
    .find((row) => row !== undefined);
  // A card that joined a group is in that group now.
  const joined = currentId === undefined ? undefined : rowWith(currentId, order, groups);
  const next = joined ?? member ?? followerOf(currentId, state.order, order);
  makeCurrent(next ?? order[0], next !== undefined && focus);
}

/**
 * A list has left the screen: the keys act on none of its rows. Where another list stands there by now, as when the queue
 * moves between the column and the main pane, that one's order stays.
 * @param order what the list that left took over last.
 */
export function leaveOrder(order: readonly string[]): void {
  if (useQueue.getState().order === order) useQueue.setState({ order: [], groups: new Map() });
}

/** The nearest row after `key`, else before it, that is still there. */
function followerOf(
  key: string | undefined,
  before: readonly string[],
  now: readonly string[],
): string | undefined {
  const at = key === undefined ? -1 : before.indexOf(key);
  if (at < 0) return undefined;
  const stays = new Set(now);
  const isThere = (one: string) => stays.has(one);
  return before.slice(at + 1).find(isThere) ?? before.slice(0, at).findLast(isThere);
}

/** Takes cards that wait again for known ones; the first of them is the current one as soon as it stands in the list. */
export function restoreCards(ids: readonly ApprovalId[], focus: boolean): void {
  useQueue.setState(({ restored }) => ({ restored: new Set([...restored, ...ids]) }));
  const { order, groups } = useQueue.getState();
  const [first] = ids;
  if (first === undefined) return;
  // The event of it may have brought it back before the answer came.
  const row = rowWith(first, order, groups);
  if (row === undefined) useQueue.setState({ returning: { id: first, focus } });
  else makeCurrent(row, focus);
}

/** The row in which a card stands: its own, or that of the folded group it is in. */
function rowWith(
  id: string,
  order: readonly string[],
  groups: ReadonlyMap<string, readonly ApprovalId[]>,
): string | undefined {
  return order.find((key) => key === id) ?? order.find((key) => groups.get(key)?.some((one) => one === id));
}

/** As long as a message stays. */
const passingMs = 6_000;

/** Tells on its row why a press did nothing. @param passes it speaks of this moment, and is not true for long. */
export function setNote(key: string, text: string | undefined, passes = false): void {
  const note = text === undefined ? undefined : { key, text };
  useQueue.setState({ note });
  if (passes)
    setTimeout(() => useQueue.setState((now) => (now.note === note ? { note: undefined } : now)), passingMs);
}

/** Draws more of a long subject. @param key as `key digest`. */
export function showParts(key: string, count: number): void {
  useQueue.setState(({ shownParts }) => ({ shownParts: new Map(shownParts).set(key, count) }));
}

export function setForm(id: ApprovalId, form: CardForm | undefined): void {
  const forms = new Map(useQueue.getState().forms);
  if (form) forms.set(id, form);
  else forms.delete(id);
  useQueue.setState({ forms });
}

export function setDraft(id: ApprovalId, form: CardForm, text: string): void {
  useQueue.setState(({ drafts }) => ({ drafts: new Map(drafts).set(`${id}:${form}`, text) }));
}

export function draftOf(id: ApprovalId, form: CardForm): string | undefined {
  return useQueue.getState().drafts.get(`${id}:${form}`);
}

/** The set with `value` in it when it was not, and without it when it was. */
export function toggled<T>(set: ReadonlySet<T>, value: T, on = !set.has(value)): ReadonlySet<T> {
  const next = new Set(set);
  if (on) next.add(value);
  else next.delete(value);
  return next;
}

/** Drops everything kept about cards that are gone. */
export function forgetCards(ids: readonly ApprovalId[]): void {
  if (ids.length === 0) return;
  forgetReadings(ids.flatMap((id) => [id, ...writtenKeys(id)]));
  const gone: ReadonlySet<string> = new Set(ids);
  const kept = <T>(set: ReadonlySet<T>) => new Set([...set].filter((id) => !gone.has(String(id))));
  const keptOf = <K extends string, V>(map: ReadonlyMap<K, V>, idOf = (key: K): string => key) =>
    new Map([...map].filter(([key]) => !gone.has(idOf(key))));
  useQueue.setState((state) => ({
    forms: keptOf(state.forms),
    drafts: keptOf(state.drafts, (key) => key.slice(0, key.lastIndexOf(":"))),
    problems: keptOf(state.problems),
    shownParts: keptOf(state.shownParts, (key) => key.slice(0, key.indexOf(" "))),
    selected: kept(state.selected),
    folded: kept(state.folded),
    responseFirst: kept(state.responseFirst),
  }));
}
