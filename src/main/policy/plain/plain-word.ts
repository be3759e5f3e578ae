/** Recognises one word of the small language: lines `word` to `braces` of the grammar in docs/policy.md. */
import {
  type Cursor,
  fail,
  type GrammarLine,
  type PlainPiece,
  type PlainWord,
  take,
} from "./plain-script.ts";

const endOfWord = /(?=[ \t\n;&|<>()]|$|\\\n)/y;
const wholeWord = /(?:\[|\]|!=?|\{\}|\[\[|\]\])(?=[ \t\n;&|<>()]|$)/y;
const home = /~(?=[/ \t\n;&|<>()]|$)/y;
const variable = /\$(?:([A-Za-z][A-Za-z0-9]*|\?)(?![A-Za-z0-9_])|\{([A-Za-z][A-Za-z0-9]*)\})/y;
const doubleText = /[^"\\$`]+|\\(?=[^$`"\\\n])|\$(?=["| )/])/y;
const doubleEscape = /\\([$`"\\])/y;

type Form = Pick<PlainPiece, "kind" | "quoted"> & { pattern: RegExp };

/** Letters and digits of any script with a few marks of their own; none that cannot be seen. */
const anyScript = /(?:(?!\p{DI})[\p{L}\p{N}](?:(?!\p{DI})\p{M}){0,4})+/u;

/** What stands for itself, and patterns. A piece is the first group, or else all that matches. */
const forms: Form[] = [
  { kind: "text", quoted: false, pattern: new RegExp(`[A-Za-z0-9_./:=@%+,^#-]+|${anyScript.source}`, "uy") },
  { kind: "text", quoted: true, pattern: /'([^']*)'/y },
  { kind: "text", quoted: true, pattern: /\\([\x20-\x7e])/y },
  { kind: "text", quoted: false, pattern: /(?<=[A-Za-z0-9_./^}\]-])~+/y },
  { kind: "text", quoted: false, pattern: /(?<=@)\{(?:-?[0-9]+|[a-z]+)\}/y },
  { kind: "pattern", quoted: false, pattern: /[*?]|\[[!^]?[A-Za-z0-9_.-]+\]/y },
];

/** The line of the grammar that a word leaves by what stands there. */
const lineOf: Partial<Record<string, GrammarLine>> = { "'": "single", "~": "home" };

/** Variables whose values are known, or may be shown because they hold no secret. Loop variables come on top. */
const namedVariables = new Set("HOME PWD ? PATH USER SHELL LANG TERM CI HOSTTYPE OSTYPE".split(" "));

/** Bytes that the bash of some systems takes for blanks inside of a longer character. */
function holdsBlankByte(text: string): boolean {
  const bytes = Buffer.from(text, "utf8");
  return bytes.includes(0x85) || bytes.includes(0xa0);
}

function readVariable(cursor: Cursor, quoted: boolean): PlainPiece {
  const { at } = cursor;
  const match = take(cursor, variable);
  const name = match?.[1] ?? match?.[2];
  if (name === undefined || !(namedVariables.has(name) || cursor.loops.includes(name)))
    fail(cursor, "variable", at);
  return { kind: "variable", text: name, quoted };
}

function readDouble(cursor: Cursor): PlainPiece[] {
  const start = cursor.at;
  const pieces: PlainPiece[] = [{ kind: "text", text: "", quoted: true }];
  cursor.at += 1;
  while (cursor.text[cursor.at] !== '"') {
    const text = take(cursor, doubleText)?.[0] ?? take(cursor, doubleEscape)?.[1];
    if (text !== undefined) pieces.push({ kind: "text", text, quoted: true });
    else if (cursor.text[cursor.at] === "$") pieces.push(readVariable(cursor, true));
    else fail(cursor, "double", start);
  }
  cursor.at += 1;
  return pieces;
}

/** What follows in a word that began at `start`; none where it ends. */
function readPieces(cursor: Cursor, start: number): PlainPiece[] {
  const { at } = cursor;
  if (cursor.text[at] === '"') return readDouble(cursor);
  if (cursor.text[at] === "$") return [readVariable(cursor, false)];
  if (at === start && take(cursor, home)) return [{ kind: "home", text: "~", quoted: false }];
  for (const { pattern, kind, quoted } of forms) {
    const match = take(cursor, pattern);
    if (match === undefined) continue;
    const text = match[1] ?? match[0];
    if (kind === "text" && !quoted && cursor.blankBytes && holdsBlankByte(text)) fail(cursor, "bare", at);
    if (text.startsWith("#") && at === start && !quoted) fail(cursor, "comment", at);
    return [{ kind, text, quoted }];
  }
  const line = lineOf[cursor.text[at] ?? ""];
  return line === undefined ? [] : fail(cursor, line);
}

/** The word that begins here, or undefined when none does. @throws NotPlain inside of a word that leaves the language */
export function readWord(cursor: Cursor): PlainWord | undefined {
  const start = cursor.at;
  const pieces: PlainPiece[] = [];
  const whole = take(cursor, wholeWord)?.[0];
  if (whole !== undefined) pieces.push({ kind: "text", text: whole, quoted: false });
  else
    for (let more = readPieces(cursor, start); more.length > 0; more = readPieces(cursor, start))
      pieces.push(...more);
  if (cursor.at === start) return undefined;
  if (take(cursor, endOfWord) === undefined) fail(cursor, "word");
  if (cursor.here !== undefined && cursor.text.slice(start, cursor.at).includes("\n"))
    fail(cursor, "here", start);
  return { start, end: cursor.at, pieces };
}
