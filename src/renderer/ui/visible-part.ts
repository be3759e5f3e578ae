/** Measures, on the screen itself, which part of an element a person can see now. */

/** Pixels from the top of the element. */
export type Part = { from: number; to: number };

type Edges = { top: number; bottom: number };

/** @returns the part that is inside of the window and of every scrolling box around it; nothing when none is. */
export function partInView(element: Element): Part | undefined {
  const { top, bottom, width } = element.getBoundingClientRect();
  const clip = clipOf(element);
  const from = Math.max(0, clip.top - top);
  const to = Math.min(bottom, clip.bottom) - top;
  return width > 0 && to > from ? { from, to } : undefined;
}

/** The height of the box an element scrolls in, as far as it is in the window. */
export function roomOf(element: Element): number {
  const { top, bottom } = clipOf(element);
  return Math.max(0, bottom - top);
}

/**
 * Whether what is in view of the element is not under a dialog, a menu or a message.
 * Looks along its left edge, where nothing lies over a card but what covers it.
 */
export function isUncovered(element: Element): boolean {
  const part = partInView(element);
  if (!part) return false;
  const { top, left, height } = element.getBoundingClientRect();
  const inset = Math.min(2, height / 2);
  const places = [part.from + inset, (part.from + part.to) / 2, part.to - inset];
  return places.every((place) => {
    const hit = document.elementFromPoint(left + 3, top + place);
    return hit !== null && (element.contains(hit) || hit.contains(element));
  });
}

function clipOf(element: Element): Edges {
  let edges: Edges = { top: 0, bottom: window.innerHeight };
  for (let box = element.parentElement; box; box = box.parentElement) {
    if (box === document.body) break;
    if (getComputedStyle(box).overflowY === "visible") continue;
    const { top, bottom } = box.getBoundingClientRect();
    edges = { top: Math.max(edges.top, top), bottom: Math.min(edges.bottom, bottom) };
  }
  return belowCovers(element, edges);
}

/** What lies over the upper edge of a list marks itself `[data-lies-over]`; what is level with it is not in view. */
function belowCovers(element: Element, edges: Edges): Edges {
  let { top } = edges;
  for (const cover of document.querySelectorAll("[data-lies-over]")) {
    if (!cover.parentElement?.contains(element)) continue;
    top = Math.max(top, cover.getBoundingClientRect().bottom);
  }
  return { ...edges, top };
}
