/**
 * Tells a button that a person pointed at from one that slid under a resting pointer, whatever moved it: a card that
 * left above it, one that came, or content that was read late.
 */

/** A button that came to the pointer by itself, or that stands for something else by now, may be pressed after this long. */
export const lookMs = 400;

/** A hand on a mouse is never quite still: within so much it rests. */
const tremorPx = 8;

type Place = { screenX: number; screenY: number };
/** `from`: where the pointer was when it and the button met. */
type Aim = { button: Element | null; cameAt: number; pointedAt: boolean; from: Place };
const nowhere: Place = { screenX: Number.NaN, screenY: Number.NaN };
let aim: Aim = { button: null, cameAt: 0, pointedAt: false, from: nowhere };
let lastPlace = nowhere;
/** It was out of the window just now. */
let isBack = false;
let movedAt = Number.NEGATIVE_INFINITY;

/** @returns a function that stops it. */
export function startPointerAim(): () => void {
  const note = (event: PointerEvent) => {
    const { screenX, screenY } = event;
    const before = isBack ? { screenX, screenY } : lastPlace;
    isBack = false;
    lastPlace = { screenX, screenY };
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    // Fingers and pens do not rest on what they do not press.
    const pointedAt = event.pointerType !== "mouse" || !isNear(lastPlace, before);
    if (button !== aim.button) aim = { button, cameAt: performance.now(), pointedAt, from: before };
    else if (!isNear(lastPlace, aim.from)) aim = { ...aim, pointedAt: true };
  };
  // What lay over the window may have gone from under the pointer with the first press of a double click.
  const noteLeft = ({ pointerType }: PointerEvent) => {
    if (pointerType !== "mouse") return;
    isBack = true;
    aim = { button: null, cameAt: 0, pointedAt: false, from: nowhere };
  };
  const kinds = ["pointerover", "pointermove", "pointerdown"] as const;
  for (const kind of kinds) document.addEventListener(kind, note, true);
  document.documentElement.addEventListener("pointerleave", noteLeft);
  return () => {
    for (const kind of kinds) document.removeEventListener(kind, note, true);
    document.documentElement.removeEventListener("pointerleave", noteLeft);
    movedAt = Number.NEGATIVE_INFINITY;
  };
}

/** What stands on the page has moved by itself: a hand on its way is meant for what stood there before. */
export function noteMoved(): void {
  movedAt = performance.now();
}

/** Whether the person pointed at this button, or had the time to see that it stands there now. */
export function isAimedAt(button: Element): boolean {
  if (aim.button !== button || performance.now() - movedAt < lookMs) return false;
  return aim.pointedAt || performance.now() - aim.cameAt >= lookMs;
}

function isNear(one: Place, other: Place): boolean {
  return Math.hypot(one.screenX - other.screenX, one.screenY - other.screenY) <= tremorPx;
}
