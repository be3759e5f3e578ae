/**
 * Recognises the small language of commands that may run unasked: a closed grammar, written down line by line in
 * docs/policy.md. It shares no code with the parser or the word decoder that the rest of the policy uses.
 */
import {
  type Cursor,
  fail,
  type GrammarLine,
  NotPlain,
  type PlainCommand,
  type PlainScript,
  take,
} from "./plain-script.ts";
import { expectMark, expectWord, peekReserved, readRedirect, skipBlanks, skipLines } from "./plain-tokens.ts";
import { readWord } from "./plain-word.ts";

const separator = /;(?!;)|&(?![&>])/y;
const andOr = /&&|\|\|/y;
const pipe = /\|&|\|(?!\|)/y;
const assignment = /([A-Za-z_][A-Za-z0-9_]*)=/y;
const otherAssignment = /^[A-Za-z_][A-Za-z0-9_]*(?:\[.*)?\+?=/s;
const loopName = /[a-z][a-z0-9]{0,15}(?=[ \t])/y;
const maxDepth = 20;

function addCommand(cursor: Cursor): PlainCommand {
  const command: PlainCommand = { start: cursor.at, words: [], assignments: [], redirects: [] };
  cursor.script.push(command);
  return command;
}

function readAssignment(cursor: Cursor, command: PlainCommand): boolean {
  const match = take(cursor, assignment);
  if (match === undefined) return false;
  const at = cursor.at;
  const value = readWord(cursor) ?? { start: at, end: at, pieces: [] };
  command.assignments.push({ name: match[1]!, value });
  return true;
}

function readSimple(cursor: Cursor): void {
  const command = addCommand(cursor);
  for (;;) {
    const redirect = readRedirect(cursor);
    if (redirect !== undefined) command.redirects.push(redirect);
    else if (command.words.length > 0 || !readAssignment(cursor, command)) {
      const at = cursor.at;
      const word = readWord(cursor);
      if (word === undefined) break;
      if (command.words.length === 0 && otherAssignment.test(cursor.text.slice(at, cursor.at)))
        fail(cursor, "assignment", at);
      command.words.push(word);
    }
    skipBlanks(cursor);
  }
  if (command.words.length + command.assignments.length + command.redirects.length === 0)
    fail(cursor, "simple");
}

/** `[[ … ]]` holds words only: no operators, groups or regular expressions. */
function readTest(cursor: Cursor): void {
  const command = addCommand(cursor);
  for (;;) {
    const word = readWord(cursor) ?? fail(cursor, "test");
    command.words.push(word);
    skipBlanks(cursor);
    if (word.pieces.length === 1 && word.pieces[0]!.text === "]]" && !word.pieces[0]!.quoted) return;
  }
}

function readFor(cursor: Cursor, depth: number): void {
  expectWord(cursor, "for", "for");
  const name = take(cursor, loopName)?.[0];
  if (name === undefined || cursor.loops.includes(name)) fail(cursor, "for");
  cursor.script.push(name);
  skipBlanks(cursor);
  expectWord(cursor, "in", "for");
  for (let word = readWord(cursor); word !== undefined; word = readWord(cursor)) {
    cursor.script.push(word);
    skipBlanks(cursor);
  }
  take(cursor, /;/y);
  skipLines(cursor);
  expectWord(cursor, "do", "for");
  cursor.loops.push(name);
  readList(cursor, depth, ["done"]);
  cursor.loops.pop();
  expectWord(cursor, "done", "for");
}

function readIf(cursor: Cursor, depth: number): void {
  for (let word = "if"; word !== "fi"; word = peekReserved(cursor) ?? fail(cursor, "compound")) {
    expectWord(cursor, word, "compound");
    if (word !== "else") {
      readList(cursor, depth, ["then"]);
      expectWord(cursor, "then", "compound");
    }
    readList(cursor, depth, word === "else" ? ["fi"] : ["elif", "else", "fi"]);
  }
  expectWord(cursor, "fi", "compound");
}

function readGroup(cursor: Cursor, depth: number, open: string, close: string): void {
  if (cursor.text.startsWith("((", cursor.at)) fail(cursor, "compound");
  expectMark(cursor, open, "compound");
  readList(cursor, depth, [close]);
  expectMark(cursor, close, "compound");
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
function readCompound(cursor: Cursor, depth: number): boolean {
  const word = peekReserved(cursor);
  if (word === "[[") readTest(cursor);
  else if (word === "for") readFor(cursor, depth);
  else if (word === "if") readIf(cursor, depth);
  else if (word === "{") readGroup(cursor, depth, "{", "}");
  else if (cursor.text[cursor.at] === "(") readGroup(cursor, depth, "(", ")");
  else if (word !== undefined) fail(cursor, "compound");
  else return false;
  readTrailing(cursor);
  return true;
}

function readPipeline(cursor: Cursor, depth: number): void {
  const prefix = peekReserved(cursor);
  if (prefix === "!" || prefix === "time") expectWord(cursor, prefix, "joint");
  for (;;) {
    if (!readCompound(cursor, depth)) readSimple(cursor);
    skipBlanks(cursor);
    const joint = take(cursor, pipe)?.[0];
    if (joint === undefined) return;
    cursor.script.push(joint);
    skipLines(cursor);
  }
}

function atEnd(cursor: Cursor, ends: readonly string[]): boolean {
  if (cursor.at >= cursor.text.length) return true;
  const word = peekReserved(cursor);
  return ends.some((end) => (/^[a-z}]/.test(end) ? word === end : cursor.text.startsWith(end, cursor.at)));
}

/** Statements up to one of the ends, which stays. */
function readList(cursor: Cursor, depth: number, ends: readonly string[]): void {
  if (depth > maxDepth) fail(cursor, "script");
  skipLines(cursor);
  while (!atEnd(cursor, ends)) {
    readPipeline(cursor, depth + 1);
    for (let joint = take(cursor, andOr); joint !== undefined; joint = take(cursor, andOr)) {
      cursor.script.push(joint[0]);
      skipLines(cursor);
      readPipeline(cursor, depth + 1);
    }
    const end = take(cursor, separator)?.[0];
    if (end === "&") cursor.script.push("&");
    const before = cursor.at;
    skipLines(cursor);
    const onNewLine = cursor.text.slice(before, cursor.at).includes("\n");
    if (end === undefined && !onNewLine && !atEnd(cursor, ends)) fail(cursor, "joint");
  }
}

/**
 * Reads a whole text. A text outside of the language gives the grammar line that ends it and the place.
 * @param blankBytes whether its bash may take some bytes of longer characters for blanks, as that of macOS does
 */
export function readPlain(
  text: string,
  blankBytes = true,
): { script: PlainScript } | { line: GrammarLine; at: number } {
  const cursor: Cursor = { text, at: 0, script: [], loops: [], blankBytes };
  try {
    readList(cursor, 0, []);
    if (cursor.here !== undefined) fail(cursor, "here");
    return { script: cursor.script };
  } catch (error) {
    if (error instanceof NotPlain) return { line: error.line, at: error.at };
    throw error;
  }
}
