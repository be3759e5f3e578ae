import fc from "fast-check";
import { expect, it } from "vitest";
import { anyCharacter } from "../../../shared/testing/any-character.ts";
import { withoutMarks } from "../../base/without-marks.ts";
import { endOfWords } from "./gated-call.ts";

it("is the words on one line, and nothing where nothing was said", () => {
  expect(endOfWords("  The cart needs a column.\n\n\n\nI back up first. ")).toEqual({
    text: "The cart needs a column. I back up first.",
  });
  expect(["", " \n\t\u2028\n "].map(endOfWords)).toEqual([undefined, undefined]);
});

it("has none of the marks that a card would show as they are written", () => {
  expect(endOfWords("## Release\n\nThe **tag** first, then `git push`.")).toEqual({
    text: "Release The tag first, then git push.",
  });
});

it.each([
  ["long", `${"First I look. ".repeat(100)}Now I write.`, "Now I write."],
  ["Chinese", `${"先看一下。".repeat(400)}现在写入。`, "现在写入。"],
  ["wide", `${"👩‍💻".repeat(300)} done`, "done"],
  ["one word", "x".repeat(3_000_000), "x"],
])("keeps the end of what is %s, and says how much stands before it", (_, text, end) => {
  const said = endOfWords(text);
  expect(said?.text.endsWith(end)).toBe(true);
  const kept = Buffer.byteLength(said?.text ?? "");
  expect(kept).toBeLessThanOrEqual(480);
  expect(said?.leftOut).toBe(Buffer.byteLength(text) - kept);
});

it("is bounded, well formed and on one line for any text, and says it where something is missing", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 1_500 }), (text) => {
      const said = endOfWords(text);
      if (!said) {
        expect(withoutMarks(text).trim()).toBe("");
        return;
      }
      expect(Buffer.byteLength(said.text)).toBeLessThanOrEqual(480);
      expect(said.text.isWellFormed()).toBe(true);
      expect(said.text).not.toMatch(/[\n\r\u2028\u2029]/);
      if (said.leftOut === undefined) expect(said.text).toBe(withoutMarks(text).replace(/\s+/gu, " ").trim());
    }),
  );
});
