/** Whatever leaves and comes, rows that are there keep their order, and one that left stands where it stood. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { keepPlaces } from "./decided-rows.ts";

const row = (key: string) => ({ key });
const keys = (rows: readonly { key: string }[]) => rows.map((one) => one.key).join("");
const rows = (text: string) => [...text].map(row);

it.each([
  ["abcd", "abd", "abcd"],
  ["abcd", "bcd", "abcd"],
  ["abcd", "d", "abcd"],
  ["abcd", "", "abcd"],
  // What comes stands after what left, which was below the row before.
  ["abcd", "abxd", "abcxd"],
  // In another order it goes with the row it stood below.
  ["abcd", "dba", "dbca"],
])("%s, then %s: %s", (before, now, placed) => {
  expect(keys(keepPlaces(rows(before), rows(now)))).toBe(placed);
});

it("remembers no more than the last five hundred that left", () => {
  const many = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => row(`row ${from + at}`));
  const placed = keepPlaces(many(0, 502), [row("new")]);
  expect(placed.slice(0, -1)).toEqual(many(2, 502));
  expect(placed.at(-1)).toEqual(row("new"));
});

it("is the same list while nothing left, so that nothing is drawn anew", () => {
  const now = rows("abc");
  expect(keepPlaces(rows("ac"), now)).toBe(now);
});

it("loses none and changes the order of none", () => {
  const list = fc.uniqueArray(fc.constantFrom(..."abcdefghij")).map((all) => all.map(row));
  fc.assert(
    fc.property(list, fc.array(list, { maxLength: 4 }), (start, changes) => {
      let placed: readonly { key: string }[] = start;
      const ever = new Set(start.map((one) => one.key));
      for (const now of changes) {
        placed = keepPlaces(placed, now);
        for (const { key } of now) ever.add(key);
        const there = new Set(now.map((one) => one.key));
        expect(keys(placed.filter(({ key }) => there.has(key)))).toBe(keys(now));
        expect(new Set(placed.map((one) => one.key))).toEqual(ever);
        expect(placed).toHaveLength(ever.size);
        // Placed twice it stands the same, so a drawing may be repeated.
        expect(keepPlaces(placed, now)).toEqual(placed);
      }
    }),
    { numRuns: 200 },
  );
});
