/** Reads a PowerShell text that is one pipeline of plain commands with literal words; everything else is a problem. */
import { quote } from "../../../shared/foreign-words.ts";

/** One word. A list such as `a,b` has several values. `bare` words may hold the wildcards `*` and `?`. */
export type PipelineWord = { text: string; values: string[]; bare: boolean };

/** One command of a pipeline: its name in small letters, without `.exe`, and its words. With it, it is no cmdlet. */
export type PipelineCommand = { text: string; name: string; isFile: boolean; words: PipelineWord[] };

/** What was read, or why nobody can say what it does. */
export type PipelineReading = { commands: PipelineCommand[] } | { problem: string };

// Letters of other alphabets are fine; their dashes, quotes and blanks are PowerShell's own syntax and are not here.
const bareWord = /(?:\$(?:HOME|PWD)(?=$|[\s\\/|,]))?[\p{L}\p{N}_.\\/:*?+=%~^!-]*/iuy;
const constant = /\$(?:null|true|false)(?=$|[\s|,])/iy;
const single = /'([^'\u2018-\u201f\r\n]*)'/y;
// The quotes of other alphabets end a text too, `$` and the backtick begin something that is worked out.
const double = /"([^"$`\u2018-\u201f\r\n]*)"/y;
const quietRedirect = /(?:[1-6*]?>[ \t]*\$null|2>&1)(?=$|[\s|])/iy;
const name = /^[a-z][a-z0-9-]*(?:\.exe)?$/i;

const unread = (what: string) => ({ problem: `${what}, which cannot be read here.` });

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match === null || match[0] === "" ? undefined : match;
}

type Item = { value: string; bare: boolean; end: number };

function readItem(text: string, at: number): Item | undefined {
  const quoted = matchAt(single, text, at) ?? matchAt(double, text, at);
  if (quoted !== undefined) return { value: quoted[1]!, bare: false, end: at + quoted[0].length };
  const fixed = matchAt(constant, text, at);
  if (fixed !== undefined) return { value: fixed[0], bare: false, end: at + fixed[0].length };
  const bare = matchAt(bareWord, text, at);
  if (bare === undefined) return undefined;
  const value = bare[0].replace(/^\$HOME/i, "~").replace(/^\$PWD/i, ".");
  return { value, bare: true, end: at + bare[0].length };
}

/** A word ends at a blank, a pipe or the end; a quote right behind another word is a word of its own to PowerShell. */
function readWord(text: string, start: number): (PipelineWord & { end: number }) | undefined {
  const values: string[] = [];
  let bare = true;
  let at = start;
  for (;;) {
    const item = readItem(text, at);
    if (item === undefined) return undefined;
    values.push(item.value);
    bare &&= item.bare;
    at = item.end;
    if (text[at] !== ",") break;
    at += 1 + /^[ \t]*/.exec(text.slice(at + 1))![0].length;
  }
  if (at < text.length && !/[ \t|]/.test(text[at]!)) return undefined;
  return { text: text.slice(start, at), values, bare, end: at };
}

/** Splits a text into the commands of one pipeline. Total: what it does not know is a problem. */
export function readPipeline(source: string): PipelineReading {
  const text = source.trim();
  if (text === "") return { problem: "The command holds nothing to run." };
  const commands: PipelineCommand[] = [];
  let words: PipelineWord[] = [];
  let begin = 0;
  let at = 0;
  const finish = (end: number): string | undefined => {
    const [first, ...rest] = words;
    if (first === undefined) return "It holds an empty part";
    if (!first.bare || first.values.length !== 1 || !name.test(first.values[0]!))
      return `It begins with ${quote(first.text)}`;
    const written = first.values[0]!.toLowerCase();
    const plain = written.replace(/\.exe$/, "");
    const isFile = plain !== written;
    commands.push({ text: text.slice(begin, end).trim(), name: plain, isFile, words: rest });
    words = [];
    return undefined;
  };
  while (at < text.length) {
    const char = text[at]!;
    if (char === " " || char === "\t") at += 1;
    else if (char === "|" && text[at + 1] !== "|") {
      const problem = finish(at);
      if (problem !== undefined) return unread(problem);
      at += 1;
      begin = at;
    } else {
      const quiet = matchAt(quietRedirect, text, at);
      const word = quiet === undefined ? readWord(text, at) : undefined;
      if (quiet === undefined && word === undefined) return unread(`It holds ${describe(text, at)}`);
      if (word !== undefined) words.push({ text: word.text, values: word.values, bare: word.bare });
      at = quiet === undefined ? word!.end : at + quiet[0].length;
    }
  }
  const problem = finish(text.length);
  return problem === undefined ? { commands } : unread(problem);
}

function describe(text: string, at: number): string {
  const piece = /^\S{1,20}/.exec(text.slice(at))?.[0];
  return piece === undefined ? "more than one line" : quote(piece);
}
