/** The approves that have not started yet and can be taken back. */
import { create } from "zustand";
import type { ApprovalId } from "../../../shared/ids.ts";

export type Undoable = { id: ApprovalId; what: string; effectiveAt: number };

export const useUndo = create<{ entries: readonly Undoable[] }>(() => ({ entries: [] }));

export function addUndo(entry: Undoable): void {
  useUndo.setState(({ entries }) => ({ entries: [...entries.filter((one) => one.id !== entry.id), entry] }));
  setTimeout(() => dropUndo(entry.id), Math.max(0, entry.effectiveAt - Date.now()));
}

export function dropUndo(id: ApprovalId): void {
  useUndo.setState(({ entries }) => ({ entries: entries.filter((one) => one.id !== id) }));
}

/** The one that was approved last. */
export function lastUndoable(): Undoable | undefined {
  return useUndo.getState().entries.at(-1);
}
