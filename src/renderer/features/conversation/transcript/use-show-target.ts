/** Brings the item a person asked to see into view, opens what hides it, and marks it for a moment. */
import { type RefObject, useLayoutEffect, useMemo } from "react";
import type { VListHandle } from "virtua";
import { useConversation, useTranscript } from "../conversation-context.ts";
import { matcherFor } from "../find/find-store.ts";
import { rangesIn } from "../find/match-ranges.ts";
import { bringIntoView } from "./bring-into-view.ts";
import { shownPart } from "./transcript-store.ts";
import { pathTo } from "./transcript-window.ts";
import { unfoldFor } from "./unfold-for.ts";

const markMs = 2_600;

/**
 * @param leaveEnd is called before the list moves away from its end.
 * @returns the row the target is in, which has to stay drawn because it may have the focus.
 */
export function useShowTarget(
  list: RefObject<VListHandle | null>,
  box: RefObject<HTMLElement | null>,
  rows: readonly string[],
  leaveEnd: () => void,
): string | undefined {
  const { store } = useConversation();
  const target = useTranscript((state) => state.target);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows are the reason to look for its place again
  const row = useMemo(
    () => target && pathTo(shownPart(store.getState()), target.itemId)[0],
    [store, target, rows],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a target is shown once, not again when rows come
  useLayoutEffect(() => {
    const scroller = box.current?.firstElementChild;
    if (!target || row === undefined || !(scroller instanceof HTMLElement)) return;
    const matcher = target.purpose === "find" ? matcherFor(target.itemId) : undefined;
    unfoldFor(shownPart(store.getState()), target.itemId, matcher);
    leaveEnd();
    list.current?.scrollToIndex(rows.indexOf(row), { align: "center" });
    const locate = () => {
      const element = elementOf(scroller, target.itemId);
      return element && { element, range: matcher && rangesIn(element, matcher)[0] };
    };
    return bringIntoView(scroller, locate, ({ element, range }) => {
      if (!range) mark(element);
      if (target.purpose === "open") elementOf(scroller, row)?.focus({ preventScroll: true });
    });
  }, [target]);
  return row;
}

function elementOf(scroller: HTMLElement, itemId: string): HTMLElement | null {
  return scroller.querySelector<HTMLElement>(`[data-item="${CSS.escape(itemId)}"]`);
}

/** A tint that stays a moment and fades; with reduced motion it goes without fading. */
function mark(element: HTMLElement): void {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const seen = {
    backgroundColor: "color-mix(in srgb, var(--accent) 12%, transparent)",
    boxShadow: "0 0 0 1px color-mix(in srgb, var(--accent) 45%, transparent)",
  };
  const gone = { backgroundColor: "transparent", boxShadow: "0 0 0 1px transparent" };
  element.animate([seen, { ...seen, offset: 0.6 }, still ? seen : gone], {
    id: "mark",
    duration: markMs,
    easing: "ease-out",
  });
}
