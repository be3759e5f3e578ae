/** The approves that have not started yet and can be taken back, one entry for each decision of the person. */
import { create } from "zustand";
import type { ApprovalId } from "../../../shared/ids.ts";

/** `what` is the action; absent when many were approved at once. */
export type Undoable = { ids: readonly ApprovalId[]; what?: string; effectiveAt: number };

export const useUndo = create<{ entries: readonly Undoable[] }>(() => ({ entries: [] }));

/** Keeps it until it starts. */
export function addUndo(entry: Undoable): void {
  useUndo.setState(({ entries }) => ({ entries: [...entries, entry] }));
  setTimeout(() => dropUndo(entry), Math.max(0, entry.effectiveAt - Date.now()));
}

export function dropUndo(entry: Undoable): void {
  useUndo.setState(({ entries }) => ({ entries: entries.filter((one) => one !== entry) }));
}

/** What was approved last. */
export function lastUndoable(): Undoable | undefined {
  return useUndo.getState().entries.at(-1);
}
