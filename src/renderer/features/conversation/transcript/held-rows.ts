/** The rows of a transcript in which a person is at work: they stay drawn while the list scrolls on under them. */
import { type RefObject, useEffect } from "react";
import { create } from "zustand";

/** By the id of the item that the row begins with. */
export const useHeldRows = create<{ ids: readonly string[] }>(() => ({ ids: [] }));

/** @param held while a dialog or a form of what stands in `element` is open, which would close with its row. */
export function useHoldRow(element: RefObject<HTMLElement | null>, held: boolean): void {
  useEffect(() => {
    const id = element.current?.closest<HTMLElement>("[data-item]")?.dataset.item;
    if (!held || id === undefined) return;
    useHeldRows.setState(({ ids }) => ({ ids: [...ids, id] }));
    return () => useHeldRows.setState(({ ids }) => ({ ids: ids.toSpliced(ids.lastIndexOf(id), 1) }));
  }, [element, held]);
}
