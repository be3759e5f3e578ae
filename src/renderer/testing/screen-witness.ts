/**
 * A witness of what was really on the screen, for tests: it knows nothing of the application and looks at the pixels'
 * owners alone. What a row of a list tells of a card does not count, only the card. Texts to watch for are marked
 * `§name.line§`; one counts as seen in a frame when its glyphs stand inside of the window and a hit in the middle of them
 * finds them, so that nothing lies above.
 */
import { onTestFinished } from "vitest";

const marker = /§([\w-]+)\.(\d+)§/g;

export type Witness = {
  /** Every marked line that was on the screen at some time, as `name.line`. */
  seen: ReadonlySet<string>;
  /** The names of which a line is on the screen now. */
  now(): Set<string>;
};

/** Marks the lines of a text: each ends in its marker. */
export function marked(name: string, lines: readonly string[]): string {
  return lines.map((line, index) => `${line} §${name}.${index}§`).join("\n");
}

export function watchScreen(): Witness {
  const seen = new Set<string>();
  let frame = 0;
  const look = () => {
    for (const found of findOnScreen()) seen.add(found);
    frame = requestAnimationFrame(look);
  };
  frame = requestAnimationFrame(look);
  onTestFinished(() => cancelAnimationFrame(frame));
  return { seen, now: () => new Set([...findOnScreen()].map((one) => one.slice(0, one.lastIndexOf(".")))) };
}

function findOnScreen(): Set<string> {
  const found = new Set<string>();
  for (const box of document.querySelectorAll("[data-row],[role=dialog]")) {
    const { text, rangeOf } = readText(box);
    for (const match of text.matchAll(marker)) {
      const range = rangeOf(match.index, match.index + match[0].length);
      const [, name, line] = match;
      if ([...range.getClientRects()].some((rect) => isOnTop(rect, range))) found.add(`${name}.${line}`);
    }
  }
  return found;
}

/** All text of a box as one, since colours part the words of a line. */
function readText(box: Element) {
  const nodes: { node: Node; from: number }[] = [];
  let text = "";
  const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    nodes.push({ node, from: text.length });
    text += node.textContent;
  }
  const placeOf = (at: number) => {
    const { node, from } = nodes.findLast((one) => one.from <= at)!;
    return [node, at - from] as const;
  };
  const rangeOf = (from: number, to: number) => {
    const range = document.createRange();
    range.setStart(...placeOf(from));
    const [node, before] = placeOf(to - 1);
    range.setEnd(node, before + 1);
    return range;
  };
  return { text, rangeOf };
}

function isOnTop({ left, top, width, height }: DOMRect, range: Range): boolean {
  const [x, y] = [left + width / 2, top + height / 2];
  if (width === 0 || x < 0 || y < 0 || x > innerWidth || y > innerHeight) return false;
  const hit = document.elementFromPoint(x, y);
  // While a list scrolls its rows take no pointer, and the box they scroll in is hit; what covers them holds none of them.
  return hit !== null && range.intersectsNode(hit) && hit.closest("[data-scroll],[role=dialog]") !== null;
}
