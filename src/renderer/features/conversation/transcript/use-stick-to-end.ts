/** Keeps a virtualised list at its end while it grows, but only as long as the person is there. */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { VListHandle } from "virtua";

const nearEndPx = 60;
/** A scroll this soon after a wheel, touch, key or pointer is the person's; any other comes from content that grew. */
const byPersonMs = 1_000;

type Stick = {
  /** How many rows there are. */
  count: number;
  /** Whether the last row is the end of the thread; the end of an older window is nothing to stay at. */
  hasEnd: boolean;
  /** Whether the list opens at its end. */
  startsThere: boolean;
};

/** @returns `box` for an element whose first child is the list, and whether the person is away from the end. */
export function useStickToEnd(list: RefObject<VListHandle | null>, { count, hasEnd, startsThere }: Stick) {
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(startsThere);
  const movedAt = useRef(Number.NEGATIVE_INFINITY);
  const [away, setAway] = useState(!startsThere);

  // Rows that come into view are measured and change the height, which is followed again until all is measured.
  function follow() {
    const scroller = box.current?.firstElementChild;
    if (scroller && atEnd.current) scroller.scrollTop = scroller.scrollHeight;
  }
  function toEnd() {
    atEnd.current = true;
    setAway(false);
    follow();
  }
  function leaveEnd() {
    const scroller = box.current?.firstElementChild;
    // Where nothing scrolls, nothing can be left, and no scroll would ever say that the end is in view again.
    if (atEnd.current && scroller && scroller.scrollHeight <= scroller.clientHeight) return;
    atEnd.current = false;
    setAway(true);
  }
  function onScroll(offset: number) {
    const handle = list.current;
    if (!handle) return;
    const near = hasEnd && offset + handle.viewportSize >= handle.scrollSize - nearEndPx;
    if (!near && performance.now() - movedAt.current > byPersonMs) return;
    atEnd.current = near;
    setAway(!near);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new row is a reason to follow; the function itself never changes its meaning
  useLayoutEffect(follow, [count]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: set up once for the life of the list
  useEffect(() => followGrowth(box.current, follow), []);
  useEffect(() => notePerson(box.current, movedAt), []);

  return { box, away, onScroll, toEnd, leaveEnd };
}

/** Calls `follow` in the frame after the list's content or its own height changed. */
function followGrowth(box: HTMLElement | null, follow: () => void): (() => void) | undefined {
  const scroller = box?.firstElementChild;
  const content = scroller?.firstElementChild;
  if (!scroller || !content) return undefined;
  let frame = 0;
  const schedule = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(follow);
  };
  // The list writes its height as a style; observing its size instead would report loops, since rows are measured first.
  const growth = new MutationObserver(schedule);
  growth.observe(content, { attributes: true, attributeFilter: ["style"] });
  const resizing = new ResizeObserver(schedule);
  resizing.observe(scroller);
  return () => {
    cancelAnimationFrame(frame);
    growth.disconnect();
    resizing.disconnect();
  };
}

function notePerson(box: HTMLElement | null, movedAt: RefObject<number>): () => void {
  const life = new AbortController();
  const note = (event: Event) => {
    if (event instanceof PointerEvent && event.buttons === 0) return;
    movedAt.current = performance.now();
  };
  for (const name of ["wheel", "touchmove", "keydown", "pointerdown", "pointermove"])
    box?.addEventListener(name, note, { passive: true, signal: life.signal });
  return () => life.abort();
}
