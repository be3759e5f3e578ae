/** Reads terminal output as lines of coloured text: SGR colours kept, `\r`, backspace and erase-line obeyed, old lines let go. */

export type AnsiStyle = {
  /** Index into the 16 terminal colours, or a CSS colour. */
  color?: number | string;
  background?: number | string;
  bold?: boolean;
  dim?: boolean;
  italic?: boolean;
  underline?: boolean;
  inverse?: boolean;
};
/** `foreign`: no terminal printed it, so its misleading characters are there still. */
export type AnsiRun = { text: string; style: AnsiStyle; foreign?: true };
export type AnsiLine = readonly AnsiRun[];

export type AnsiText = {
  write(chunk: string): void;
  /** All lines as they stand now; a line that did not change is the same array as before. */
  lines(): readonly AnsiLine[];
};

const longestLine = 20_000;
// CSI, OSC, other string sequences, charset choices and two-character escapes; an unfinished one at the end is kept for the next write.
const sequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences start with the escape character
  /\u001b(?:\[([0-?]*)[ -/]*([@-~])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[PX^_][^\u001b]*\u001b\\|[()*+][0-9A-Z]|[ -/]*[0-~])/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences start with the escape character
const unfinished = /\u001b(?:\[[0-?]*[ -/]*|\][^\u0007\u001b]*\u001b?|[PX^_][^\u001b]*\u001b?|[()*+]?)$/;
const plain: AnsiStyle = {};

type Cell = { character: string; style: AnsiStyle };

/** @param mostLines a program that runs may print without end, so only its last lines are kept. */
export function createAnsiText(mostLines = 2_000): AnsiText {
  let done: AnsiLine[] = [];
  let cells: Cell[] = [];
  let column = 0;
  let style = plain;
  let rest = "";

  function control(parameters: string, final: string): void {
    const [first = 0] = parameters.split(";").map(Number);
    if (final === "m") style = applySgr(style, parameters);
    else if (final === "K") erase(first);
    else if (final === "G") column = Math.min(longestLine, Math.max(0, (first || 1) - 1));
    else if (final === "C") column = Math.min(longestLine, column + (first || 1));
    else if (final === "D") column = Math.max(0, column - (first || 1));
  }

  function erase(mode: number): void {
    if (mode === 0) cells.length = Math.min(cells.length, column);
    else if (mode === 2) cells = [];
    else for (let index = 0; index <= column && index < cells.length; index += 1) cells[index] = blank;
  }

  function put(character: string): void {
    if (character === "\n") {
      done.push(toRuns(cells));
      if (done.length > mostLines * 2) done = done.slice(-mostLines);
      cells = [];
      column = 0;
    } else if (character === "\r") column = 0;
    else if (character === "\b") column = Math.max(0, column - 1);
    else if ((character >= " " || character === "\t") && character !== "\u007f" && column < longestLine) {
      while (cells.length < column) cells.push(blank);
      cells[column++] = { character, style };
    }
  }

  function write(chunk: string): void {
    let data = rest + chunk;
    rest = unfinished.exec(data)?.[0] ?? "";
    data = rest ? data.slice(0, -rest.length) : data;
    for (let at = 0; at < data.length; ) {
      const character = String.fromCodePoint(data.codePointAt(at) ?? 0);
      sequence.lastIndex = at;
      const match = character === "\u001b" ? sequence.exec(data) : null;
      if (match?.[2]) control(match[1] ?? "", match[2]);
      else if (!match) put(character);
      at += match ? match[0].length : character.length;
    }
  }

  return { write, lines: () => [...done.slice(-mostLines), toRuns(cells)] };
}

/** Finished output at once. */
export function readAnsiText(text: string): readonly AnsiLine[] {
  const reader = createAnsiText(Number.POSITIVE_INFINITY);
  reader.write(text);
  const lines = reader.lines();
  let end = lines.length;
  while (end > 0 && lines[end - 1]?.every((run) => run.text.trim() === "")) end -= 1;
  return lines.slice(0, end);
}

/** What no terminal printed, as it is: every control of it is there still. */
export function readForeignText(text: string): readonly AnsiLine[] {
  const lines = text.trimEnd().split(/\r?\n/);
  return text.trim() === "" ? [] : lines.map((line) => [{ text: line, style: plain, foreign: true }]);
}

const blank: Cell = { character: " ", style: plain };

function toRuns(cells: readonly Cell[]): AnsiLine {
  const runs: AnsiRun[] = [];
  for (const { character, style } of cells) {
    const last = runs.at(-1);
    if (last?.style === style) last.text += character;
    else runs.push({ text: character, style });
  }
  return runs;
}

/** The style after an SGR sequence such as `1;31`. */
function applySgr(before: AnsiStyle, parameters: string): AnsiStyle {
  const codes = parameters.split(/[;:]/).map(Number);
  let style = { ...before };
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    if (code === 38 || code === 48) {
      const [color, used] = extendedColor(codes.slice(index + 1));
      style[code === 38 ? "color" : "background"] = color;
      index += used;
    } else style = code === 0 ? {} : { ...style, ...simpleSgr(code) };
  }
  return style;
}

const flags: Record<number, AnsiStyle> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  22: { bold: undefined, dim: undefined },
  23: { italic: undefined },
  24: { underline: undefined },
  27: { inverse: undefined },
  39: { color: undefined },
  49: { background: undefined },
};

function simpleSgr(code: number): AnsiStyle {
  if (code >= 30 && code <= 37) return { color: code - 30 };
  if (code >= 90 && code <= 97) return { color: code - 82 };
  if (code >= 40 && code <= 47) return { background: code - 40 };
  if (code >= 100 && code <= 107) return { background: code - 92 };
  return flags[code] ?? {};
}

/** `5;n` or `2;r;g;b`. @returns the colour and how many codes it took. */
function extendedColor([kind, ...rest]: readonly number[]): [number | string | undefined, number] {
  const channel = (value = 0) => Math.min(255, Math.max(0, value));
  if (kind === 2) return [`rgb(${rest.slice(0, 3).map(channel).join(" ")})`, 4];
  if (kind !== 5) return [undefined, 1];
  const [index = 0] = rest;
  if (index < 16) return [index, 2];
  if (index > 231)
    return [
      `rgb(${Array(3)
        .fill(8 + (index - 232) * 10)
        .join(" ")})`,
      2,
    ];
  const level = (part: number) => (part === 0 ? 0 : 55 + part * 40);
  const cube = index - 16;
  return [`rgb(${level(Math.floor(cube / 36))} ${level(Math.floor(cube / 6) % 6)} ${level(cube % 6)})`, 2];
}
