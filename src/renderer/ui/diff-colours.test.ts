/** Colours never change what a line of a difference says, nor which of its words are marked as changed. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { colourParts } from "./diff-colours.ts";

const part = fc.record({ text: fc.string({ maxLength: 8 }), changed: fc.constantFrom(undefined, true) });
const token = fc.record({
  text: fc.string({ maxLength: 5 }),
  color: fc.constantFrom(undefined, "red", "blue"),
});

/** Each character with its mark. */
const marked = (parts: readonly { text: string; changed?: boolean }[]) =>
  parts.flatMap(({ text, changed }) => [...text].map((character) => [character, changed === true]));

it("keeps every character and its mark, whatever the tokens say", () => {
  fc.assert(
    fc.property(fc.array(part), fc.array(token), (parts, tokens) => {
      expect(marked(colourParts(parts, tokens))).toEqual(marked(parts));
    }),
  );
});

it("colours what did not change as its own line of code", () => {
  fc.assert(
    fc.property(fc.array(token), fc.array(fc.nat(12)), (tokens, cuts) => {
      const text = tokens.map((one) => one.text).join("");
      const places = [...new Set([0, ...cuts.filter((at) => at < text.length), text.length])].toSorted(
        (a, b) => a - b,
      );
      const parts = places.slice(1).map((end, at) => ({ text: text.slice(places[at], end) }));
      const colours = colourParts(parts, tokens).flatMap((piece) => [...piece.text].map(() => piece.color));
      expect(colours).toEqual(tokens.flatMap((one) => [...one.text].map(() => one.color)));
    }),
  );
});

it("leaves changed words to their mark, and a line that the tokens do not say without colours", () => {
  const tokens = [
    { text: "const ", color: "red" },
    { text: "x", color: "blue" },
  ];
  expect(colourParts([{ text: "const " }, { text: "x", changed: true }, { text: "\r" }], tokens)).toEqual([
    { text: "const ", color: "red" },
    { text: "x", changed: true, color: undefined },
    { text: "\r", color: undefined },
  ]);
  const other = [{ text: "rm -rf /" }];
  expect(colourParts(other, tokens)).toBe(other);
});
