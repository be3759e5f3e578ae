/** What can be pressed on the page and is hit by less than 24 pixels in a direction, for tests. */

/** By name and size; what fills its place by a box around it, such as a label or a row, counts with that. */
export function smallTargets(): string[] {
  // From its middle a hand may be off by so much. In here, since this also runs where only its own text arrives.
  const reachPx = 11.5;
  const targets = document.querySelectorAll<HTMLElement>(
    "button,a[href],input:not([aria-hidden]),select,textarea,summary,[role=row],[role=switch]",
  );
  return [...targets].flatMap((one) => {
    const target = one.closest("label") ?? one;
    if (!one.checkVisibility() || one.matches(".sr-only") || target.getBoundingClientRect().width === 0)
      return [];
    // A link in a sentence is as high as its line.
    if (one.matches("a") && getComputedStyle(one).display === "inline") return [];
    const isLarge = () => {
      const { left, top, width, height } = target.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      const isHit = (byX: number, byY: number) => {
        const hit = document.elementFromPoint(x + byX, y + byY);
        return hit === null || target.contains(hit);
      };
      // What lies below a dialog is none now.
      if (!isHit(0, 0)) return true;
      return (
        (width >= 23.5 || (isHit(-reachPx, 0) && isHit(reachPx, 0))) &&
        (height >= 23.5 || (isHit(0, -reachPx) && isHit(0, reachPx)))
      );
    };
    if (isLarge()) return [];
    // The edge of what scrolls may have cut it.
    target.scrollIntoView({ block: "center", behavior: "instant" });
    if (isLarge()) return [];
    const { width, height } = target.getBoundingClientRect();
    const name = one.getAttribute("aria-label") ?? one.textContent;
    return [`${name} ${Math.round(width)}×${Math.round(height)}`];
  });
}
