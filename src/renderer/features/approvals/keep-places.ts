/** Keeps the place of rows that have left a list, so that a decided one can stay where it was while it can be taken back. */

/** As many rows that left as are remembered. */
const mostGone = 500;

/**
 * @param before the rows as they were placed the last time, those that had left among them.
 * @param now the rows there are, in their order.
 * @returns these in the same order, and each that has left after the row it stood below.
 */
export function keepPlaces<Row extends { key: string }>(
  before: readonly Row[],
  now: readonly Row[],
): readonly Row[] {
  const there = new Set(now.map((row) => row.key));
  const gone = before.filter((row) => !there.has(row.key)).slice(-mostGone);
  if (gone.length === 0) return now;
  const kept = new Set(gone);
  const below = new Map<string | undefined, Row[]>();
  let above: string | undefined;
  for (const row of before) {
    if (there.has(row.key)) above = row.key;
    else if (kept.has(row)) below.set(above, [...(below.get(above) ?? []), row]);
  }
  return [...(below.get(undefined) ?? []), ...now.flatMap((row) => [row, ...(below.get(row.key) ?? [])])];
}
