import { expect, it } from "vitest";
import { withoutMarks } from "./without-marks.ts";

it("leaves the words of headings, lists, quotes, tables, bold text and code, each on its line", () => {
  const text =
    "## Result\n\n> - All **read**, in `total.ts`.\n```ts\nconst a = 1;\n```\n| File | Lines |\n| --- | --: |\n| a.md | 3 |\n---";
  expect(withoutMarks(text).replace(/ +/g, " ").split("\n")).toEqual([
    "Result",
    "",
    "All read, in total.ts.",
    "const a = 1;",
    " File · Lines ",
    " a.md · 3 ",
  ]);
});

it.each([
  "rm *.txt and **.log",
  "a `b and c",
  "#1 is done, --force is not",
  "-x",
  "a | b",
  "[the plan](https://example.com/plan)",
  "__init__ of 2 * 3 * 4",
  "* ",
])("leaves what marks nothing as it is, such as %j", (text) => {
  expect(withoutMarks(text)).toBe(text === "* " ? "" : text);
});
