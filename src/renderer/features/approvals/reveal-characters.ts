/** Finds characters that make a command look like something it is not: hidden, bidirectional and look-alike ones. */

export type TextPart = { text: string; hidden?: { code: string; name: string } };

const names: Record<number, string> = {
  0: "null",
  7: "bell",
  8: "backspace",
  11: "vertical tab",
  12: "form feed",
  13: "carriage return",
  27: "escape",
  127: "delete",
  160: "no-break space",
  173: "soft hyphen",
  8203: "zero-width space",
  8204: "zero-width non-joiner",
  8205: "zero-width joiner",
  8206: "left-to-right mark",
  8207: "right-to-left mark",
  8232: "line separator",
  8233: "paragraph separator",
  8234: "left-to-right embedding",
  8235: "right-to-left embedding",
  8236: "end of direction",
  8237: "left-to-right override",
  8238: "right-to-left override",
  8288: "word joiner",
  8294: "left-to-right isolate",
  8295: "right-to-left isolate",
  8296: "first strong isolate",
  8297: "end of isolate",
  65279: "byte order mark",
};

// Controls but tab and newline, every format character, odd spaces and separators, private use, unassigned.
const hidden =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]|\p{Variation_Selector}|[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u115f\u1160\u3164\uffa0]/u;
const word = /[\p{L}\p{M}\p{N}]+/gu;
const latin = /\p{Script=Latin}/u;
const otherAlphabet = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;
// Full-width forms, dashes and quotes that a shell does not read as the ASCII ones they look like.
const looksAscii = /[\uff01-\uff5e\u2010-\u2015\u2212\u2018\u2019\u201c\u201d\u2044\u2215\u037e\u2024]/u;

/**
 * Splits text into plain parts and single characters that must be pointed out.
 * Text without any comes back as one part, unchanged; joined, the parts are always the input.
 */
export function revealCharacters(text: string): TextPart[] {
  if (!/[^\t\n\x20-\x7e]/.test(text)) return [{ text }];
  const suspects = findLookAlikes(text);
  const parts: TextPart[] = [];
  let plain = "";
  let index = 0;
  for (const character of text) {
    const note = noteOf(character, suspects.has(index));
    index += character.length;
    if (!note) {
      plain += character;
      continue;
    }
    if (plain) parts.push({ text: plain });
    plain = "";
    parts.push({ text: character, hidden: note });
  }
  if (plain) parts.push({ text: plain });
  return parts;
}

/** Positions of letters of another alphabet inside a word that also has Latin ones, or that has no other letters than look-alikes. */
function findLookAlikes(text: string): Set<number> {
  const found = new Set<number>();
  for (const match of text.matchAll(word)) {
    if (!otherAlphabet.test(match[0]) || !latin.test(match[0])) continue;
    let index = match.index;
    for (const character of match[0]) {
      if (otherAlphabet.test(character)) found.add(index);
      index += character.length;
    }
  }
  return found;
}

function noteOf(character: string, lookAlike: boolean): TextPart["hidden"] {
  if (character === "\n" || character === "\t") return undefined;
  const point = character.codePointAt(0) ?? 0;
  const code = `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
  if (hidden.test(character)) return { code, name: names[point] ?? "hidden character" };
  if (lookAlike) return { code, name: `looks like a Latin letter: ${character}` };
  if (looksAscii.test(character)) return { code, name: `looks like plain ASCII: ${character}` };
  return undefined;
}
