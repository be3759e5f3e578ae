/** Line counts agree with the texts they count, and stay quick on the worst of them. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
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

  it("stay quick on large texts that share nothing", () => {
    const before = Array.from({ length: 20_000 }, (_, index) => `old ${index}\n`).join("");
    const after = Array.from({ length: 20_000 }, (_, index) => `new ${index}\n`).join("");
    const started = performance.now();
    expect(countChangedLines(before, after)).toEqual({ added: 20_000, removed: 20_000 });
    expect(performance.now() - started).toBeLessThan(500);
  });
});
