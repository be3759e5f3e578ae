/** Gives a card or group the focus when it is to have it, and brings it into view. */
import { type RefObject, useEffect } from "react";
import { bringIntoView } from "./lead-to-card.ts";
import { areRowsFocused } from "./queue-focus.ts";
import { useQueue } from "./queue-store.ts";

export function useTakeFocus(key: string, element: RefObject<HTMLElement | null>): void {
  const wanted = useQueue((state) => state.focusId === key);
  useEffect(() => {
    // Who goes through the rows stays in them.
    if (!wanted || !element.current || areRowsFocused()) return;
    element.current.focus({ preventScroll: true });
    bringIntoView(element.current);
    keepInView(element.current);
    useQueue.setState({ focusId: undefined });
  }, [wanted, element]);
}

let stopKeeping: (() => void) | undefined;

/** Rows above get their height when they are first drawn, and leave; until the person does something, this one stays in view. */
function keepInView(row: HTMLElement): void {
  stopKeeping?.();
  const list = row.closest("ul");
  if (!list) return;
  const sizes = new ResizeObserver(() => bringIntoView(row));
  sizes.observe(list);
  const events = ["keydown", "pointerdown", "wheel", "touchmove"] as const;
  const stop = () => {
    sizes.disconnect();
    for (const event of events) window.removeEventListener(event, stop, true);
    stopKeeping = undefined;
  };
  for (const event of events) window.addEventListener(event, stop, true);
  stopKeeping = stop;
}
