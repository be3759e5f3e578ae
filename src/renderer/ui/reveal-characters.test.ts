/** A command or a change must never read as something else than what it is. */
import { describe, expect, it } from "vitest";
import { revealCharacters, revealInPieces } from "./reveal-characters.ts";

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

  it("points out a word that reads as a Latin one although no letter of it is", () => {
    expect(noted("git \u0441\u0440 a").length).toBe(2);
    expect(noted("curl https://\u0430\u0440\u0440\u04cf\u0435.com").length).toBe(5);
    expect(noted("cp \u03bf.txt").length).toBe(1);
    // Beside a word that is of that alphabet, it is one too, unless it stands in a Latin address or path.
    expect(noted("сор и хор на дворе")).toEqual([]);
    expect(noted("rm сор.txt # привет").length).toBe(3);
  });

  it("points out whatever is another form of one ASCII letter, digit or sign", () => {
    const forms = [
      "\u{1D41C}",
      "\u{1D7CE}",
      "\u{1D5AE}",
      "\u212A",
      "\u017F",
      "\u2113",
      "\uFF41",
      "\uFE69",
      "\uFE60",
      "\u2024",
    ];
    const drawn = [
      "\u2215",
      "\u2216",
      "\u2217",
      "\u2223",
      "\u223C",
      "\u2236",
      "\uA789",
      "\u01C3",
      "\u02BC",
      "\u2032",
      "\u29F8",
    ];
    for (const form of [...forms, ...drawn]) expect(noted(`a ${form} b`), form).toHaveLength(1);
  });

  it("leaves alone what print uses for itself", () => {
    expect(noted("5 m² ½ ① … ™ № 1º ﬁn ≤ × ÷ → ✓ € ├── a │")).toEqual([]);
  });

  it("leaves letters with accents and other scripts alone", () => {
    expect(noted("echo Grüße 日本語 🙂")).toEqual([]);
  });

  it("leaves an emoji alone that is joined of several, but not a joiner between letters", () => {
    expect(noted("echo \u26A0\uFE0F \u{1F469}\u200D\u{1F4BB}")).toEqual([]);
    expect(noted("a\u200Db\uFE0F")).toEqual(["U+200D", "U+FE0F"]);
  });

  it("points out every character that shows nothing wherever it stands in a text that acts, also in an emoji and in a flag", () => {
    const flag = "\u{1F3F4}\u{E0067}\u{E0062}\u{E007F}";
    const exact = (text: string) =>
      revealCharacters(text, { exact: true }).flatMap(({ hidden }) => hidden?.code ?? []);
    expect(exact("rm \u2620\uFE0F \u{1F469}\u200D\u{1F4BB}")).toEqual(["U+FE0F", "U+200D"]);
    expect(exact(flag)).toEqual(["U+E0067", "U+E0062", "U+E007F"]);
    expect(noted(flag)).toEqual(["U+E0067", "U+E0062", "U+E007F"]);
    expect(noted("\u{1F642}\uFE0F\uFE0F\u{E0101}")).toEqual(["U+FE0F", "U+E0101"]);
    const showNothing = /\p{Default_Ignorable_Code_Point}|\p{Cf}/u;
    for (let point = 0x80; point <= 0xe0fff; point += 1) {
      const character = String.fromCodePoint(point);
      if (!showNothing.test(character)) continue;
      for (const before of ["a", "\u2620", "\u{1F642}"])
        if (exact(before + character).length !== 1) expect.fail(`U+${point.toString(16)} is not pointed out`);
    }
  });

  it("points out marks that are drawn over what stands around them, strike a letter out or show nothing", () => {
    expect(noted(`x${"\u0300".repeat(5)}`)).toEqual(["U+0300", "U+0300"]);
    expect(noted("echo \u0301\u0302")).toEqual(["U+0301", "U+0302"]);
    expect(noted("a\u0336b 1\u20dd")).toEqual(["U+0336", "U+20DD"]);
    expect(noted("a\u034fb\u2800c\u17b4")).toEqual(["U+034F", "U+2800", "U+17B4"]);
  });

  it("leaves the marks alone that a script needs", () => {
    for (const text of ["e\u0301a\u0302\u0301", "ที่นี่ ก็", "שָׁלוֹם", "हिन्दी क्षि", "བསྒྲུབས", "வணக்கம்", "مُحَمَّد"])
      expect(noted(text), text).toEqual([]);
  });

  it("tells apart what hides, what is of another alphabet, and what print uses", () => {
    const kinds = revealCharacters("a\u202E ex\u0430mple \u2014").flatMap(({ hidden }) => hidden?.kind ?? []);
    expect(kinds).toEqual(["hidden", "letter", "sign"]);
  });

  it("leaves the marks of a Chinese, Japanese or Korean sentence alone, and takes no others of full width for them", () => {
    const kindsOf = (text: string) =>
      revealCharacters(text, { exact: true }).flatMap(({ hidden }) => hidden?.kind ?? []);
    expect(kindsOf("请先看这里：（重要）好吗？可以！名称，地址；東京～大阪。カタカナ！？한국어，")).toEqual(
      [],
    );
    expect(kindsOf("curl https：//a.com；rm （x）")).toEqual(["sign", "sign", "sign", "sign"]);
    expect(kindsOf("ｅxample．com／１")).toEqual(["letter", "letter", "letter", "letter"]);
  });

  it("points those marks out in a command wherever the sign that they look like would part or end something", () => {
    const inCommand = (text: string) =>
      revealCharacters(text, { exact: true, runs: true }).flatMap(({ hidden }) =>
        hidden ? hidden.code : [],
      );
    expect(inCommand("rm 旧；rm 新")).toEqual(["U+FF1B"]);
    expect(inCommand("（cd 資料）")).toEqual(["U+FF08", "U+FF09"]);
    expect(inCommand("rm -r 备份～")).toEqual(["U+FF5E"]);
    // Between quotes the sign itself would be none.
    expect(inCommand("git commit -m '修复：登录（重要）'")).toEqual([]);
    expect(inCommand('echo "完成；" 旧；x')).toEqual(["U+FF1B"]);
    // What looks like quotes and is none.
    for (const text of [
      "echo \\' 旧；新 '",
      "# it's\necho 旧；新 # it's",
      "cat <<\"'\"\n'\n旧；新'",
      "echo '旧；新",
    ])
      expect(inCommand(text), text).toEqual(["U+FF1B"]);
  });

  it("never loses a character", () => {
    const text = "a\u202E\u{E0041}\u0430b 🙂\r\n";
    expect(join(text)).toBe(text);
  });
});

describe("revealInPieces", () => {
  const codes = (pieces: string[]) =>
    revealInPieces(pieces).map((parts) => parts.flatMap(({ hidden }) => hidden?.code ?? []));

  it("finds a letter of another alphabet in a piece of its own, by the Latin ones around it", () => {
    expect(codes(["curl ex", "\u0430", "mple.com"])).toEqual([[], ["U+0430"], []]);
  });

  it("gives back each piece whole, whatever stands on its edges", () => {
    const pieces = ["", "ab\u202E", "\u202Ec", "\u{E0041}", "", "\u{1F642}d", "\u200B"];
    const joined = revealInPieces(pieces).map((parts) => parts.map(({ text }) => text).join(""));
    expect(joined).toEqual(pieces);
    expect(codes(pieces)).toEqual([[], ["U+202E"], ["U+202E"], ["U+E0041"], [], [], ["U+200B"]]);
  });
});
