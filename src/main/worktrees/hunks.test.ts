import { expect, it } from "vitest";
import { hunksOf, withoutHunk } from "./hunks.ts";
import { many } from "./testing/test-home.ts";

it("one piece is put back, whatever stands around it", () => {
  const cases: [string, string][] = [
    ["", "a\n"],
    ["a\n", ""],
    ["a", "a\n"],
    [many(), many((line) => (line % 9 === 0 ? `x${line}` : String(line)))],
    [many(), `${many()}end`],
    ["a\r\nb\r\n", "a\r\nc\r\n"],
  ];
  for (const [before, after] of cases) {
    let text = after;
    for (let left = hunksOf(before, text); left.length > 0; left = hunksOf(before, text))
      text = withoutHunk(text, left[0]!);
    expect(text).toBe(before);
  }
});
