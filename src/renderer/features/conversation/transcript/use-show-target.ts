/** Brings the item a person asked to see, or a search found, into view, opens what hides it, and marks it for a moment. */
import { type RefObject, useEffect, useLayoutEffect, useMemo, useState } from "react";
import type { VListHandle } from "virtua";
import { useStore } from "zustand";
import type { TranscriptItem } from "../../../../shared/contract/transcript.ts";
import type { ThreadId } from "../../../../shared/ids.ts";
import { kindOf } from "../../../../shared/tools/tools.ts";
import { argumentTexts, matches, resultText } from "../../../../shared/transcript/find-text.ts";
import { useOpenedHit } from "../../../base/stores/opened-hit.ts";
import { describeError } from "../../../base/words.ts";
import { showProblem } from "../../../ui/toast.tsx";
import { useConversation, useTranscript } from "../conversation-context.ts";
import { matcherFor } from "../find/find-store.ts";
import { rangesIn } from "../find/match-ranges.ts";
import { strings } from "../strings.ts";
import { setOpen } from "./open-state.ts";
import { readingRunOf, runName } from "./reading-runs.ts";
import { type Part, shownPart, type TranscriptStore } from "./transcript-store.ts";
import { pathTo, showItem } from "./transcript-window.ts";

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
    backgroundColor: "color-mix(in srgb, var(--ink) 8%, transparent)",
    boxShadow: "0 0 0 1px color-mix(in srgb, var(--ink) 45%, transparent)",
  };
  const gone = { backgroundColor: "transparent", boxShadow: "0 0 0 1px transparent" };
  element.animate([seen, { ...seen, offset: 0.6 }, still ? seen : gone], {
    id: "mark",
    duration: markMs,
    easing: "ease-out",
  });
}

/** @param matcher finds the sought text; without one only what is around the item is opened. */
function unfoldFor(part: Part, itemId: string, matcher: RegExp | undefined): void {
  const path = pathTo(part, itemId);
  for (const id of path.slice(0, -1)) {
    setOpen(id, true);
    setOpen(`${id}:steps`, true);
  }
  for (const id of path) {
    const run = readingRunOf(part, id);
    if (run) setOpen(runName(run), true);
  }
  const item = part.items.get(itemId);
  if (item && matcher) for (const fold of foldsWith(item, matcher)) setOpen(fold, true);
}

/** The names under which rows remember what is open; see `useOpen`. */
function foldsWith(item: TranscriptItem, matcher: RegExp): string[] {
  if (item.kind === "agentMessage")
    return matches([item.reasoning ?? ""], matcher) ? [`${item.id}:reasoning`] : [];
  if (item.kind !== "toolCall") return [];
  const inArguments = matches(argumentTexts(item), matcher);
  const inBody = kindOf(item.tool) === "delegate" ? inArguments : false;
  return [
    ...(inBody || matches([resultText(item)], matcher) ? [item.id] : []),
    ...(inArguments ? [`${item.id}:arguments`] : []),
  ];
}

/** @returns whether the thread is being opened at a hit; its end is not shown before that. */
export function useOpenHit(threadId: ThreadId, store: TranscriptStore): boolean {
  const hit = useOpenedHit((state) => (state.hit?.threadId === threadId ? state.hit : undefined));
  const isReady = useStore(store, (state) => state.status === "ready");
  const [opening, setOpening] = useState(hit !== undefined);
  useEffect(() => {
    if (!hit || !isReady) return;
    showItem(store, threadId, hit, "open")
      .then((isThere) => {
        if (!isThere) showProblem(strings.messageGone);
      })
      .catch((error) => showProblem(strings.failedToOpen, describeError(error)))
      .finally(() => {
        useOpenedHit.setState((state) => (state.hit === hit ? { hit: undefined } : state));
        setOpening(false);
      });
  }, [hit, isReady, store, threadId]);
  return opening;
}

type Located = { element: HTMLElement; range?: Range };

const patienceMs = 2_000;
const marginPx = 48;
/** It has come to rest when it stood still for this many frames. */
const restFrames = 3;
/** Late parts, such as colours of code, may still move it; after this many frames it is left alone. */
const doneFrames = 20;

/**
 * @param locate finds the place anew each time, since rows are drawn late and drawn again.
 * @param onShown is called once, when it is there and in view.
 * @returns a function that gives up.
 */
function bringIntoView(
  scroller: HTMLElement,
  locate: () => Located | null,
  onShown: (found: Located) => void,
): () => void {
  const life = new AbortController();
  const deadline = performance.now() + patienceMs;
  let frame = 0;
  let top = Number.NaN;
  let still = 0;
  let shown = false;

  function look() {
    const found = locate();
    const now = found ? rectOf(found).top : Number.NaN;
    still = Math.abs(now - top) < 1 ? still + 1 : 0;
    top = now;
    const late = performance.now() > deadline;
    if (found && still >= restFrames && scrollTo(found, scroller)) still = 0;
    else if (found && !shown && (still >= restFrames || late)) {
      shown = true;
      onShown(found);
    }
    if (!late && still < doneFrames) frame = requestAnimationFrame(look);
  }
  function stop() {
    cancelAnimationFrame(frame);
    life.abort();
  }
  for (const name of ["wheel", "touchmove", "pointerdown", "keydown"])
    scroller.addEventListener(name, stop, { passive: true, signal: life.signal });
  frame = requestAnimationFrame(look);
  return stop;
}

function rectOf({ element, range }: Located): DOMRect {
  return (range ?? element).getBoundingClientRect();
}

/** Scrolls the list, and for a match what scrolls inside of it. @returns whether anything moved. */
function scrollTo(found: Located, scroller: HTMLElement): boolean {
  let moved = false;
  let box: HTMLElement | null = found.range?.startContainer.parentElement ?? scroller;
  for (; box; box = box === scroller ? null : box.parentElement) {
    const place = rectOf(found);
    const frame = box.getBoundingClientRect();
    const [before, beforeLeft] = [box.scrollTop, box.scrollLeft];
    if (box === scroller || /auto|scroll/.test(getComputedStyle(box).overflow)) {
      const margin = Math.min(marginPx, frame.height / 4);
      box.scrollTop += missing(place.top, place.height, frame.top, frame.height, margin);
      if (box !== scroller) box.scrollLeft += missing(place.left, place.width, frame.left, frame.width, 8);
    }
    moved ||= box.scrollTop !== before || box.scrollLeft !== beforeLeft;
  }
  return moved;
}

/** How far to scroll so that it stands in the middle; 0 where it is in view. What is too long is shown from its start. */
function missing(at: number, size: number, frameAt: number, frameSize: number, margin: number): number {
  const [top, bottom] = [frameAt + margin, frameAt + frameSize - margin];
  const isLong = size > bottom - top;
  if (isLong) return at >= frameAt && at < frameAt + frameSize / 2 ? 0 : at - top;
  return at >= top && at + size <= bottom ? 0 : at + size / 2 - (frameAt + frameSize / 2);
}
