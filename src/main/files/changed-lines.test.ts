/** Line counts agree with the texts they count, and stay quick on the worst of them. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measureGrowth, quadraticGrowth } from "../testing/growth.ts";
import { countChangedLines } from "./changed-lines.ts";

describe("line counts", () => {
  it("always account for the difference in length", () => {
    const text = fc
      .array(fc.constantFrom("a\n", "b\n", "c\n", "d"), { maxLength: 12 })
      .map((lines) => lines.join(""));
    const lines = (value: string) => (value === "" ? 0 : value.replace(/\n$/, "").split("\n").length);
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { added, removed } = countChangedLines(before, after);
        expect(lines(after) - lines(before)).toBe(added - removed);
        if (before === after) expect(added + removed).toBe(0);
      }),
    );
  });

  it("take time by the length of texts that share nothing, not by its square", () => {
    const lines = (name: string, length: number) =>
      Array.from({ length }, (_, index) => `${name} ${index}\n`).join("");
    const count = (length: number) => {
      const counts = countChangedLines(lines("old", length), lines("new", length));
      expect(counts).toEqual({ added: length, removed: length });
    };
    expect(measureGrowth(count, 5_000)).toBeLessThan(quadraticGrowth / 2);
  });
});
