/**
 * Tells a button that a person pointed at from one that slid under a resting pointer, whatever moved it: a card that
 * left above it, one that came, or content that was read late.
 */

/** A button that came to the pointer by itself may be pressed after this long. */
const lookMs = 400;

type Aim = { button: Element | null; cameAt: number; pointedAt: boolean };
let aim: Aim = { button: null, cameAt: 0, pointedAt: false };
let lastPlace = { x: Number.NaN, y: Number.NaN };

/** @returns a function that stops it. */
export function startPointerAim(): () => void {
  const note = (event: PointerEvent) => {
    const moved = event.screenX !== lastPlace.x || event.screenY !== lastPlace.y;
    lastPlace = { x: event.screenX, y: event.screenY };
    const button = buttonAt(event.target);
    // Fingers and pens do not rest on what they do not press.
    const pointedAt = moved || event.pointerType !== "mouse";
    if (button !== aim.button) aim = { button, cameAt: performance.now(), pointedAt };
    else if (moved) aim = { ...aim, pointedAt: true };
  };
  const kinds = ["pointerover", "pointermove", "pointerdown"] as const;
  for (const kind of kinds) document.addEventListener(kind, note, true);
  return () => {
    for (const kind of kinds) document.removeEventListener(kind, note, true);
  };
}

/** Whether the person pointed at this button, or had the time to see that it stands there now. */
export function isAimedAt(button: Element): boolean {
  if (aim.button !== button) return false;
  return aim.pointedAt || performance.now() - aim.cameAt >= lookMs;
}

function buttonAt(target: EventTarget | null): Element | null {
  return target instanceof Element ? target.closest("button") : null;
}
