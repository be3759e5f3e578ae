/** Keeps a virtualised list at its end while it grows, but only as long as the person is there. */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { VListHandle } from "virtua";

const nearEndPx = 60;
/** A scroll this soon after a wheel, touch, key or pointer is the person's; any other comes from content that grew. */
const byPersonMs = 1_000;

/** @returns `box` for an element around the list, and whether the person is away from the end. */
export function useStickToEnd(list: RefObject<VListHandle | null>, count: number) {
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const movedAt = useRef(Number.NEGATIVE_INFINITY);
  const [away, setAway] = useState(false);

  function toEnd() {
    atEnd.current = true;
    setAway(false);
    list.current?.scrollToIndex(count - 1, { align: "end" });
  }
  function onScroll(offset: number) {
    const handle = list.current;
    if (!handle) return;
    const near = offset + handle.viewportSize >= handle.scrollSize - nearEndPx;
    if (!near && performance.now() - movedAt.current > byPersonMs) return;
    atEnd.current = near;
    setAway(!near);
  }

  useLayoutEffect(() => {
    if (atEnd.current && count > 0) list.current?.scrollToIndex(count - 1, { align: "end" });
  }, [list, count]);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const note = (event: Event) => {
      if (event instanceof PointerEvent && event.buttons === 0) return;
      movedAt.current = performance.now();
    };
    const moves = ["wheel", "touchmove", "keydown", "pointerdown", "pointermove"] as const;
    for (const name of moves) element.addEventListener(name, note, { passive: true });
    return () => {
      for (const name of moves) element.removeEventListener(name, note);
    };
  }, []);

  useEffect(() => {
    const scroller = box.current?.firstElementChild;
    const content = scroller?.firstElementChild;
    if (!scroller || !content) return;
    let frame = 0;
    const follow = () => {
      if (atEnd.current) scroller.scrollTop = scroller.scrollHeight;
    };
    // In the next frame: rows that come into view by the scroll would be measured inside this very measurement.
    const observer = new ResizeObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(follow);
    });
    observer.observe(content);
    observer.observe(scroller);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
    };
  }, []);

  return { box, away, onScroll, toEnd };
}
