/** Writes what the recogniser found as a flat list of texts, the form in which independent readers are compared. */
import type { PlainCommand, PlainPiece, PlainScript, PlainWord } from "./plain-script.ts";

/** Marks in a listed word, from characters that no judged command may hold: before a pattern, around a name. */
export const patternMark = "\u0001";
export const nameMark = "\u0002";

function listPiece({ kind, text }: PlainPiece): string {
  if (kind === "pattern") return patternMark + text;
  return kind === "text" ? text : `${nameMark}${text}${nameMark}`;
}

function listWord(word: PlainWord): string {
  return word.pieces.map(listPiece).join("");
}

/** Assignments, words and redirections of one command, in source order. */
function listCommand(command: PlainCommand): string[] {
  const entries: [start: number, lines: string[]][] = [
    ...command.assignments.map(({ name, value }): [number, string[]] => [
      value.start,
      [`set ${name}=${listWord(value)}`],
    ]),
    ...command.words.map((word): [number, string[]] => [word.start, [`word ${listWord(word)}`]]),
    ...command.redirects.map(({ start, operator, descriptor, target }): [number, string[]] => [
      start,
      [`open ${descriptor}${operator}`, ...(target === undefined ? [] : [`word ${listWord(target)}`])],
    ]),
  ];
  entries.sort(([a], [b]) => a - b);
  const begins = command.words.length + command.assignments.length > 0 ? ["command"] : [];
  return [...begins, ...entries.flatMap(([, lines]) => lines)];
}

/** The list of a script: `command`, `word …`, `set NAME=…`, `open 2>`, `here …` and joints. */
export function listScript(script: PlainScript): string[] {
  const texts: string[] = [];
  const heres: string[] = [];
  for (const part of script) {
    if (typeof part === "string") texts.push(/^[a-z][a-z0-9]*$/.test(part) ? `joint ${part}` : part);
    else if ("pieces" in part) texts.push(`word ${listWord(part)}`);
    else {
      texts.push(...listCommand(part));
      for (const { body } of part.redirects) if (body !== undefined) heres.push(`here ${body.trimStart()}`);
    }
  }
  return [...texts, ...heres];
}
