/** Recognises the compound commands of the small language: loops over words, branches, tests and groups. */
import { type Cursor, type PlainCommand, take } from "./plain-script.ts";
import { expectWord, fail, peekReserved, readRedirect, skipBlanks, skipLines } from "./plain-tokens.ts";
import { readWord } from "./plain-word.ts";

/** Reads statements up to one of the ends, which stays. */
type ReadList = (cursor: Cursor, depth: number, ends: readonly string[]) => void;

const loopName = /[a-z][a-z0-9]{0,15}(?=[ \t])/y;

/** `[[ … ]]` holds words only: no operators, groups or regular expressions. */
function readTest(cursor: Cursor): void {
  const command: PlainCommand = { start: cursor.at, words: [], assignments: [], redirects: [] };
  cursor.script.push(command);
  for (;;) {
    const word = readWord(cursor) ?? fail(cursor, "test");
    command.words.push(word);
    skipBlanks(cursor);
    if (word.pieces.length === 1 && word.pieces[0]!.text === "]]" && !word.pieces[0]!.quoted) return;
  }
}

function readFor(cursor: Cursor, depth: number, readList: ReadList): void {
  expectWord(cursor, "for", "for");
  const name = take(cursor, loopName)?.[0];
  if (name === undefined || cursor.loops.includes(name)) fail(cursor, "for");
  cursor.script.push(name);
  skipBlanks(cursor);
  expectWord(cursor, "in", "for");
  for (;;) {
    const word = readWord(cursor);
    if (word === undefined) break;
    cursor.script.push(word);
    skipBlanks(cursor);
  }
  take(cursor, /;(?!;)/y);
  skipLines(cursor);
  expectWord(cursor, "do", "for");
  cursor.loops.push(name);
  readList(cursor, depth, ["done"]);
  cursor.loops.pop();
  expectWord(cursor, "done", "for");
}

function readIf(cursor: Cursor, depth: number, readList: ReadList): void {
  let opening = "if";
  for (;;) {
    expectWord(cursor, opening, "compound");
    readList(cursor, depth, ["then"]);
    expectWord(cursor, "then", "compound");
    readList(cursor, depth, ["elif", "else", "fi"]);
    if (peekReserved(cursor) !== "elif") break;
    opening = "elif";
  }
  if (peekReserved(cursor) === "else") {
    expectWord(cursor, "else", "compound");
    readList(cursor, depth, ["fi"]);
  }
  expectWord(cursor, "fi", "compound");
}

function readCase(cursor: Cursor, depth: number, readList: ReadList): void {
  const readOne = () => {
    cursor.script.push(readWord(cursor) ?? fail(cursor, "case"));
    skipBlanks(cursor);
  };
  expectWord(cursor, "case", "case");
  readOne();
  expectWord(cursor, "in", "case");
  skipLines(cursor);
  while (peekReserved(cursor) !== "esac") {
    readOne();
    if (take(cursor, /\)/y) === undefined) fail(cursor, "case");
    cursor.script.push(")");
    readList(cursor, depth, [";;"]);
    if (take(cursor, /;;(?![&;])/y) === undefined) fail(cursor, "case");
    cursor.script.push(";;");
    skipLines(cursor);
  }
  expectWord(cursor, "esac", "case");
}

function readGroup(cursor: Cursor, depth: number, readList: ReadList, open: string, close: string): void {
  if (cursor.text.startsWith("((", cursor.at)) fail(cursor, "compound");
  cursor.at += 1;
  cursor.script.push(open);
  readList(cursor, depth, [close]);
  if (cursor.text[cursor.at] !== close) fail(cursor, "compound");
  cursor.at += 1;
  cursor.script.push(close);
  skipBlanks(cursor);
}

/** The redirections behind a compound command. */
function readTrailing(cursor: Cursor): void {
  const command: PlainCommand = { start: cursor.at, words: [], assignments: [], redirects: [] };
  for (let each = readRedirect(cursor); each !== undefined; each = readRedirect(cursor)) {
    command.redirects.push(each);
    skipBlanks(cursor);
  }
  if (command.redirects.length > 0) cursor.script.push(command);
}

/** Reads the compound command that begins here, or returns false without moving. */
export function readCompound(cursor: Cursor, depth: number, readList: ReadList): boolean {
  const word = peekReserved(cursor);
  if (word === "[[") readTest(cursor);
  else if (word === "for") readFor(cursor, depth, readList);
  else if (word === "if") readIf(cursor, depth, readList);
  else if (word === "case") readCase(cursor, depth, readList);
  else if (word === "{") readGroup(cursor, depth, readList, "{", "}");
  else if (cursor.text[cursor.at] === "(") readGroup(cursor, depth, readList, "(", ")");
  else if (word !== undefined) fail(cursor, "compound");
  else return false;
  readTrailing(cursor);
  return true;
}
