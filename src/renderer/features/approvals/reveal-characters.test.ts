/** A command must never read as something else than what would run. */
import { describe, expect, it } from "vitest";
import { revealCharacters } from "./reveal-characters.ts";

const join = (text: string) =>
  revealCharacters(text)
    .map((part) => part.text)
    .join("");
const noted = (text: string) =>
  revealCharacters(text)
    .filter((part) => part.hidden)
    .map((part) => part.hidden?.code);

describe("revealCharacters", () => {
  it("keeps a plain command in one piece, newlines and tabs included", () => {
    expect(revealCharacters("npm test\n\t&& ls")).toEqual([{ text: "npm test\n\t&& ls" }]);
  });

  it("points out a right-to-left override", () => {
    expect(noted("rm \u202Efdp.txt")).toEqual(["U+202E"]);
  });

  it("points out zero-width and tag characters, escapes and carriage returns", () => {
    expect(noted("a\u200Bb\u{E0041}c\u001B[2Kd\re")).toEqual(["U+200B", "U+E0041", "U+001B", "U+000D"]);
  });

  it("points out a Cyrillic letter inside a Latin word, but not a Cyrillic word", () => {
    expect(noted("curl ex\u0430mple.com")).toEqual(["U+0430"]);
    expect(noted("echo привет")).toEqual([]);
  });

  it("points out dashes and full-width letters that only look like the ASCII ones", () => {
    expect(noted("rm \u2013rf \uFF41")).toEqual(["U+2013", "U+FF41"]);
  });

  it("leaves letters with accents and other scripts alone", () => {
    expect(noted("echo Grüße 日本語 🙂")).toEqual([]);
  });

  it("never loses a character", () => {
    const text = "a\u202E\u{E0041}\u0430b 🙂\r\n";
    expect(join(text)).toBe(text);
  });
});
