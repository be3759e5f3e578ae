/**
 * Reads a file of Starlark that does nothing but call functions with texts and lists of texts. Anything else could make
 * rules that nobody sees here, so reading ends there.
 */
export type Value = string | Value[];
export type StarlarkCall = { name: string; text: string; positional: Value[]; named: Map<string, Value> };

/** @returns the calls, and the line from which on the text is not read. */
export function readStarlarkCalls(text: string): { calls: StarlarkCall[]; unreadFrom?: number } {
  const calls: StarlarkCall[] = [];
  const reader = { text, at: 0 };
  for (;;) {
    skip(reader, /[\s;]/y);
    if (reader.at >= text.length) return { calls };
    const from = reader.at;
    const call = readCall(reader);
    if (call === undefined) return { calls, unreadFrom: text.slice(0, from).split("\n").length };
    calls.push({ ...call, text: text.slice(from, reader.at) });
  }
}

type Reader = { text: string; at: number };
const deepest = 4;

function take(reader: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text)?.[0];
  if (found !== undefined) reader.at += found.length;
  return found;
}

/** Blanks and comments; line ends between the words of a call mean nothing. */
function skip(reader: Reader, blank = /\s/y): void {
  while (take(reader, blank) !== undefined || take(reader, /#[^\n]*/y) !== undefined);
}

function takeMark(reader: Reader, mark: RegExp): boolean {
  skip(reader);
  return take(reader, mark) !== undefined;
}

function readCall(reader: Reader): Omit<StarlarkCall, "text"> | undefined {
  const name = take(reader, /[a-z_]\w*/y);
  if (name === undefined || !takeMark(reader, /\(/y)) return undefined;
  const positional: Value[] = [];
  const named = new Map<string, Value>();
  while (!takeMark(reader, /\)/y)) {
    const key = take(reader, /[a-z_]\w*(?=\s*=)/y);
    if (key !== undefined) takeMark(reader, /=/y);
    const value = readValue(reader, 0);
    if (value === undefined) return undefined;
    if (key === undefined && named.size === 0) positional.push(value);
    else if (key === undefined || named.has(key)) return undefined;
    else named.set(key, value);
    if (takeMark(reader, /,/y)) skip(reader);
    else if (reader.text[reader.at] !== ")") return undefined;
  }
  // Another statement begins on a line of its own or behind a semicolon.
  return take(reader, /[ \t]*(?:#[^\n]*)?(?=[\r\n;]|$)/y) === undefined
    ? undefined
    : { name, positional, named };
}

function readValue(reader: Reader, depth: number): Value | undefined {
  skip(reader);
  if (take(reader, /\[/y) === undefined) return readText(reader);
  if (depth === deepest) return undefined;
  const list: Value[] = [];
  while (!takeMark(reader, /\]/y)) {
    const value = readValue(reader, depth + 1);
    if (value === undefined) return undefined;
    list.push(value);
    if (!takeMark(reader, /,/y) && reader.text[reader.at] !== "]") return undefined;
  }
  return list;
}

const escapes: Record<string, string> = { "\\": "\\", '"': '"', "'": "'", n: "\n", t: "\t", r: "\r" };

/** A text on one line in quotes; other escapes and raw or long texts are not read. */
function readText(reader: Reader): string | undefined {
  const quoted = take(reader, /"(?!"")(?:[^"\\\r\n]|\\[\\"'ntr])*"|'(?!'')(?:[^'\\\r\n]|\\[\\"'ntr])*'/y);
  if (quoted === undefined) return undefined;
  // Two texts side by side, or a text with an operator behind, are none.
  return quoted.slice(1, -1).replaceAll(/\\(.)/g, (_, letter: string) => escapes[letter]!);
}
