/** What stands between and around the words of the small language: blanks, comments, line ends, redirections. */
import { type Cursor, fail, type GrammarLine, type PlainRedirect, take } from "./plain-script.ts";
import { readWord } from "./plain-word.ts";

const blanks = /(?:[ \t]|\\\n(?=[ \t]))*/y;
const comment = /#[^\n]*/y;
const reserved =
  /(?:if|then|elif|else|fi|for|in|do|done|case|esac|while|until|select|function|coproc|time|\{|\}|!|\[\[)(?=[ \t\n;&|()<>]|$)/y;
const redirection = /([0-9]*)(>>|>&|>\||>|<&|<(?![<>])|&>>|&>)/y;
const hereDocument = /<<(?:'([A-Za-z_]\w*)'|"([A-Za-z_]\w*)"|\\([A-Za-z_]\w*))(?=[ \t\n;&|)]|$)/y;

/** Blanks and a comment, on this line. */
export function skipBlanks(cursor: Cursor): void {
  const text = take(cursor, blanks)![0];
  if (cursor.here !== undefined && text.includes("\n")) fail(cursor, "blank");
  take(cursor, comment);
}

/** One line end, and the here-document that it begins. */
function readNewline(cursor: Cursor): boolean {
  if (cursor.text[cursor.at] !== "\n") return false;
  cursor.at += 1;
  const here = cursor.here;
  if (here === undefined) return true;
  const lines = cursor.text.slice(cursor.at).split("\n");
  const last = lines.indexOf(here.end);
  if (last < 0) fail(cursor, "here");
  here.body = lines
    .slice(0, last)
    .map((line) => `${line}\n`)
    .join("");
  // The line end behind the delimiter is left, so that it ends the statement that follows.
  cursor.at += here.body.length + here.end.length;
  delete cursor.here;
  return true;
}

/** Blanks, comments and line ends. */
export function skipLines(cursor: Cursor): void {
  skipBlanks(cursor);
  while (readNewline(cursor)) skipBlanks(cursor);
}

/** The reserved word that stands here, without moving. */
export function peekReserved(cursor: Cursor): string | undefined {
  const at = cursor.at;
  const word = take(cursor, reserved)?.[0];
  cursor.at = at;
  return word;
}

/** Takes a reserved word. @throws where another one stands. */
export function expectWord(cursor: Cursor, word: string, line: GrammarLine): void {
  if (peekReserved(cursor) !== word) fail(cursor, line);
  expectMark(cursor, word, line);
}

/** Takes what stands for itself, whatever is behind it. @throws where something else stands. */
export function expectMark(cursor: Cursor, mark: string, line: GrammarLine): void {
  if (!cursor.text.startsWith(mark, cursor.at)) fail(cursor, line);
  cursor.at += mark.length;
  cursor.script.push(mark);
  skipBlanks(cursor);
}

/** `undefined` where none stands; of a here-document the text is read at the next line end. */
export function readRedirect(cursor: Cursor): PlainRedirect | undefined {
  const start = cursor.at;
  const here = take(cursor, hereDocument);
  if (here !== undefined) {
    if (cursor.here !== undefined) fail(cursor, "here");
    const redirect = { start, operator: "<<", descriptor: "", end: here[1] ?? here[2] ?? here[3]! };
    cursor.here = redirect;
    return redirect;
  }
  const match = take(cursor, redirection);
  if (match === undefined) return undefined;
  if (!/^[012]?$/.test(match[1]!) || (match[1] !== "" && match[2]!.startsWith("&"))) fail(cursor, "redirect");
  skipBlanks(cursor);
  const target = readWord(cursor) ?? fail(cursor, "redirect");
  return { start, operator: match[2]!, descriptor: match[1]!, target };
}
