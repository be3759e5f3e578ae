/**
 * Tells a press on what a person saw from one made before that was painted: while the page hangs, the keys and clicks that
 * were meant for what stood there wait, and would act on what stands there by then.
 */

/** In the browser's own time, as its events tell it. */
let pressedAt = Number.POSITIVE_INFINITY;
let paintedAt = Number.NEGATIVE_INFINITY;
let unpainted = 0;
let isFollowed = false;

/** The key that presses buttons and is down: however long it is held, and whatever it clicks as it comes up, it was pressed once. */
let heldKey: string | undefined;

/** A click has no press before it when a screen reader makes it. */
const presses = ["keydown", "pointerdown", "click"] as const;

/** @returns a function that stops it; without it everything counts as painted. */
export function startPainted(): () => void {
  const note = (event: Event) => {
    if (event instanceof KeyboardEvent && event.repeat) return;
    // The click that ends a press is that press.
    if (event.type === "click" && !(event instanceof MouseEvent && event.detail === 0 && !heldKey)) return;
    heldKey = event instanceof KeyboardEvent && /^(?: |Enter)$/.test(event.key) ? event.code : undefined;
    pressedAt = event.timeStamp;
  };
  const noteUp = ({ code }: KeyboardEvent) => {
    const endedPress = pressedAt;
    // A button is clicked by the space bar once everybody has heard that it came up.
    setTimeout(() => {
      if (heldKey === code && pressedAt === endedPress) heldKey = undefined;
    });
  };
  const noteLeft = () => {
    heldKey = undefined;
  };
  isFollowed = true;
  for (const press of presses) window.addEventListener(press, note, true);
  window.addEventListener("keyup", noteUp, true);
  window.addEventListener("blur", noteLeft);
  return () => {
    for (const press of presses) window.removeEventListener(press, note, true);
    window.removeEventListener("keyup", noteUp, true);
    window.removeEventListener("blur", noteLeft);
    heldKey = undefined;
    isFollowed = false;
    unpainted = 0;
    pressedAt = Number.POSITIVE_INFINITY;
    paintedAt = Number.NEGATIVE_INFINITY;
  };
}

/**
 * Something else stands on the page from its next frame on: presses from before are not meant for it.
 * @param onPainted called once it was painted; never on a page that nobody can see.
 */
export function noteNew(onPainted?: () => void): void {
  if (!isFollowed) {
    onPainted?.();
    return;
  }
  unpainted += 1;
  // The second frame begins when the first has been drawn.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      unpainted = Math.max(0, unpainted - 1);
      // A frame tells when it was due, which on a busy page is long before; an event when it was made.
      paintedAt = new Event("painted").timeStamp;
      onPainted?.();
    }),
  );
}

/** Whether all that was new had been painted when the last key or button was pressed. */
export function wasPaintedAtPress(): boolean {
  return unpainted === 0 && pressedAt >= paintedAt;
}
