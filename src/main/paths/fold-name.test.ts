/** Names that a disk takes for one have one key. */
import { describe, expect, it } from "vitest";
import { foldName } from "./fold-name.ts";

describe("the key of a name", () => {
  it("is the same for each form in which a disk may keep the characters", () => {
    // The iota below a letter becomes a letter of its own when it is folded, and marks change their order by form.
    const marks = ["", "\u0345", "\u0301\u0345", "\u0323\u0307"];
    const different: string[] = [];
    for (let code = 0x80; code < 0x1_0000; code += 1) {
      if (code >= 0xd800 && code < 0xe000) continue;
      for (const mark of marks) {
        const text = String.fromCodePoint(code) + mark;
        const keys = new Set([text, text.normalize("NFC"), text.normalize("NFD")].map(foldName));
        if (keys.size > 1) different.push(text);
      }
    }
    expect(different).toEqual([]);
  });

  it("is its own key", () => {
    const names = ["\u017f", "\u00df", "\u212a", "\ufb06", "\u0130", "\u03a3", "\u00c9", "A"];
    for (const name of names) expect(foldName(foldName(name))).toBe(foldName(name));
  });
});
