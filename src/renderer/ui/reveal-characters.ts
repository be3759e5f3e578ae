/** Finds characters that make a text look like something it is not: hidden, bidirectional and look-alike ones. */

/** hidden: it shows nothing or turns what follows · letter: of another alphabet or width · sign: a dash or quote of print. */
type HiddenCharacter = { code: string; name: string; kind: "hidden" | "letter" | "sign" };
export type TextPart = { text: string; hidden?: HiddenCharacter };

const names: Record<number, string> = {
  0: "null",
  9: "tab",
  10: "line end",
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

// Controls but tab and newline, every format character, what is drawn as nothing, odd spaces and separators, private
// use, unassigned. The last one is a pattern of Braille without a dot.
const hidden =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]|\p{Default_Ignorable_Code_Point}|[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u2800]/u;
// Marks are drawn over the character before them: piled up, over the lines around it too. No script needs more on one.
const marks = /(?<base>[\p{L}\p{N}\p{Mc}]?)(?<run>[\p{Mn}\p{Me}]+)/gu;
const mostMarks = 3;
// Strokes through a character, and circles and signs around it, make it another one.
const overlay = /[\u0334-\u0338\u20d0-\u20ff\p{Me}]/u;
const word = /[\p{L}\p{M}\p{N}]+/gu;
const latin = /\p{Script=Latin}/u;
const otherAlphabet =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}\p{Script=Deseret}]/u;
// Letters of other alphabets that are drawn as a Latin one; a word of nothing else reads as a Latin word.
const drawnAsLatin = /^[асеорхуіјѕԁԛԝһӏАВЕКМНОРСТХІЈЅԌԚԜӀοαικνρυΑΒΕΖΗΙΚΜΝΟΡΤΥΧոսօհց]+$/u;
/** As many characters around a word as are looked at for Latin letters. */
const farthest = 200;
// Letters and digits of another width, weight or slant. Numbers above the line, in circles and in fractions read as such.
const plainLetter = /[\p{Lu}\p{Ll}\p{Nd}]/u;
const fullWidth = /[\uff01-\uff5e]/u;
// What Chinese, Japanese and Korean writers end and part their sentences with, in every text of theirs.
const fullWidthPrint = /[！（），：；？～]/u;
// Beside their letters these are what they look like, in a sentence and in the name of a file.
const printBesideLetters =
  /(?<=[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}])[！（），：；？～]+|[！（），：；？～]+(?=[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}])/gu;
// Between quotes a shell takes no sign for its own, of no width. What a comment or a here-document does to quotes is not looked at.
const quotedWords = /\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*"/g;
const endsQuoting = /#|<</;
// Dashes, quotes and signs that a shell does not read as the ASCII ones they look like, and that no form of Unicode
// takes for them.
const looksAscii =
  /[\u2010-\u2015\u2212\u2018-\u201b\u201c-\u201f\u2032\u2035\u2039\u203a\u2044\u204e\u204f\u2215-\u2217\u2223\u2236\u223c\u2571\u2572\u29f5\u29f8\u01c0\u01c3\u02b9-\u02bc\u02c8\ua4f8\ua789]/u;
// An emoji may be joined of several and end in the mark that gives it colour; neither hides anything.
const emoji = /\p{Extended_Pictographic}\ufe0f?(?:\u200d\p{Extended_Pictographic}\ufe0f?)*/gu;

/**
 * `oneLine`: the text is a name or a path, in which a line end or a tab is pointed out like any other control. `exact`: it
 * acts by its very characters, so that what joins or colours an emoji is pointed out as well: without it it is another name.
 * `runs`: a shell reads it, which takes none of the marks of a Chinese sentence for the signs they look like: they are
 * pointed out wherever the sign would part, end or open something.
 */
type RevealOptions = { oneLine?: boolean; exact?: boolean; runs?: boolean };

/**
 * Splits text into plain parts and single characters that must be pointed out.
 * Text without any comes back as one part, unchanged; joined, the parts are always the input.
 */
export function revealCharacters(
  text: string,
  { oneLine = false, exact = false, runs = false }: RevealOptions = {},
): TextPart[] {
  if (!(oneLine ? /[^\x20-\x7e]/ : /[^\t\n\x20-\x7e]/).test(text)) return [{ text }];
  const suspects = findLookAlikes(text);
  const harmless = exact ? new Set<number>() : findInsideEmoji(text);
  for (const at of findPrint(text, runs)) harmless.add(at);
  const stray = findStrayMarks(text);
  const parts: TextPart[] = [];
  let plain = "";
  let index = 0;
  for (const character of text) {
    const note = harmless.has(index)
      ? undefined
      : noteOf(character, { lookAlike: suspects.has(index), stray: stray.has(index), oneLine });
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

/** The misleading characters of a text by name, each once; those of print are not. */
export function namesOfHidden(text: string): string[] {
  const found = revealCharacters(text).flatMap(({ hidden }) =>
    hidden && hidden.kind !== "sign" ? `${hidden.code} ${hidden.name}` : [],
  );
  return [...new Set(found)];
}

/** The same as a plain string, for where no element can stand: an option, a window title, the name of a control. */
export function spellOut(text: string): string {
  return revealCharacters(text, { oneLine: true })
    .map(({ text: part, hidden }) => (hidden && hidden.kind !== "sign" ? `[${hidden.code}]` : part))
    .join("");
}

/**
 * The same for a text that comes in pieces, such as the marked words of a line: what is misleading is found in the
 * whole, since a letter of another alphabet is only one beside Latin ones.
 * @returns the parts of each piece; joined, they are that piece.
 */
export function revealInPieces(pieces: readonly string[], options?: RevealOptions): TextPart[][] {
  const parts = revealCharacters(pieces.join(""), options);
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

/** Positions of marks of a sentence beside its letters; in what a shell reads only those that it reads as no sign. */
function findPrint(text: string, runs: boolean): number[] {
  const isHarmless = runs && !endsQuoting.test(text) ? readsQuotes(text) : () => !runs;
  return [...text.matchAll(printBesideLetters)]
    .flatMap(({ 0: { length }, index }) => Array.from({ length }, (_, more) => index + more))
    .filter(isHarmless);
}

/** @returns whether a place of the text is between quotes. */
function readsQuotes(text: string): (at: number) => boolean {
  const around = text.replace(quotedWords, (found) => (found.length > 2 ? " ".repeat(found.length) : found));
  return (at) => around[at] !== text[at];
}

/**
 * Positions of letters of another alphabet inside a word that also has Latin ones, and of whole words that read as Latin
 * ones: where Latin letters stand beside them, as in a path or an address, or nothing in the text is of that alphabet.
 */
function findLookAlikes(text: string): Set<number> {
  const found = new Set<number>();
  const words = [...text.matchAll(word)].filter(([one]) => otherAlphabet.test(one));
  const isForeign = words.some(([one]) => !latin.test(one) && !drawnAsLatin.test(one));
  for (const match of words) {
    const readsAsLatin = drawnAsLatin.test(match[0]) && (!isForeign || isBesideLatin(text, match));
    if (!latin.test(match[0]) && !readsAsLatin) continue;
    let index = match.index;
    for (const character of match[0]) {
      if (otherAlphabet.test(character)) found.add(index);
      index += character.length;
    }
  }
  return found;
}

/** Whether Latin letters stand in the same stretch without a blank. */
function isBesideLatin(text: string, { 0: found, index }: RegExpExecArray): boolean {
  const before = /\S*$/u.exec(text.slice(Math.max(0, index - farthest), index))?.[0] ?? "";
  const after = /^\S*/u.exec(text.slice(index + found.length, index + found.length + farthest))?.[0] ?? "";
  return latin.test(before + after);
}

/** Positions of marks that stand on no letter, that are more than a letter takes, or that strike it out. */
function findStrayMarks(text: string): Set<number> {
  const found = new Set<number>();
  for (const { groups, index } of text.matchAll(marks)) {
    const { base = "", run = "" } = groups ?? {};
    let at = index + base.length;
    for (const [count, mark] of [...run].entries()) {
      if (base === "" || count >= mostMarks || overlay.test(mark)) found.add(at);
      at += mark.length;
    }
  }
  return found;
}

type Found = { lookAlike: boolean; stray: boolean; oneLine: boolean };

function noteOf(character: string, { lookAlike, stray, oneLine }: Found): TextPart["hidden"] {
  if (!oneLine && (character === "\n" || character === "\t")) return undefined;
  const point = character.codePointAt(0) ?? 0;
  const code = `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
  if (hidden.test(character)) return { code, name: names[point] ?? "hidden character", kind: "hidden" };
  if (stray) return { code, name: "mark over other characters", kind: "hidden" };
  if (lookAlike) return { code, name: `looks like a Latin letter: ${character}`, kind: "letter" };
  const kind = asciiKindOf(character);
  return kind && { code, name: `looks like plain ASCII: ${character}`, kind };
}

/** What it is taken for, when it is only another form of one ASCII character or is drawn as one. */
function asciiKindOf(character: string): "letter" | "sign" | undefined {
  if (character <= "~") return undefined;
  if (looksAscii.test(character) || fullWidthPrint.test(character)) return "sign";
  const plain = character.normalize("NFKC");
  if (!/^[\x21-\x7e]$/.test(plain)) return undefined;
  if (fullWidth.test(character) || plainLetter.test(character)) return "letter";
  return /[\p{P}\p{Sm}\p{Sc}\p{Sk}]/u.test(character) ? "sign" : undefined;
}
