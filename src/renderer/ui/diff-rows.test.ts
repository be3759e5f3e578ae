/** A diff a person approves by must be the real one. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffRows, endsLinesInCrLf, numbersOf } from "./diff-rows.ts";

const text = (rows: ReturnType<typeof diffRows>, kind: string) =>
  rows.filter((row) => row.kind === kind).map((row) => row.parts.map((part) => part.text).join(""));

describe("diffRows", () => {
  it("numbers both sides and marks only the changed words", () => {
    const rows = diffRows("a\nlet port = 80;\nc\n", "a\nlet port = 8080;\nc\n");
    expect(rows.map((row) => [row.kind, row.before, row.after])).toEqual([
      ["same", 1, 1],
      ["remove", 2, undefined],
      ["add", undefined, 2],
      ["same", 3, 3],
    ]);
    expect(rows[2]?.parts.filter((part) => part.changed).map((part) => part.text)).toEqual(["8080"]);
  });

  it("marks the words of a line that others joined, beside the one that is most like it, and of none that is unlike", () => {
    const marked = (before: string, after: string) =>
      diffRows(before, after).flatMap(({ kind, parts }) =>
        parts.filter(({ changed }) => changed).map(({ text }) => `${kind} ${text}`),
      );
    const limit = "  if (total > 1000) throw new LimitError(total);\n";
    const changed = "  // A share of the line.\n  if (total > maximum) throw new LimitError(total);\n";
    expect(marked(limit, changed)).toEqual(["remove 1000", "add maximum"]);
    expect(marked("keep this line\n", "entirely other words\nand more of them\n")).toEqual([]);
    expect(marked("合计 大于 一千\n", "第一 行\n合计 大于 两千\n")).toEqual(["remove 一", "add 两"]);
  });

  it("shows a new file as added lines only and a deleted one as removed lines only", () => {
    expect(diffRows("", "x\ny\n").map((row) => row.kind)).toEqual(["add", "add"]);
    expect(diffRows("x\n", "").map((row) => row.kind)).toEqual(["remove"]);
  });

  it("has the numbers of one side alone where the other has no lines", () => {
    expect(numbersOf(diffRows("", "x\ny\n"))).toEqual(["after"]);
    expect(numbersOf(diffRows("x\n", ""))).toEqual(["before"]);
    expect(numbersOf(diffRows("x\n", "y\n"))).toEqual(["before", "after"]);
  });

  it("says how many unchanged lines it leaves out", () => {
    expect(text(diffRows("0\n1\n2\n3\nx\n", "0\n1\n2\n3\ny\n"), "gap")).toEqual(["1 unchanged line"]);
    const lines = Array.from({ length: 50 }, (_, index) => `line ${index}`);
    const rows = diffRows(
      lines.join("\n"),
      [...lines.slice(0, 40), "changed", ...lines.slice(41)].join("\n"),
    );
    expect(text(rows, "gap")).toEqual(["37 unchanged lines"]);
    expect(text(rows, "add")).toEqual(["changed"]);
  });

  it("says when the line end at the end of the file goes away", () => {
    expect(text(diffRows("a\n", "a"), "gap")).toEqual(["no line end at the end of the file"]);
  });
});

describe("endsLinesInCrLf", () => {
  it("holds only when every line of both sides ends so, so that a change of line ends is seen", () => {
    expect(endsLinesInCrLf("a\r\nb\r\n", "a\r\nc\r\n")).toBe(true);
    expect(endsLinesInCrLf("", "a\r\n")).toBe(true);
    expect(endsLinesInCrLf("a\r\n", "a\n")).toBe(false);
    expect(endsLinesInCrLf("a\r\nb\n", "a\r\nb\n")).toBe(false);
    expect(endsLinesInCrLf("", "a\r")).toBe(false);
  });
});

describe("a part of a file", () => {
  it("has the rows and numbers that the whole file has", () => {
    const edits = fc.array(fc.record({ at: fc.nat(39), put: fc.constantFrom("", "new", "two\nnew") }), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(edits, (changes) => {
        const before = Array.from({ length: 40 }, (_, at) => `line ${at}\n`);
        const after = before.map((line, at) => {
          const put = changes.find((one) => one.at === at)?.put;
          return put === undefined ? line : put && `${put} ${at}\n`;
        });
        const changed = before.flatMap((line, at) => (line === after[at] ? [] : at));
        const [from, to] = [Math.max(0, Math.min(...changed) - 3), Math.max(...changed) + 4];
        const part = (lines: string[]) => lines.slice(from, to).join("");
        expect(diffRows(part(before), part(after), from + 1)).toEqual(
          diffRows(before.join(""), after.join("")),
        );
      }),
    );
  });
});
