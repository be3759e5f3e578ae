/**
 * Measures a drawn card for tests, by the boxes of its words alone: what runs out of it, what runs into another word and
 * what lies over one, also what takes no hits.
 */

/** What ends its line with an ellipsis where there is no room, always or on a wide window. */
const cutText = ".truncate,.wide\\:truncate";

type Word = { text: string; node: Text; box: DOMRect };

/** The words that are drawn inside, each stretch on one line by itself; what is only spoken is not drawn. */
function wordsOf(root: Element): Word[] {
  const words: Word[] = [];
  const range = document.createRange();
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!parent || getComputedStyle(parent).visibility !== "visible") continue;
    // A misleading character itself stands in a box of one pixel; its name is drawn beside it.
    if (parent.closest(".sr-only,option,textarea,[role=img] > span")) continue;
    range.selectNodeContents(node);
    const cut = parent.closest(`${cutText},[class*=line-clamp],.overflow-y-auto`)?.getBoundingClientRect();
    for (const whole of range.getClientRects()) {
      const box = cut ? drawnOf(whole, cut) : whole;
      if (box.width > 1 && box.height > 0)
        words.push({ text: node.textContent?.slice(0, 60) ?? "", node: node as Text, box });
    }
  }
  return words;
}

/** What is drawn of a box in an element that cuts its text where it ends, or where it was scrolled to. */
function drawnOf(box: DOMRect, cut: DOMRect): DOMRect {
  const right = Math.min(box.right, cut.right);
  const isScrolledOff = box.top >= cut.bottom || box.bottom <= cut.top;
  const bottom = isScrolledOff ? box.top : box.bottom;
  return new DOMRect(box.left, box.top, Math.max(0, right - box.left), bottom - box.top);
}

/** Texts of which a part stands beside the card, and boxes in it that would have to be scrolled sideways. */
export function outOf(card: Element): string[] {
  const { left, right, top, bottom } = card.getBoundingClientRect();
  const words = wordsOf(card)
    .filter(({ node }) => !node.parentElement?.closest(cutText))
    .filter(
      ({ box }) =>
        box.left < left - 1 || box.right > right + 1 || box.top < top - 1 || box.bottom > bottom + 1,
    )
    .map(({ text }) => text);
  const wide = [card, ...card.querySelectorAll("*")].filter(
    (one) =>
      one.scrollWidth > one.clientWidth + 1 &&
      getComputedStyle(one).display !== "inline" &&
      !one.closest(`${cutText},.sr-only,[role=img]`) &&
      getComputedStyle(one).overflowX !== "visible",
  );
  return [...words, ...wide.map((one) => `wide: ${one.className}`)];
}

/** Pairs of words that stand on each other. */
export function collisionsIn(card: Element): string[] {
  const words = wordsOf(card);
  const slack = 2;
  return words.flatMap((one, index) =>
    words
      .slice(index + 1)
      .filter(
        (other) =>
          other.node !== one.node &&
          Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left) > slack &&
          // Lines of one text may stand closer than their letters are high.
          Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top) >
            Math.min(one.box.height, other.box.height) / 2,
      )
      .map((other) => `${one.text} / ${other.text}`),
  );
}

/** Texts that hold these words and are not set apart as somebody else's. */
export function asOwnWords(card: Element, foreign: string): string[] {
  return wordsOf(card)
    .filter(({ node }) => node.data.includes(foreign) && !node.parentElement?.closest("bdi,code,figure"))
    .map(({ text }) => text);
}

/** The title of a dialog where words of others stand in it outside of quotes, or end those around them. */
export function unquotedInTitle(dialog: Element, foreign: string): string[] {
  const title = dialog.querySelector("h1,h2,h3")?.textContent ?? "";
  const said = foreign.replace(/["“”„‟″]/g, "'").slice(0, 12);
  return title.split('"').filter((part, at) => at % 2 === 0 && part.includes(said.slice(0, 3)));
}

/** Texts, names and hints in which a character that hides or turns others stands without a sign of it. */
export function bareHiddenIn(card: Element): string[] {
  const attributes = [card, ...card.querySelectorAll("*")].flatMap((one) =>
    ["title", "aria-label", "placeholder", "alt"].flatMap((name) => one.getAttribute(name) ?? []),
  );
  const told = attributes.filter((text) => /[\p{Cf}\p{Zl}\p{Zp}]/u.test(text));
  const drawn = wordsOf(card)
    .filter(
      ({ node }) => /[\p{Cf}\p{Zl}\p{Zp}]/u.test(node.data) && !node.parentElement?.closest("[role=img]"),
    )
    .map(({ text }) => text);
  return [...told, ...drawn];
}

/** Texts of others of several lines that stand in no frame, so that each line could be one of the console's. */
export function bareLinesIn(card: Element): string[] {
  const walker = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.parentElement?.closest("bdi,code");
    if (!text || !node.textContent?.includes("\n") || node.parentElement?.closest(".sr-only,[role=img]"))
      continue;
    let box: Element | null = text;
    while (box && box !== card && Number.parseFloat(getComputedStyle(box).borderLeftWidth) === 0)
      box = box.parentElement;
    if (box === card) found.push(text.textContent?.slice(0, 60) ?? "");
  }
  return found;
}

/** The labels of misleading characters that come apart over two lines or do not fit the place they have. */
export function brokenLabelsIn(card: Element): string[] {
  return [...card.querySelectorAll<HTMLElement>("[role=img]")]
    .filter((label) => !label.closest(cutText))
    .filter((label) => label.getClientRects().length > 1 || label.scrollWidth > label.clientWidth + 1)
    .map((label) => label.getAttribute("aria-label") ?? "");
}

/** The words of which something lies over the middle, where they are on the screen at all. */
export function coveredIn(card: Element): string[] {
  const all = document.head.appendChild(document.createElement("style"));
  all.textContent = "* { pointer-events: auto !important }";
  const clip =
    card.closest("[data-scroll]")?.getBoundingClientRect() ?? document.body.getBoundingClientRect();
  const covered = wordsOf(card).filter(({ node, box }) => {
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    if (y < clip.top || y > clip.bottom || x < clip.left || x > clip.right) return false;
    const hit = document.elementFromPoint(x, y);
    const parent = node.parentElement as Element;
    return !(hit !== null && (hit.contains(parent) || parent.contains(hit)));
  });
  all.remove();
  return covered.map(({ text }) => text);
}
