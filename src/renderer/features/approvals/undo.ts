/** What was approved and has not started, one entry for each decision of the person, and the way to take it back. */
import { create } from "zustand";
import { type DecideOutcome, mostAtOnce } from "../../../shared/contract/approvals.ts";
import type { ApprovalId, RuleId } from "../../../shared/ids.ts";
import { client } from "../../base/client.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { describeError } from "../../base/words.ts";
import { showProblem, showToast } from "../../ui/toast.tsx";
import { hasQueueFocus } from "./queue-focus.ts";
import { restoreCards } from "./queue-store.ts";
import { strings } from "./strings.ts";

/** `what` is the action; absent when many were approved at once. `rule`: made by the same press, and taken back with it. */
export type Undoable = {
  ids: readonly ApprovalId[];
  what?: string;
  effectiveAt: number;
  rule?: Promise<RuleId | undefined>;
};

/** A decision on its way to the host that can be taken back once the host has it. */
export type OnItsWay = { takenBack: boolean };

type UndoState = {
  entries: readonly Undoable[];
  /** Those whose rows still stand in the list and offer the way back themselves. */
  inPlace: ReadonlySet<Undoable>;
  onTheirWay: readonly OnItsWay[];
};

export const useUndo = create<UndoState>(() => ({ entries: [], inPlace: new Set(), onTheirWay: [] }));

/** Kept until it starts. */
export function addUndo(entry: Undoable): void {
  useUndo.setState(({ entries }) => ({ entries: [...entries, entry] }));
  setTimeout(() => dropUndo(entry), Math.max(0, entry.effectiveAt - Date.now()));
}

function dropUndo(entry: Undoable): void {
  useUndo.setState(({ entries }) => ({ entries: entries.filter((one) => one !== entry) }));
}

/** Has a rule taken back with the approval, as long as that can be, also one that is still being kept. */
export function bindRule(id: ApprovalId, rule: Promise<RuleId | undefined>): void {
  const entry = useUndo.getState().entries.find(({ ids }) => ids.includes(id));
  // The rows and notices that offer the way back hold the entry itself.
  if (entry) entry.rule = rule;
}

function lastUndoable(): Undoable | undefined {
  return useUndo.getState().entries.at(-1);
}

/** Told before a decision is sent, so that it can be taken back at once. @returns what `endWay` is told. */
export function beginWay(): OnItsWay {
  const decision = { takenBack: false };
  useUndo.setState(({ onTheirWay }) => ({ onTheirWay: [...onTheirWay, decision] }));
  return decision;
}

export function endWay(decision: OnItsWay): void {
  useUndo.setState(({ onTheirWay }) => ({ onTheirWay: onTheirWay.filter((one) => one !== decision) }));
}

function lastOnItsWay(): OnItsWay | undefined {
  return useUndo.getState().onTheirWay.findLast((one) => !one.takenBack);
}

export function canUndo(): boolean {
  return lastOnItsWay() !== undefined || lastUndoable() !== undefined;
}

/** Takes back what was approved last; what has no answer yet is taken back as soon as it has. */
export function undoLast(): void {
  const decision = lastOnItsWay();
  const entry = lastUndoable();
  if (decision) decision.takenBack = true;
  else if (entry) void undo(entry);
}

export async function undo(entry: Undoable): Promise<void> {
  dropUndo(entry);
  try {
    // Before the card waits again: the rule would answer it.
    const rule = await entry.rule;
    if (rule !== undefined) await removeRule(rule);
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

/** One that stays is told; the approval is taken back all the same. */
async function removeRule(id: RuleId): Promise<void> {
  try {
    await client().call("rules.remove", { id });
  } catch (error) {
    showProblem(strings.ruleStays, describeError(error));
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
