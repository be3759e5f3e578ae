/** Where the text of a drawn item matches, as ranges that can be painted without touching what React drew. */

/** Buttons, names and states are said by the console and not in the thread; an item inside another one is its own. */
const apart = 'button, summary, time, [aria-hidden="true"], [data-find="skip"], [data-item]';
const inline = new Set(["A", "B", "CODE", "EM", "I", "MARK", "SPAN", "STRONG"]);
const mostRanges = 500;

/** @param matcher global; @returns at most a few hundred ranges, in reading order. */
export function rangesIn(element: Element, matcher: RegExp): Range[] {
  const { text, pieces } = readText(element);
  const ranges: Range[] = [];
  let piece = 0;
  /** Goes forward only, since matches come in order. */
  const pieceAt = (offset: number) => {
    while (piece < pieces.length - 1 && (pieces[piece + 1]?.start ?? 0) <= offset) piece += 1;
    return pieces[piece];
  };
  for (const match of text.matchAll(matcher)) {
    const from = pieceAt(match.index);
    const last = match.index + match[0].length - 1;
    const to = pieceAt(last);
    if (!from || !to || match[0] === "") continue;
    const range = document.createRange();
    range.setStart(from.node, Math.min(match.index - from.start, from.node.length));
    range.setEnd(to.node, Math.min(last - to.start + 1, to.node.length));
    if (ranges.push(range) === mostRanges) break;
  }
  return ranges;
}

type Piece = { node: Text; start: number };

/** The text as it reads: a new block begins a new line. */
function readText(element: Element): { text: string; pieces: Piece[] } {
  const walker = document.createTreeWalker(
    element,
    NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
    (node) => {
      if (node instanceof Text) return NodeFilter.FILTER_ACCEPT;
      return node instanceof Element && node.matches(apart)
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_SKIP;
    },
  );
  const pieces: Piece[] = [];
  let text = "";
  let block: Element | null = null;
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    const own = blockOf(node);
    if (block && own !== block) text += "\n";
    block = own;
    pieces.push({ node, start: text.length });
    text += node.data;
  }
  return { text, pieces };
}

function blockOf(node: Text): Element | null {
  let at = node.parentElement;
  while (at && inline.has(at.tagName)) at = at.parentElement;
  return at;
}
