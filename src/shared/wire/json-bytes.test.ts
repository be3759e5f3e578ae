/** What is counted is what JSON takes, for any text, and a text is cut where it says. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { endOfFit, isLongerThan, jsonBytes, startOfFit, utf8Bytes } from "./json-bytes.ts";

const stretch = fc.constantFrom(
  "abc",
  '"',
  "\\",
  "\n",
  "\u0001",
  "\u007f",
  "é",
  "字宙",
  "😀",
  "\ud83d",
  "\ude00",
  "\u2028",
);
const text = fc
  .array(fc.tuple(stretch, fc.integer({ min: 1, max: 20 })), { maxLength: 8 })
  .map((parts) => parts.map(([letters, times]) => letters.repeat(times)).join(""));
const bytesOf = (value: string) => new TextEncoder().encode(value).length;
const quotes = 2;

it.each([1, 10, 2_000])("counts the bytes of a text, %i times as long, and of its JSON", (times) => {
  fc.assert(
    fc.property(text, (any) => {
      const long = any.repeat(times);
      expect(utf8Bytes(long)).toBe(bytesOf(long));
      expect(jsonBytes(long)).toBe(bytesOf(JSON.stringify(long)));
    }),
    { numRuns: times > 100 ? 20 : 100 },
  );
});

it.each([
  ["a text", 1, 120, 500],
  ["one that is counted in pieces", 700, 40_000, 60],
])("finds the longest beginning and end of %s that fit", (_of, times, bytes, numRuns) => {
  fc.assert(
    fc.property(text, fc.nat(bytes), fc.nat(10), (any, most, skipped) => {
      const long = any.repeat(times);
      const from = Math.min(skipped, long.length);
      const end = endOfFit(long, most, from);
      expect(jsonBytes(long.slice(from, end)) - quotes).toBeLessThanOrEqual(most);
      const next = String.fromCodePoint(long.codePointAt(end) ?? 0x20);
      if (end < long.length) expect(jsonBytes(long.slice(from, end) + next) - quotes).toBeGreaterThan(most);
      const start = startOfFit(long, most);
      expect(jsonBytes(long.slice(start)) - quotes).toBeLessThanOrEqual(most);
      const more = /[\ud800-\udbff][\udc00-\udfff]$/.test(long.slice(0, start)) ? 2 : 1;
      if (start > 0) expect(jsonBytes(long.slice(start - more)) - quotes).toBeGreaterThan(most);
    }),
    { numRuns },
  );
});

it("says whether the texts in a value are longer", () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 4 }), fc.nat(300), (texts, most) => {
      const bytes = texts.reduce((sum, one, at) => sum + bytesOf(one) + `${at}`.length + 1, 0);
      expect(isLongerThan(texts, most)).toBe(bytes > most);
    }),
  );
});
