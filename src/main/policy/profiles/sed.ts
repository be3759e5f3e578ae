/** Reads a `sed` command: only scripts that print, delete and substitute text, and never its write or run commands. */
import type { Tools } from "../policy-context.ts";
import type { ShellWord } from "../shell-word.ts";
import { type FlagProfile, type ProfileReading, readProfile } from "./flag-profile.ts";

const profile: FlagProfile = {
  short: "nErsuze:",
  bsd: "aEe:lnru",
  long: "quiet silent regexp-extended separate unbuffered null-data posix expression= help version",
  operands: "content",
  pattern: ["-e", "--expression"],
};

/** `commands` are the letters of those that were passed. */
type Cursor = { script: string; at: number; commands: string };

function skip(cursor: Cursor, pattern: RegExp): boolean {
  const sticky = new RegExp(pattern, "y");
  sticky.lastIndex = cursor.at;
  if (!sticky.test(cursor.script)) return false;
  cursor.at = sticky.lastIndex;
  return true;
}

/** Brackets on whose end all versions of sed agree: no `[` or `]` among the characters, and no backslash in front of one. */
const bracket = /\[(?:\^(?!\])|(?!\^))(?:[^\][\\\n]|\\[^\][\n]|\[:[a-z]+:\])+\]/;

/**
 * Moves behind the next unescaped delimiter. In a pattern, whatever begins with `[` has to be one plain bracket without
 * the delimiter, which some versions take for its end and others for one of its characters.
 */
function skipDelimited(cursor: Cursor, delimiter: string, isPattern: boolean): boolean {
  for (; cursor.at < cursor.script.length; cursor.at += 1) {
    const char = cursor.script[cursor.at];
    const start = cursor.at;
    if (char === "\\") cursor.at += 1;
    else if (char === "\n") return false;
    else if (char === delimiter) {
      cursor.at += 1;
      return true;
    } else if (char === "[" && isPattern) {
      if (!skip(cursor, bracket)) return false;
      const listed = cursor.script
        .slice(start, cursor.at)
        .replaceAll(/\\./g, "")
        .replaceAll(/\[:[a-z]+:\]/g, "");
      if (listed.includes(delimiter)) return false;
      cursor.at -= 1;
    }
  }
  return false;
}

function skipAddress(cursor: Cursor): boolean {
  if (skip(cursor, /\d+(?:~\d+)?|\$/)) return true;
  if (!skip(cursor, /\//)) return false;
  return skipDelimited(cursor, "/", true) && skip(cursor, /[IM]*/);
}

function skipCommand(cursor: Cursor): boolean {
  if (skipAddress(cursor) && skip(cursor, /[ \t]*,[ \t]*/)) {
    if (!skip(cursor, /[+~]\d+/) && !skipAddress(cursor)) return false;
  }
  skip(cursor, /[ \t]*!*[ \t]*/);
  if (skip(cursor, /[sy]/)) {
    const kind = cursor.script[cursor.at - 1]!;
    cursor.commands += kind;
    const delimiter = cursor.script[cursor.at];
    // Of the others some mean something in a pattern, and then versions of sed differ.
    if (delimiter === undefined || !/[/|,#:;@!%+~=]/.test(delimiter)) return false;
    cursor.at += 1;
    if (!skipDelimited(cursor, delimiter, kind === "s") || !skipDelimited(cursor, delimiter, false))
      return false;
    return kind === "y" || skip(cursor, /[gpiI0-9]*/);
  }
  cursor.commands += cursor.script[cursor.at] ?? "";
  return skip(cursor, /\{/) || skip(cursor, /[pdPDnNhHgGx=]|[qQ][ \t]*\d*|l[ \t]*\d*/);
}

/** `D` begins anew with what is behind the first line and reads none, which never ends where others put a line in front. */
const ends = (commands: string) => !(commands.includes("D") && /[sgGhHx]/.test(commands));

/** Whether a sed script only prints, deletes, substitutes or stops. */
function isHarmlessSedScript(script: string): boolean {
  // Copies of copies grow without end: `s/./&&/g` and `G;h` a few times over.
  if (script.length > 600 || (script.match(/&|\\[1-9]/g)?.length ?? 0) > 8) return false;
  if ((script.match(/[GH]/g)?.length ?? 0) > 1) return false;
  const cursor: Cursor = { script, at: 0, commands: "" };
  for (;;) {
    skip(cursor, /[\s;}]*/);
    if (cursor.at >= script.length) return ends(cursor.commands);
    const before = cursor.at;
    if (!skipCommand(cursor)) return false;
    const opened = script[cursor.at - 1] === "{";
    if (cursor.at === before || (!opened && !skip(cursor, /[ \t]*(?:[;\n}]|$)/))) return false;
  }
}

/** Reads the words after `sed`. */
export function readSed(words: readonly ShellWord[], tools: Tools): ProfileReading {
  const reading = readProfile(profile, words, tools);
  if (reading.patterns.length === 0 && !reading.flags.has("--help") && !reading.flags.has("--version")) {
    reading.problem ??= "sed has no script.";
  }
  // Each by itself, and as sed puts them behind each other.
  if (![...reading.patterns, reading.patterns.join("\n")].every(isHarmlessSedScript)) {
    reading.problem ??= "The sed script may do more than print, delete and substitute text.";
  }
  return reading;
}
