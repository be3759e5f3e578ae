/** Keeps a place of a virtualised list in view until everything around it has its size, unless the person moves first. */

export type Located = { element: HTMLElement; range?: Range };

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
export function bringIntoView(
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
