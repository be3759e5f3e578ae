/** What is kept of JSON whose strings were cut on their way can be read, and each string in it began so. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { anyCharacter } from "../../shared/testing/any-character.ts";
import { utf8Bytes } from "../../shared/wire/json-bytes.ts";
import { LongStringCutter } from "./pending-frame.ts";

const text = fc.string({ unit: "grapheme-composite", maxLength: 60 });
const odd = fc
  .array(fc.constantFrom('"', "\\", "\\u", "\n", "\u0001", "人", "🌍", "\ud800", "a"))
  .map((parts) => parts.join(""));
const value = fc.jsonValue({ stringUnit: anyCharacter });
const json = fc.record({ said: text, odd, list: fc.array(odd), value });

/** As other programs write it: with everything but ASCII escaped. */
function escapeAll(written: string): string {
  return written.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A decoder of bytes parts no pair. */
function* piecesOf(whole: string, lengths: readonly number[]): Generator<string> {
  const characters = Array.from(whole);
  let from = 0;
  for (let index = 0; from < characters.length; index += 1) {
    const length = lengths[index % lengths.length]!;
    yield characters.slice(from, from + length).join("");
    from += length;
  }
}

/** Each string of the one is how the other's in its place begins, short of the limit by less than a character. */
function expectBeginnings(kept: unknown, given: unknown, mostBytes: number): void {
  if (typeof kept === "string" && typeof given === "string") {
    expect(given.startsWith(kept)).toBe(true);
    if (kept !== given) expect(utf8Bytes(kept)).toBeGreaterThan(mostBytes - 4);
    // Half a pair that stays alone is read as more than it counts.
    expect(utf8Bytes(kept)).toBeLessThanOrEqual(mostBytes * 1.5);
  } else if (typeof kept === "object" && kept !== null && typeof given === "object" && given !== null) {
    const [ours, theirs] = [Object.values(kept), Object.values(given)];
    expect(ours).toHaveLength(theirs.length);
    for (const [index, one] of ours.entries()) expectBeginnings(one, theirs[index], mostBytes);
  } else expect(kept).toEqual(given);
}

const lengths = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 });

it("leaves JSON whole whose strings are short, however it arrives", () => {
  fc.assert(
    fc.property(json, lengths, fc.boolean(), (given, cuts, escaped) => {
      const written = escaped ? escapeAll(JSON.stringify(given)) : JSON.stringify(given);
      const cutter = new LongStringCutter(100_000);
      expect([...piecesOf(written, cuts)].map((piece) => cutter.take(piece)).join("")).toBe(written);
    }),
  );
});

it("keeps the beginning of each long string, and JSON", () => {
  fc.assert(
    fc.property(
      fc.array(odd),
      lengths,
      fc.integer({ min: 8, max: 20 }),
      fc.boolean(),
      (given, cuts, most, escaped) => {
        const written = escaped ? escapeAll(JSON.stringify(given)) : JSON.stringify(given);
        const cutter = new LongStringCutter(most);
        const kept = [...piecesOf(written, cuts)].map((piece) => cutter.take(piece)).join("");
        expectBeginnings(JSON.parse(kept), given, most);
      },
    ),
  );
});

it("costs no more than it reads, however long the string", () => {
  const cutter = new LongStringCutter(10);
  let kept = cutter.take('{"a":"');
  for (let piece = 0; piece < 1_000; piece += 1) kept += cutter.take("x\\n".repeat(100));
  expect(kept + cutter.take('","b":1}')).toBe(`{"a":"${"x\\n".repeat(5)}","b":1}`);
});
