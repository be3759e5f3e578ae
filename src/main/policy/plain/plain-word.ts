/** Recognises one word of the small language: lines `word` to `braces` of the grammar in docs/policy.md. */
import { type Cursor, NotPlain, type PlainPiece, type PlainWord, take } from "./plain-script.ts";

const endOfWord = /(?=[ \t\n;&|<>()]|$|\\\n)/y;
const bare = /[A-Za-z0-9_./:=@%+,^#-]+|[\p{L}\p{N}]+/uy;
const tildeInside = /[A-Za-z0-9_./^}\]-]~+/y;
const bracket = /\[[!^]?[A-Za-z0-9_.-]+\]/y;
const wildcard = /[*?]/y;
const wholeWord = /(?:\[|\]|!=?|\{\}|\[\[|\]\])(?=[ \t\n;&|<>()]|$)/y;
const reflog = /\{(?:-?[0-9]+|[a-z]+)\}/y;
const backslashed = /\\([\x20-\x7e])/y;
const single = /'([^']*)'/y;
const doubleText = /[^"\\$`]+/y;
const doubleEscape = /\\([$`"\\])/y;
const doubleBackslash = /\\(?=[^$`"\\\n])/y;
const doubleDollar = /\$(?=["| )/])/y;
const variable = /\$(?:([A-Za-z][A-Za-z0-9]*|\?)(?![A-Za-z0-9_])|\{([A-Za-z][A-Za-z0-9]*)\})/y;

/** Variables whose values are known, or may be shown because they hold no secret. Loop variables come on top. */
const namedVariables = new Set([
  "HOME",
  "PWD",
  "?",
  "PATH",
  "USER",
  "SHELL",
  "LANG",
  "TERM",
  "CI",
  "HOSTTYPE",
  "OSTYPE",
]);

/** Bytes that some versions of bash take for blanks inside of a longer character. */
function holdsBlankByte(text: string): boolean {
  const bytes = Buffer.from(text, "utf8");
  return bytes.includes(0x85) || bytes.includes(0xa0);
}

function readVariable(cursor: Cursor, quoted: boolean): PlainPiece {
  const start = cursor.at;
  const match = take(cursor, variable);
  const name = match?.[1] ?? match?.[2];
  if (name === undefined || !(namedVariables.has(name) || cursor.loops.includes(name)))
    throw new NotPlain("variable", start);
  return { kind: "variable", text: name, quoted };
}

function readDouble(cursor: Cursor, pieces: PlainPiece[]): void {
  const start = cursor.at;
  cursor.at += 1;
  pieces.push({ kind: "text", text: "", quoted: true });
  while (cursor.text[cursor.at] !== '"') {
    const text = take(cursor, doubleText)?.[0] ?? take(cursor, doubleEscape)?.[1];
    if (text !== undefined) pieces.push({ kind: "text", text, quoted: true });
    else if (take(cursor, doubleBackslash)) pieces.push({ kind: "text", text: "\\", quoted: true });
    else if (take(cursor, doubleDollar)) pieces.push({ kind: "text", text: "$", quoted: true });
    else if (cursor.text[cursor.at] === "$") pieces.push(readVariable(cursor, true));
    else throw new NotPlain("double", start);
  }
  cursor.at += 1;
}

function readBare(cursor: Cursor, start: number): PlainPiece | undefined {
  const text = take(cursor, bare)?.[0];
  if (text === undefined) return undefined;
  if (holdsBlankByte(text)) throw new NotPlain("bare", cursor.at - text.length);
  if (text.startsWith("#") && cursor.at - text.length === start) throw new NotPlain("comment", start);
  return { kind: "text", text, quoted: false };
}

/** A `~` begins a word and stands for the home, or follows a plain character and stands for itself. */
function readTilde(cursor: Cursor, start: number): PlainPiece {
  const at = cursor.at;
  if (at === start) {
    if (!/^~(?:[/ \t\n;&|<>()]|$)/.test(cursor.text.slice(at, at + 2))) throw new NotPlain("home", at);
    cursor.at += 1;
    return { kind: "home", text: "~", quoted: false };
  }
  cursor.at -= 1;
  const text = take(cursor, tildeInside)?.[0];
  if (text === undefined) throw new NotPlain("home", at);
  return { kind: "text", text: text.slice(1), quoted: false };
}

function readPiece(cursor: Cursor, start: number, pieces: PlainPiece[]): boolean {
  const literal = (text: string, quoted: boolean) => pieces.push({ kind: "text", text, quoted }) > 0;
  const found = readBare(cursor, start);
  if (found !== undefined) return pieces.push(found) > 0;
  const char = cursor.text[cursor.at];
  if (char === "'") {
    const match = take(cursor, single);
    if (match === undefined) throw new NotPlain("single", cursor.at);
    return literal(match[1]!, true);
  }
  if (char === '"') {
    readDouble(cursor, pieces);
    return true;
  }
  if (char === "~") return pieces.push(readTilde(cursor, start)) > 0;
  if (char === "$") return pieces.push(readVariable(cursor, false)) > 0;
  const pattern = take(cursor, wildcard)?.[0] ?? take(cursor, bracket)?.[0];
  if (pattern !== undefined) return pieces.push({ kind: "pattern", text: pattern, quoted: false }) > 0;
  const escaped = take(cursor, backslashed)?.[1];
  if (escaped !== undefined) return literal(escaped, true);
  if (cursor.text[cursor.at - 1] === "@" && cursor.at > start) {
    const braces = take(cursor, reflog)?.[0];
    if (braces !== undefined) return literal(braces, false);
  }
  return false;
}

/** The word that begins here, or undefined when none does. @throws NotPlain inside of a word that leaves the language */
export function readWord(cursor: Cursor): PlainWord | undefined {
  const start = cursor.at;
  const whole = take(cursor, wholeWord)?.[0];
  if (whole !== undefined)
    return { start, end: cursor.at, pieces: [{ kind: "text", text: whole, quoted: false }] };
  const pieces: PlainPiece[] = [];
  while (readPiece(cursor, start, pieces));
  if (cursor.at === start) return undefined;
  if (take(cursor, endOfWord) === undefined) throw new NotPlain("word", cursor.at);
  if (cursor.here !== undefined && cursor.text.slice(start, cursor.at).includes("\n"))
    throw new NotPlain("here", start);
  return { start, end: cursor.at, pieces };
}
