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

it("finds the longest beginning and end of a text that fit", () => {
  fc.assert(
    fc.property(text, fc.nat(120), fc.nat(10), (any, most, from) => {
      const end = endOfFit(any, most, Math.min(from, any.length));
      const begun = any.slice(Math.min(from, any.length), end);
      const next = String.fromCodePoint(any.codePointAt(end) ?? 0x20);
      expect(jsonBytes(begun) - quotes).toBeLessThanOrEqual(most);
      if (end < any.length) expect(jsonBytes(begun + next) - quotes).toBeGreaterThan(most);
      expect(jsonBytes(any.slice(startOfFit(any, most))) - quotes).toBeLessThanOrEqual(most);
    }),
    { numRuns: 500 },
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
