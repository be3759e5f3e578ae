/** Measures, on the screen itself, what of an element a person can see now: line by line, whatever lies over it. */

/** A stretch of text on one line, a picture, or a slice of a field; in pixels of the window. */
export type Box = { left: number; top: number; right: number; bottom: number };

/** `out` of what the screen shows of the window or of a box that scrolls around it, `covered` by something else, or `shown`. */
type Sight = "out" | "covered" | "shown";

/** What is taller than a line is looked at in slices of this height. */
const slicePx = 16;
/** On a page that a person zoomed in with fingers a line is wider than the screen, and is looked at in parts so wide. */
const columnPx = 96;
/** Nothing that is narrower than this can hide a word. */
const probePx = 24;
/** The edges of boxes fall between pixels. */
const slackPx = 1;

/** @returns each box of what is drawn in the element, from its beginning to its end; none when it is not drawn. */
export function boxesOf(element: Element): Box[] {
  const boxes: Box[] = [];
  const take = (rects: DOMRectList) => {
    for (const rect of rects) if (rect.width > 0 && rect.height > 0) boxes.push(...slicesOf(rect));
  };
  const walker = document.createTreeWalker(
    element,
    NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT,
    (node) => {
      if (!(node instanceof Element)) return NodeFilter.FILTER_ACCEPT;
      if (!node.matches("img,svg,textarea,input,[role=img]")) return NodeFilter.FILTER_SKIP;
      // Looked at as a whole: what is in it is not text of its own.
      take(node.getClientRects());
      return NodeFilter.FILTER_REJECT;
    },
  );
  const range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    range.selectNodeContents(node);
    take(range.getClientRects());
  }
  if (boxes.length === 0) take(element.getClientRects());
  return boxes;
}

function slicesOf({ left, top, right, bottom }: DOMRect): Box[] {
  const isZoomed = (window.visualViewport?.scale ?? 1) > 1;
  return partsOf(top, bottom, slicePx).flatMap((row) =>
    partsOf(left, right, isZoomed ? columnPx : Number.POSITIVE_INFINITY).map((column) => ({
      left: column.from,
      top: row.from,
      right: column.to,
      bottom: row.to,
    })),
  );
}

/** A stretch in equal parts of about a size; one that is hardly longer stays whole. */
function partsOf(from: number, to: number, size: number): { from: number; to: number }[] {
  const count = to - from > 2 * size ? Math.ceil((to - from) / size) : 1;
  const at = (index: number) => from + ((to - from) * index) / count;
  return Array.from({ length: count }, (_, index) => ({ from: at(index), to: at(index + 1) }));
}

let nothingLetsThrough: CSSStyleSheet | undefined;

/** What lets presses through is seen like anything else, and so is what lies below it. Made when a page first looks. */
function sheetThatLetsNothingThrough(): CSSStyleSheet {
  if (nothingLetsThrough) return nothingLetsThrough;
  nothingLetsThrough = new CSSStyleSheet();
  nothingLetsThrough.replaceSync("* { pointer-events: auto !important; }");
  return nothingLetsThrough;
}

/** Looks while a hit finds what is really on top; what looks often is called in one of these, since each draws styles anew. */
export function lookAtAll<T>(look: () => T): T {
  const before = [...document.adoptedStyleSheets];
  const sheet = sheetThatLetsNothingThrough();
  if (before.includes(sheet)) return look();
  document.adoptedStyleSheets = [...before, sheet];
  try {
    return look();
  } finally {
    document.adoptedStyleSheets = before;
  }
}

/**
 * What a person sees of the boxes now. Anything that lies over a box covers it: it is asked for by hits all along the
 * box, so nothing has to tell that it may cover something.
 * @param element whose boxes they are.
 * @param within what belongs to it may lie over it, as a field does over the measure of its text.
 */
export function sightsOf(boxes: readonly Box[], element: Element, within = element): Sight[] {
  return lookAtAll(() => boxes.map(lookerAt(element, within)));
}

/** @returns what tells of one box after the other how it is seen, while nothing lets presses through. */
function lookerAt(element: Element, within: Element): (box: Box) => Sight {
  const clip = clipOf(element);
  const isOwn = (x: number, y: number) => within.contains(document.elementFromPoint(x, y));
  return (box) => {
    if (!isInside(box, clip)) return "out";
    return placesIn(box).every(([x, y]) => isOwn(x, y)) ? "shown" : "covered";
  };
}

/** Points all along a box, so close that no word fits between. */
function placesIn({ left, right, top, bottom }: Box): [number, number][] {
  const steps = Math.max(1, Math.ceil((right - left) / probePx));
  return [0.25, 0.5, 0.75].flatMap((part) =>
    Array.from({ length: steps + 1 }, (_, step): [number, number] => [
      Math.min(Math.max(left + ((right - left) * step) / steps, left + 0.5), right - 0.5),
      top + (bottom - top) * part,
    ]),
  );
}

/** Whether it reaches into the height of the window and of every scrolling box around it; no more than that is asked. */
export function isPartlyInside(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  const clip = clipOf(element);
  return bottom > clip.top && top < clip.bottom;
}

/**
 * How much of the height of an element is seen; all of it when each of its boxes is.
 * @param within what belongs to it may lie over it.
 * @param enough once so much is seen it looks no further, since each line takes a hundred hits.
 */
export function heightInView(element: Element, within = element, enough = Number.POSITIVE_INFINITY): number {
  return lookAtAll(() => {
    const sightOf = lookerAt(element, within);
    let height = 0;
    let reached = Number.NEGATIVE_INFINITY;
    let wasShown = false;
    let all = true;
    // The room between two lines that are seen one after the other is seen as well.
    for (const box of boxesOf(element).sort((one, other) => one.top - other.top)) {
      const shown = sightOf(box) === "shown";
      if (shown) {
        height += Math.max(0, box.bottom - (wasShown ? reached : Math.max(box.top, reached)));
        reached = Math.max(reached, box.bottom);
      }
      if (height >= enough) return height;
      wasShown = shown;
      all &&= shown;
    }
    return all ? element.getBoundingClientRect().height : height;
  });
}

/** The height of the box an element scrolls in, as far as it is in the window. */
export function roomOf(element: Element): number {
  const { top, bottom } = clipOf(element);
  return Math.max(0, bottom - top);
}

function isInside(box: Box, clip: Box): boolean {
  return (
    box.top >= clip.top - slackPx &&
    box.bottom <= clip.bottom + slackPx &&
    box.left >= clip.left - slackPx &&
    box.right <= clip.right + slackPx
  );
}

function clipOf(element: Element): Box {
  let clip = screenClip();
  for (let box = element.parentElement; box; box = box.parentElement) {
    if (box === document.body) break;
    const { overflowX, overflowY } = getComputedStyle(box);
    if (overflowX === "visible" && overflowY === "visible") continue;
    const { left, top, right, bottom } = box.getBoundingClientRect();
    clip = {
      left: Math.max(clip.left, left),
      top: Math.max(clip.top, top),
      right: Math.min(clip.right, right),
      bottom: Math.min(clip.bottom, bottom),
    };
  }
  return clip;
}

/** What the screen shows of the window: zoomed in with fingers, or beside a keyboard on the screen, only a part of it. */
function screenClip(): Box {
  const { innerWidth, innerHeight, visualViewport } = window;
  if (!visualViewport) return { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const { offsetLeft: left, offsetTop: top, width, height } = visualViewport;
  return {
    left,
    top,
    right: Math.min(innerWidth, left + width),
    bottom: Math.min(innerHeight, top + height),
  };
}
