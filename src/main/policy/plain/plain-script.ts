/** What the small language of commands that may run unasked is made of; its grammar is in docs/policy.md. */

/** One stretch of a word. `pattern` is an unquoted `*`, `?` or `[…]`; `home` is a `~` that begins a word. */
export type PlainPiece = { kind: "text" | "pattern" | "variable" | "home"; text: string; quoted: boolean };

/** One word with its place in the source. */
export type PlainWord = { start: number; end: number; pieces: PlainPiece[] };

/** One redirection: to a word, or from a here-document whose text is literal. */
export type PlainRedirect = {
  start: number;
  operator: string;
  descriptor: string;
  target?: PlainWord;
  body?: string;
};

/** One simple command, or the redirections behind a compound one (then without words). */
export type PlainCommand = {
  start: number;
  words: PlainWord[];
  assignments: { name: string; value: PlainWord }[];
  redirects: PlainRedirect[];
};

/** Commands, single words (of `for`) and what joins them (`&&`, `|`, `if`, `(` …), in source order. */
export type PlainScript = (PlainCommand | PlainWord | string)[];

/** The names of the grammar's lines, as docs/policy.md lists them. */
export type GrammarLine =
  | "script"
  | "blank"
  | "comment"
  | "joint"
  | "compound"
  | "for"
  | "test"
  | "simple"
  | "assignment"
  | "redirect"
  | "here"
  | "word"
  | "bare"
  | "pattern"
  | "escape"
  | "single"
  | "double"
  | "variable"
  | "home"
  | "braces";

/** Thrown by the recogniser where the text leaves the language: the line that ends it, and where. */
export class NotPlain extends Error {
  override name = "NotPlain";
  readonly line: GrammarLine;
  readonly at: number;
  constructor(line: GrammarLine, at: number) {
    super(`not in the small language at ${at} (${line})`);
    this.line = line;
    this.at = at;
  }
}

/** Where the recogniser stands. `loops` are the variables of the `for` loops around, `here` the next delimiter. */
export type Cursor = {
  text: string;
  at: number;
  script: PlainScript;
  loops: string[];
  /** Whether its bash takes some bytes of longer characters for blanks. */
  blankBytes: boolean;
  here?: PlainRedirect & { end: string };
};

/** @throws NotPlain at the place that was reached, unless another one is named. */
export function fail(cursor: Cursor, line: GrammarLine, at = cursor.at): never {
  throw new NotPlain(line, at);
}

/** Moves over a sticky pattern and returns its match, or stays and returns undefined. */
export function take(cursor: Cursor, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = cursor.at;
  const match = pattern.exec(cursor.text);
  if (match === null) return undefined;
  cursor.at = pattern.lastIndex;
  return match;
}
