/**
 * Recognises the small language of commands that may run unasked: a closed grammar, written down line by line in
 * docs/policy.md. It shares no code with the parser or the word decoder that the rest of the policy uses.
 */
import { readCompound } from "./plain-compound.ts";
import {
  type Cursor,
  type GrammarLine,
  NotPlain,
  type PlainCommand,
  type PlainScript,
  take,
} from "./plain-script.ts";
import { expectWord, fail, peekReserved, readRedirect, skipBlanks, skipLines } from "./plain-tokens.ts";
import { readWord } from "./plain-word.ts";

const separator = /;(?!;)|&(?![&>])/y;
const andOr = /&&|\|\|/y;
const pipe = /\|&|\|(?!\|)/y;
const assignment = /([A-Za-z_][A-Za-z0-9_]*)=/y;
const otherAssignment = /^[A-Za-z_][A-Za-z0-9_]*(?:\[.*)?\+?=/s;
const maxDepth = 20;

function readAssignment(cursor: Cursor, command: PlainCommand): boolean {
  const match = take(cursor, assignment);
  if (match === undefined) return false;
  const at = cursor.at;
  const value = readWord(cursor) ?? { start: at, end: at, pieces: [] };
  command.assignments.push({ name: match[1]!, value });
  return true;
}

function readSimple(cursor: Cursor): void {
  const command: PlainCommand = { start: cursor.at, words: [], assignments: [], redirects: [] };
  cursor.script.push(command);
  for (;;) {
    const redirect = readRedirect(cursor);
    if (redirect !== undefined) command.redirects.push(redirect);
    else if (command.words.length > 0 || !readAssignment(cursor, command)) {
      const at = cursor.at;
      const word = readWord(cursor);
      if (word === undefined) break;
      if (command.words.length === 0 && otherAssignment.test(cursor.text.slice(at, cursor.at)))
        throw new NotPlain("assignment", at);
      command.words.push(word);
    }
    skipBlanks(cursor);
  }
  if (command.words.length + command.assignments.length + command.redirects.length === 0)
    fail(cursor, "simple");
}

function readPipeline(cursor: Cursor, depth: number): void {
  const prefix = peekReserved(cursor);
  if (prefix === "!" || prefix === "time") expectWord(cursor, prefix, "joint");
  for (;;) {
    if (!readCompound(cursor, depth, readList)) readSimple(cursor);
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

/** Reads a whole text. A text outside of the language gives the grammar line that ends it and the place. */
export function readPlain(text: string): { script: PlainScript } | { line: GrammarLine; at: number } {
  const cursor: Cursor = { text, at: 0, script: [], loops: [] };
  try {
    readList(cursor, 0, []);
    if (cursor.here !== undefined) fail(cursor, "here");
    return { script: cursor.script };
  } catch (error) {
    if (error instanceof NotPlain) return { line: error.line, at: error.at };
    throw error;
  }
}
