/** Decodes one shell word to the text that bash would pass on, or says why nobody can know that text. */

import { opaque } from "./bounded/opaque-reasons.ts";
import { findVariable, type KnownValue, type KnownVariables } from "./known-variables.ts";

/** A decoded word: exact when `problem` is absent. `value` keeps unquoted glob characters as they are. */
export type ShellWord = {
  text: string;
  value: string;
  problem?: string;
  glob: boolean;
  /** The first character is an unquoted glob, so that a file name beginning with `-` could take its place. */
  leadingGlob: boolean;
  /** `value` with quoted glob characters escaped, for matching file names. */
  pattern: string;
};

type Decoding = { value: string; pattern: string; glob: boolean; leadingGlob: boolean; problem?: string };

const variable = /^\$(?:([A-Za-z][A-Za-z0-9]*|\?)(?![A-Za-z0-9_])|\{([A-Za-z][A-Za-z0-9]*)\})/;
const reflogName = /^@\{(?:-?\d+|[a-z]+)\}/;
const startsExpansion = /^\$[A-Za-z0-9_@*#?$!({[-]/;

function append(out: Decoding, text: string, quoted: boolean): void {
  out.value += text;
  out.pattern += quoted ? text.replace(/[\\*?[\]{}()!+@|]/g, "\\$&") : text;
}

function appendKnown(out: Decoding, found: KnownValue, quoted: boolean): void {
  if (!quoted && !/^[\w./@%+=:,-]*$/.test(found.value)) out.problem ??= opaque.splitting;
  if (found.glob) {
    out.glob = true;
    out.leadingGlob ||= out.value === "" && found.leadingGlob;
  }
  out.value += found.value;
  out.pattern += found.pattern;
}

function readDollar(out: Decoding, raw: string, at: number, known: KnownVariables, quoted: boolean): number {
  const named = variable.exec(raw.slice(at, at + 40));
  const found = named && findVariable(known, named[1] ?? named[2]!);
  if (found) {
    appendKnown(out, found, quoted);
    return at + named[0].length;
  }
  const rest = raw.slice(at, at + 2);
  if (!quoted && rest === "$'") out.problem ??= opaque.ansiQuoting;
  else if (!quoted && rest === '$"') out.problem ??= opaque.translated;
  else if (startsExpansion.test(rest)) out.problem ??= opaque.expansion;
  append(out, "$", true);
  return at + 1;
}

function readDoubleQuoted(out: Decoding, raw: string, start: number, known: KnownVariables): number {
  let at = start;
  while (at < raw.length && raw[at] !== '"') {
    const char = raw[at]!;
    const next = raw[at + 1];
    if (char === "\\" && next !== undefined && '$`"\\\n'.includes(next)) {
      if (next !== "\n") append(out, next, true);
      at += 2;
    } else if (char === "$") {
      at = readDollar(out, raw, at, known, true);
    } else {
      if (char === "`") out.problem ??= opaque.substitution;
      append(out, char, true);
      at += 1;
    }
  }
  if (at >= raw.length) out.problem ??= "A quote is not closed.";
  return at + 1;
}

function readTilde(out: Decoding, raw: string, at: number, known: KnownVariables): number {
  const name = /^~[^/:'"\\$`]*/.exec(raw.slice(at))![0];
  if (name !== "~" || !/^~(?:$|\/)/.test(raw.slice(at))) {
    out.problem ??= "The text names somebody's home or an earlier directory.";
    append(out, "~", true);
    return at + 1;
  }
  append(out, known.home, true);
  return at + 1;
}

function opensBraceExpansion(raw: string, at: number): boolean {
  return raw.lastIndexOf("}") > at && (raw.indexOf(",", at) > 0 || raw.indexOf("..", at) > 0);
}

function readUnquoted(out: Decoding, raw: string, at: number, known: KnownVariables): number {
  const char = raw[at]!;
  if (char === "$") return readDollar(out, raw, at, known, false);
  if (char === "`") out.problem ??= opaque.substitution;
  if (char === "~" && (at === 0 || /^[A-Za-z_]\w*=$/.test(raw.slice(0, at))))
    return readTilde(out, raw, at, known);
  if ("*?[".includes(char)) {
    out.glob = true;
    if (out.value === "") out.leadingGlob = true;
    if (raw[at + 1] === "(") out.problem ??= opaque.extendedPattern;
  }
  if (
    char === "{" &&
    opensBraceExpansion(raw, at) &&
    !reflogName.test(raw.slice(Math.max(0, at - 1), at + 24))
  )
    out.problem ??= opaque.braces;
  if (/[\s()<>|&;]/.test(char)) out.problem ??= "The word holds a shell operator.";
  append(out, char, false);
  return at + 1;
}

/**
 * Decodes the source text of one word: quotes, backslashes and line continuations are removed, `~`, `$HOME` and
 * `$PWD` replaced; every other expansion leaves a `problem`.
 */
export function decodeWord(raw: string, known: KnownVariables): ShellWord {
  const out: Decoding = { value: "", pattern: "", glob: false, leadingGlob: false };
  let at = 0;
  while (at < raw.length) {
    const char = raw[at]!;
    if (char === "\\") {
      if (at + 1 >= raw.length) out.problem ??= "A backslash ends the word.";
      else if (raw[at + 1] !== "\n") append(out, raw[at + 1]!, true);
      at += 2;
    } else if (char === "'") {
      const close = raw.indexOf("'", at + 1);
      if (close < 0) out.problem ??= "A quote is not closed.";
      append(out, raw.slice(at + 1, close < 0 ? undefined : close), true);
      at = close < 0 ? raw.length : close + 1;
    } else if (char === '"') {
      at = readDoubleQuoted(out, raw, at + 1, known);
    } else {
      at = readUnquoted(out, raw, at, known);
    }
  }
  return { text: raw, ...out };
}
