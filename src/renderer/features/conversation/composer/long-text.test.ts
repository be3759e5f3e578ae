/** What is sent is exactly what was pasted, whatever it holds. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Pasted } from "../../../../shared/contract/drafts.ts";
import { anyCharacter } from "../../../../shared/testing/any-character.ts";
import { countLines, expand, isLong, markerOf, nameFor, partsIn } from "./long-text.ts";

function holdAll(texts: readonly (readonly [wanted: string, text: string])[]): Pasted[] {
  const pasted: Pasted[] = [];
  for (const [wanted, text] of texts) pasted.push({ name: nameFor(wanted, pasted), text });
  return pasted;
}

it("a message of any words and any pasted texts is sent exactly, also where they hold names of each other", () => {
  const piece = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.constantFrom("[Pasted 1]", "[Pasted 2]", "$&", "[", "]"),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 5 }),
      fc.array(fc.string(), { minLength: 6, maxLength: 6 }),
      (texts, between) => {
        const pasted = holdAll(texts.map((text) => ["", text]));
        const words = between.map((one) => one.replace(/[[\]]/g, ""));
        const field = pasted.map((one, at) => words[at] + markerOf(one)).join("") + words[5];
        expect(expand(field, pasted)).toBe(texts.map((text, at) => words[at] + text).join("") + words[5]);
        expect(partsIn(field, pasted)).toEqual(pasted);
      },
    ),
  );
});

it("a name is one line without brackets and hidden characters, and no two are the same", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: anyCharacter }), { maxLength: 4 }), (wanted) => {
      const pasted = holdAll(wanted.map((name) => [name, name]));
      for (const { name } of pasted) expect(name).toMatch(/^[^[\]\p{C}]{1,100}$/u);
      expect(new Set(pasted.map(({ name }) => name)).size).toBe(pasted.length);
    }),
  );
});

it("what would fill the field is long", () => {
  expect([countLines(""), countLines("a\n"), countLines("a\r\nb")]).toEqual([1, 1, 2]);
  expect([isLong("x\n".repeat(12)), isLong("x\n".repeat(13)), isLong("x".repeat(2_001))]).toEqual([
    false,
    true,
    true,
  ]);
});
