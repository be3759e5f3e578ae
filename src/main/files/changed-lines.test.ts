/** Line counts agree with the texts they count, and stay quick on the worst of them. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runsOf } from "../base/testing/long-run.ts";
import { measureGrowth, quadraticGrowth } from "../testing/growth.ts";
import { changedLines, countChangedLines, splitLines, trimCommon } from "./changed-lines.ts";

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

  it("look at the lines from the first that differs to the last, however long the texts around them are", () => {
    const piece = fc.constantFrom("a\n", "b\n", "\n", "ab", "a", "x".repeat(5_000), "a\n".repeat(3_000));
    const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
    const pair = fc.oneof(
      fc.tuple(text, text),
      fc
        .tuple(text, text, text, text)
        .map(([head, old, fresh, tail]): [string, string] => [head + old + tail, head + fresh + tail]),
    );
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const { old, fresh } = trimCommon(splitLines(before), splitLines(after));
        expect(changedLines(before, after)).toEqual([old.join(""), fresh.join("")]);
      }),
      { numRuns: runsOf(500) },
    );
  });

  it("are all of them in a text that is too large to be compared line by line", () => {
    const before = "same\n".repeat(400_000);
    expect(countChangedLines(before, `new\n${before.slice(0, -5)}new`)).toEqual({
      added: 400_001,
      removed: 400_000,
    });
    expect(countChangedLines(before, `${before}new`)).toEqual({ added: 1, removed: 0 });
    expect(countChangedLines(before, "other\n")).toEqual({ added: 1, removed: 400_000 });
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
