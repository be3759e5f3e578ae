/** What can be pressed on the page and is hit by less than 24 pixels in a direction, for tests. */

/** From its middle a hand may be off by so much. */
const reachPx = 11.5;

/** By name and size; what fills its place by a box around it, such as a label or a row, counts with that. */
export function smallTargets(): string[] {
  const targets = document.querySelectorAll<HTMLElement>(
    "button,a[href],input:not([aria-hidden]),select,textarea,summary,[role=row],[role=switch]",
  );
  return [...targets].flatMap((one) => {
    const target = one.closest("label") ?? one;
    const { left, top, width, height } = target.getBoundingClientRect();
    if (!one.checkVisibility() || one.matches(".sr-only") || width === 0) return [];
    const [x, y] = [left + width / 2, top + height / 2];
    const isHit = (toX: number, toY: number) => {
      const hit = document.elementFromPoint(toX, toY);
      return hit === null || target.contains(hit);
    };
    const isLarge =
      (width >= 23.5 || (isHit(x - reachPx, y) && isHit(x + reachPx, y))) &&
      (height >= 23.5 || (isHit(x, y - reachPx) && isHit(x, y + reachPx)));
    const name = one.getAttribute("aria-label") ?? one.textContent;
    return isLarge ? [] : [`${name} ${Math.round(width)}×${Math.round(height)}`];
  });
}
