/** Sorts the list of threads only while nobody points at it, by pointer or by focus. */
import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from "react";
import { keepPlaces, type ThreadListRow } from "./arrange-threads.ts";

type CalmRows = {
  rows: readonly ThreadListRow[];
  /** For the element around the list. */
  pointing: {
    ref: RefObject<HTMLDivElement | null>;
    onPointerEnter(): void;
    onPointerLeave(): void;
    onFocus(): void;
    onBlur(): void;
  };
};

/** @param order what the person chose to see; another choice is another list, which comes sorted. */
export function useCalmRows(sorted: readonly ThreadListRow[], order: string): CalmRows {
  const ref = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState({ pointer: false, focus: false });
  const shown = useRef({ order, rows: sorted });
  const holds = isHeld(pointed, ref.current);
  const rows = useMemo(
    () => (holds && shown.current.order === order ? keepPlaces(shown.current.rows, sorted) : sorted),
    [sorted, order, holds],
  );
  useLayoutEffect(() => {
    shown.current = { order, rows };
  }, [order, rows]);
  const set = (change: Partial<typeof pointed>) => setPointed((before) => ({ ...before, ...change }));
  return {
    rows,
    pointing: {
      ref,
      onPointerEnter: () => set({ pointer: true }),
      onPointerLeave: () => set({ pointer: false }),
      onFocus: () => set({ focus: true }),
      onBlur: () => set({ focus: false }),
    },
  };
}

/** Asked of the page as well: what leaves it under the pointer or with the focus takes its event with it. */
function isHeld(pointed: { pointer: boolean; focus: boolean }, box: HTMLElement | null): boolean {
  if (!box) return false;
  return (
    (pointed.pointer && box.matches(":hover")) || (pointed.focus && box.contains(document.activeElement))
  );
}
