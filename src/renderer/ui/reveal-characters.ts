/** Finds characters that make a text look like something it is not: hidden, bidirectional and look-alike ones. */

/** hidden: it shows nothing or turns what follows · letter: of another alphabet or width · sign: a dash or quote of print. */
type HiddenCharacter = { code: string; name: string; kind: "hidden" | "letter" | "sign" };
export type TextPart = { text: string; hidden?: HiddenCharacter };

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
const fullWidth = /[\uff01-\uff5e]/u;
// Dashes, quotes and signs that a shell does not read as the ASCII ones they look like.
const looksAscii = /[\u2010-\u2015\u2212\u2018\u2019\u201c\u201d\u2044\u2215\u037e\u2024]/u;
// An emoji may be joined of several and end in the mark that gives it colour; neither hides anything.
const emoji = /\p{Extended_Pictographic}\ufe0f?(?:\u200d\p{Extended_Pictographic}\ufe0f?)*/gu;

/**
 * Splits text into plain parts and single characters that must be pointed out.
 * Text without any comes back as one part, unchanged; joined, the parts are always the input.
 */
export function revealCharacters(text: string): TextPart[] {
  if (!/[^\t\n\x20-\x7e]/.test(text)) return [{ text }];
  const suspects = findLookAlikes(text);
  const harmless = findInsideEmoji(text);
  const parts: TextPart[] = [];
  let plain = "";
  let index = 0;
  for (const character of text) {
    const note = harmless.has(index) ? undefined : noteOf(character, suspects.has(index));
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

/**
 * The same for a text that comes in pieces, such as the marked words of a line: what is misleading is found in the
 * whole, since a letter of another alphabet is only one beside Latin ones.
 * @returns the parts of each piece; joined, they are that piece.
 */
export function revealInPieces(pieces: readonly string[]): TextPart[][] {
  const parts = revealCharacters(pieces.join(""));
  let part = 0;
  let from = 0;
  return pieces.map((piece) => {
    const found: TextPart[] = [];
    let missing = piece.length;
    while (missing > 0) {
      const { text, hidden } = parts[part]!;
      const taken = text.slice(from, from + missing);
      if (taken) found.push({ text: taken, ...(hidden && { hidden }) });
      missing -= taken.length;
      from += taken.length;
      if (from < text.length) continue;
      part += 1;
      from = 0;
    }
    return found;
  });
}

function findInsideEmoji(text: string): Set<number> {
  const found = new Set<number>();
  for (const { 0: match, index } of text.matchAll(emoji))
    for (let at = index + 1; at < index + match.length; at += 1) found.add(at);
  return found;
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
  if (hidden.test(character)) return { code, name: names[point] ?? "hidden character", kind: "hidden" };
  if (lookAlike) return { code, name: `looks like a Latin letter: ${character}`, kind: "letter" };
  const name = `looks like plain ASCII: ${character}`;
  if (fullWidth.test(character)) return { code, name, kind: "letter" };
  if (looksAscii.test(character)) return { code, name, kind: "sign" };
  return undefined;
}
