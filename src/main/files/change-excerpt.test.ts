/** An excerpt put in place of its lines makes the one text of the other, wherever the change is. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { excerptOf } from "./change-excerpt.ts";

const text = fc
  .array(fc.constantFrom("a\n", "b\n", "c\r\n", "\n", "d"), { maxLength: 14 })
  .map((lines) => lines.join(""));

it("says what stood where, so that the new text follows from the old one", () => {
  fc.assert(
    fc.property(text, text, fc.nat(4), (before, after, context) => {
      const excerpt = excerptOf(before, after, context);
      expect(excerpt === undefined).toBe(before === after);
      if (excerpt === undefined) return;
      const { line, before: old, after: fresh } = excerpt;
      const head = before
        .split(/(?<=\n)/)
        .slice(0, line - 1)
        .join("");
      expect(before.startsWith(old, head.length)).toBe(true);
      expect(head + fresh + before.slice(head.length + old.length)).toBe(after);
    }),
  );
});

it("keeps nothing around the change without context", () => {
  expect(excerptOf("a\nKEY=1\nSECRET=2\nb\n", "a\nKEY=3\nSECRET=2\nb\n", 0)).toEqual({
    line: 2,
    before: "KEY=1\n",
    after: "KEY=3\n",
  });
});

it("is nothing for what was not there before, and for what is long", () => {
  expect(excerptOf(null, "a\n", 3)).toBeUndefined();
  expect(excerptOf("", "line\n".repeat(10_000), 3)).toBeUndefined();
});
