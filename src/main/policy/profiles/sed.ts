/** Reads a `sed` command: only scripts that print, delete and substitute text, and never its write or run commands. */
import type { Tools } from "../shell-context.ts";
import type { ShellWord } from "../shell-word.ts";
import { type FlagProfile, type ProfileReading, readProfile } from "./flag-profile.ts";

const profile: FlagProfile = {
  short: "nErsuze:",
  bsd: "aEe:lnru",
  long: "quiet silent regexp-extended separate unbuffered null-data posix expression= help version",
  operands: "content",
  pattern: ["-e", "--expression"],
};

type Cursor = { script: string; at: number };

function skip(cursor: Cursor, pattern: RegExp): boolean {
  const sticky = new RegExp(pattern, "y");
  sticky.lastIndex = cursor.at;
  if (!sticky.test(cursor.script)) return false;
  cursor.at = sticky.lastIndex;
  return true;
}

/** Moves behind the next unescaped delimiter. One inside of brackets is refused, since versions of sed differ. */
function skipDelimited(cursor: Cursor, delimiter: string): boolean {
  let inBrackets = false;
  for (; cursor.at < cursor.script.length; cursor.at += 1) {
    const char = cursor.script[cursor.at];
    if (char === "\\") cursor.at += 1;
    else if (char === "\n") return false;
    else if (char === delimiter) {
      cursor.at += 1;
      return !inBrackets;
    } else if (char === "[") inBrackets = true;
    else if (char === "]") inBrackets = false;
  }
  return false;
}

function skipAddress(cursor: Cursor): boolean {
  if (skip(cursor, /\d+(?:~\d+)?|\$/)) return true;
  if (!skip(cursor, /\//)) return false;
  return skipDelimited(cursor, "/") && skip(cursor, /[IM]*/);
}

function skipCommand(cursor: Cursor): boolean {
  if (skipAddress(cursor) && skip(cursor, /[ \t]*,[ \t]*/)) {
    if (!skip(cursor, /[+~]\d+/) && !skipAddress(cursor)) return false;
  }
  skip(cursor, /[ \t]*!*[ \t]*/);
  if (skip(cursor, /[sy]/)) {
    const kind = cursor.script[cursor.at - 1];
    const delimiter = cursor.script[cursor.at];
    if (delimiter === undefined || /[\\\n\s\w]/.test(delimiter)) return false;
    cursor.at += 1;
    if (!skipDelimited(cursor, delimiter) || !skipDelimited(cursor, delimiter)) return false;
    return kind === "y" || skip(cursor, /[gpiI0-9]*/);
  }
  return skip(cursor, /\{/) || skip(cursor, /[pdPDnNhHgGx=]|[qQ][ \t]*\d*|l[ \t]*\d*/);
}

/** Whether a sed script only prints, deletes, substitutes or stops. */
function isHarmlessSedScript(script: string): boolean {
  // Copies of copies grow without end: `s/./&&/g` and `G;h` a few times over.
  if (script.length > 600 || (script.match(/&|\\[1-9]/g)?.length ?? 0) > 8) return false;
  if ((script.match(/[GH]/g)?.length ?? 0) > 1) return false;
  const cursor: Cursor = { script, at: 0 };
  while (cursor.at < script.length) {
    skip(cursor, /[\s;}]*/);
    if (cursor.at >= script.length) return true;
    const before = cursor.at;
    if (!skipCommand(cursor)) return false;
    const opened = script[cursor.at - 1] === "{";
    if (cursor.at === before || (!opened && !skip(cursor, /[ \t]*(?:[;\n}]|$)/))) return false;
  }
  return true;
}

/** Reads the words after `sed`. */
export function readSed(words: readonly ShellWord[], tools: Tools): ProfileReading {
  const reading = readProfile(profile, words, tools);
  if (reading.patterns.length === 0 && !reading.flags.has("--help") && !reading.flags.has("--version")) {
    reading.problem ??= "sed has no script.";
  }
  if (!reading.patterns.every(isHarmlessSedScript)) {
    reading.problem ??= "The sed script may do more than print, delete and substitute text.";
  }
  return reading;
}
