/** How the person looks at the queue: view, filters, the current card, the selection, and what is half written in a card. */
import { create } from "zustand";
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { Risk } from "../../../shared/contract/decisions.ts";
import type { ApprovalId } from "../../../shared/ids.ts";

export type QueueViewName = "all" | "urgent" | "thread" | "workspace" | "shape" | "snoozed" | "decided";
export type CardForm = "edit" | "respond" | "reason";
export type QueueFilters = {
  search: string;
  risk: Risk | "any";
  tool: string;
  threadId: string;
  workspace: string;
  /** Minutes it has waited at least. */
  olderThan: "any" | "10" | "60" | "1440";
};

export const noFilters: QueueFilters = {
  search: "",
  risk: "any",
  tool: "any",
  threadId: "any",
  workspace: "any",
  olderThan: "any",
};

type QueueState = {
  view: QueueViewName;
  filters: QueueFilters;
  /** The card the keys act on. */
  currentId?: ApprovalId;
  /** Set when that card should take the focus as soon as it is drawn. */
  focusId?: ApprovalId;
  /** The cards as they stand on the screen, in order. */
  order: readonly ApprovalId[];
  selected: ReadonlySet<ApprovalId>;
  openShapes: ReadonlySet<string>;
  expanded: ReadonlySet<ApprovalId>;
  forms: ReadonlyMap<ApprovalId, CardForm>;
  /** What is written in a form, by `id:form`; outlives scrolling away. */
  drafts: ReadonlyMap<string, string>;
  busy: ReadonlySet<ApprovalId>;
  problems: ReadonlyMap<ApprovalId, string>;
  /** The digest of the arguments a card has shown, by approval. */
  seen: ReadonlyMap<ApprovalId, string>;
  /** The red card whose Approve was pressed once. */
  confirming?: ApprovalId;
  /** The red card whose key is being held. */
  holding?: ApprovalId;
  bulk?: { verb: "approve" | "reject"; ids: readonly ApprovalId[] };
  ruleFor?: ApprovalId;
};

export const useQueue = create<QueueState>(() => ({
  view: "all",
  filters: noFilters,
  order: [],
  selected: new Set(),
  openShapes: new Set(),
  expanded: new Set(),
  forms: new Map(),
  drafts: new Map(),
  busy: new Set(),
  problems: new Map(),
  seen: new Map(),
}));

const armingMs = 400;
let armedAt = 0;

/** Makes a card the current one. It takes decision keys only 400 ms later, so that a key meant for another cannot hit it. */
export function makeCurrent(id: ApprovalId | undefined, focus = false): void {
  if (useQueue.getState().currentId !== id) rearm();
  useQueue.setState({ currentId: id, focusId: focus ? id : undefined, confirming: undefined });
}

/** Starts the arming time again, as after a change of the current card's content. */
export function rearm(): void {
  armedAt = performance.now() + armingMs;
}

export function isArmed(): boolean {
  return performance.now() >= armedAt;
}

/** Moves the current card by a number of places, stopping at the ends. */
export function moveCurrent(by: number): void {
  const { order, currentId } = useQueue.getState();
  const from = currentId ? order.indexOf(currentId) : -1;
  const to = from < 0 ? 0 : Math.min(order.length - 1, Math.max(0, from + by));
  makeCurrent(order[to], true);
}

/** The card that follows `id`, or the one before it at the end of the list. */
export function neighbourOf(id: ApprovalId): ApprovalId | undefined {
  const { order } = useQueue.getState();
  const at = order.indexOf(id);
  return at < 0 ? undefined : (order[at + 1] ?? order[at - 1]);
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

/** Notes that the arguments of this digest stand on the screen, so that they may be approved. */
export function markSeen(id: ApprovalId, digest: string): void {
  const { seen, problems } = useQueue.getState();
  if (seen.get(id) === digest) return;
  useQueue.setState({
    seen: new Map(seen).set(id, digest),
    // What was wrong was said about something else, or was that nothing had been shown yet.
    problems: new Map([...problems].filter(([other]) => other !== id)),
  });
}

/** False while a card has nothing but the name of its tool to show: no yes to arguments that nobody saw. */
export function isShown({ id, digest, subject }: Approval, seen = useQueue.getState().seen): boolean {
  return subject.kind !== "arguments" || seen.get(id) === digest;
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
  const gone: ReadonlySet<string> = new Set(ids);
  const kept = <T>(set: ReadonlySet<T>) => new Set([...set].filter((id) => !gone.has(String(id))));
  const keptOf = <K extends string, V>(map: ReadonlyMap<K, V>, idOf = (key: K): string => key) =>
    new Map([...map].filter(([key]) => !gone.has(idOf(key))));
  useQueue.setState((state) => ({
    forms: keptOf(state.forms),
    drafts: keptOf(state.drafts, (key) => key.slice(0, key.lastIndexOf(":"))),
    problems: keptOf(state.problems),
    seen: keptOf(state.seen),
    selected: kept(state.selected),
    expanded: kept(state.expanded),
  }));
}
