/** Remembers what the person opened or folded, since rows of the transcript come and go while they scroll. */
import { create } from "zustand";

const mostKept = 2_000;
const useOpenIds = create<{ open: ReadonlyMap<string, boolean> }>(() => ({ open: new Map() }));

/** @param initially holds until the person says otherwise. */
export function useOpen(id: string, initially: boolean): [boolean, (open: boolean) => void] {
  const open = useOpenIds((state) => state.open.get(id) ?? initially);
  return [open, (next) => setOpen(id, next)];
}

/** Opens or folds it for the person, such as where what they look for is inside. */
export function setOpen(id: string, open: boolean): void {
  useOpenIds.setState((state) => {
    const kept = new Map(state.open);
    if (kept.size >= mostKept) kept.delete(kept.keys().next().value ?? "");
    return { open: kept.set(id, open) };
  });
}
