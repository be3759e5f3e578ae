/** Where the mark of a list goes by a key of the field above it. */

/** @returns the new place among `count` lines; nothing for any other key and for an empty list. */
export function moveInList(key: string, current: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === "ArrowDown") return (current + 1) % count;
  if (key === "ArrowUp") return (current - 1 + count) % count;
  if (key === "PageDown") return Math.min(current + 10, count - 1);
  if (key === "PageUp") return Math.max(current - 10, 0);
  return undefined;
}
