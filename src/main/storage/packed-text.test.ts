/** What is packed comes back as it was, also what a database of before holds, and bytes from elsewhere cannot grow. */
import { zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { expect, it } from "vitest";
import { packText, unpackedBytes, unpackText } from "./packed-text.ts";
import { packingDictionary } from "./packing-dictionary.ts";

const chars = fc.constantFrom("a", "é", "句", "🙂", "\0", '"', "\n", packingDictionary.slice(-200));
const text = fc
  .tuple(fc.array(chars, { maxLength: 400 }), fc.nat({ max: 40 }))
  .map(([parts, times]) => parts.join("").repeat(times));

it("gives back every text, and says its size without unpacking", () => {
  fc.assert(
    fc.property(text, (whole) => {
      const packed = packText(whole);
      expect(unpackText(packed)).toBe(whole);
      expect(unpackedBytes(packed)).toBe(Buffer.byteLength(whole));
      expect(Buffer.byteLength(packed)).toBeLessThanOrEqual(Buffer.byteLength(whole));
    }),
  );
});

it("keeps a word of the app in a few bytes, and text that does not get smaller as it is", () => {
  const event =
    '{"type":"approval.decided","approvalId":"000000000057-appr-1","decision":{"type":"approve"},"by":{"kind":"person"}}';
  expect(packText(event).length).toBeLessThan(35);
  const random = "q7Zk0VbXw2Jd9RfLh5Tn1YcPm8GsAe3uQoKi6xBvDzHyEtWjNrMlCgSaUpFO4I_-.!";
  expect(packText(random)).toBe(random);
});

it("reads the frames of databases from before", () => {
  const long = "of before ".repeat(2_000);
  expect(unpackText(zstdCompressSync(Buffer.from(long)))).toBe(long);
});

it("refuses bytes that would become longer than they say, and bytes that it did not make", () => {
  const packed = Buffer.from(packText("b".repeat(5_000)) as Buffer);
  packed.writeUInt16LE(100, 1);
  expect(() => unpackText(packed)).toThrow();
  expect(() => unpackText(Buffer.from([1, 2, 3, 4, 5]))).toThrow();
  expect(() => unpackText(Buffer.from([7, 2, 3, 4, 5]))).toThrow();
});
