/** What lines of every kind in the list of what waits have in common: their columns, and being the current one. */
import { type ReactNode, useEffect, useRef } from "react";
import { cx } from "../../ui/class-names.ts";
import { GridRow } from "../../ui/virtual-rows.tsx";
import { areRowsFocused } from "./queue-focus.ts";
import { makeCurrent, openCard, useQueue } from "./queue-store.ts";

export const shapeCell = "relative grid size-7 shrink-0 place-items-center";
/** As wide as the longest verb, which stands in one line; what follows it stays where it is once the row is decided. */
export const verbRoom = "w-[4rem] shrink-0 whitespace-nowrap";
export const verbCell = `${verbRoom} text-ink-2`;
/** As wide as what it says, as far as there is room. */
export const objectCell = "flex min-w-0 items-center gap-2 @max-[420px]:flex-1";
/** What the object leaves, so that a title is cut only where both are long. */
export const threadCell =
  "min-w-[5.9rem] flex-1 basis-0 truncate pl-2 text-right text-ink-3 @max-[420px]:hidden";
export const ageCell =
  "w-[3.6rem] shrink-0 text-right text-sm whitespace-nowrap text-ink-3 tabular-nums @max-[420px]:w-auto";

type LineFrameProps = {
  rowKey: string;
  index: number;
  /** All of the line in words. */
  label: string;
  selected?: boolean;
  children: ReactNode;
};

export function LineFrame({ rowKey, index, label, selected = false, children }: LineFrameProps) {
  const element = useRef<HTMLDivElement>(null);
  const current = useQueue((state) => state.currentId === rowKey);
  useTakeRowFocus(rowKey, element);
  return (
    <GridRow
      ref={element}
      place={index}
      data-queue-row={rowKey}
      aria-selected={current}
      aria-label={label}
      tabIndex={current ? 0 : -1}
      onFocus={(event) => event.target === event.currentTarget && makeCurrent(rowKey)}
      onClick={(event) => !isOnSelectBox(event.target) && openCard(rowKey)}
      className={cx(
        "group relative flex min-h-9 -outline-offset-2! cursor-default items-center gap-3 pr-4 pl-2 max-wide:min-h-11 @max-[420px]:gap-2",
        current
          ? "border-y border-line before:absolute before:inset-y-0 before:left-0 before:w-[3px] before:bg-accent forced-colors:outline-2 forced-colors:-outline-offset-2 forced-colors:outline-[Highlight]"
          : "border-y border-transparent hover:bg-hover forced-colors:border-none",
        selected ? "bg-hover" : current && "bg-surface",
      )}
    >
      {children}
    </GridRow>
  );
}

function isOnSelectBox(target: EventTarget): boolean {
  return target instanceof Element && target.closest("[data-select]") !== null;
}

/** Takes the focus when its row is to have it and the focus is among the rows. */
function useTakeRowFocus(key: string, element: React.RefObject<HTMLElement | null>): void {
  const wanted = useQueue((state) => state.focusId === key);
  useEffect(() => {
    if (!wanted || !areRowsFocused()) return;
    element.current?.focus({ preventScroll: true });
    useQueue.setState({ focusId: undefined });
  }, [wanted, element]);
}
