/** Turns what a terminal received into the plain text a model should read, or into the same text with its colours. */

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: terminal control sequences are what is matched here
/** OSC and the other string sequences; an unterminated one loses its introducer only, so it cannot hide what follows. */
const stringSequence = /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[PX^_][^\u001b]*\u001b\\/g;
const controlSequence = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]/g;
const otherEscape = /\u001b[ -/]*[0-~]?/g;
/** Everything of C0, DEL and C1 that is not tab, newline, return or backspace. */
const controlCharacter = /[\u0000-\u0007\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
/** A choice of colour or weight, and how it starts: the escape character, or its 8-bit form. */
const colourSequence = /^(?:\u001b\[|\u009b)([\d;:]{0,64})m$/;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: end of the control sequences

/** Stands for the start of a colour sequence while all else is stripped: no decoder makes a lone surrogate. */
const colourMark = "\ud800";
const colour = /\ud800([\d;:]*)m/g;
const colourOrCharacter = /\ud800[\d;:]*m|./gsu;

/** The colours chosen in a piece that is not shown: they hold for what follows, from the last one that ends all others. */
function coloursIn(piece: string): string {
  const colours = piece.match(colour) ?? [];
  const from = colours.findLastIndex((one) => one === `${colourMark}m` || one === `${colourMark}0m`);
  return colours.slice(Math.max(0, from)).join("");
}

const withoutColours = (text: string) => text.replace(colour, "");

function withoutErased(line: string): string {
  if (!line.includes("\b")) return line;
  const kept: { colours: string; character: string }[] = [];
  let colours = "";
  for (const [piece] of line.matchAll(colourOrCharacter)) {
    if (piece === "\b") colours = (kept.pop()?.colours ?? "") + colours;
    else if (piece.startsWith(colourMark)) colours += piece;
    else {
      kept.push({ colours, character: piece });
      colours = "";
    }
  }
  return kept.map((one) => one.colours + one.character).join("") + colours;
}

/** What a line shows after its last return: progress bars redraw one line many times, only the last state counts. */
function lastDrawn(line: string): string {
  if (!line.includes("\r")) return withoutErased(line);
  const drawings = line.split("\r");
  const at = Math.max(
    0,
    drawings.findLastIndex((drawing) => withoutColours(drawing) !== ""),
  );
  const before = coloursIn(drawings.slice(0, at).join(""));
  const behind = coloursIn(drawings.slice(at + 1).join(""));
  return before + withoutErased(drawings[at] ?? "") + behind;
}

/** Strips escape sequences and control characters, normalises CRLF to LF and collapses redrawn lines. */
export function cleanOutput(raw: string): string {
  return withoutColours(cleanMarked(raw));
}

/** The very words of `cleanOutput`, and among them choices of colour and weight as SGR; no other sequence passes. */
export function cleanColouredOutput(raw: string): string {
  return cleanMarked(raw).replace(colour, "\u001b[$1m");
}

function markColour(sequence: string): string {
  const parameters = colourSequence.exec(sequence)?.[1];
  return parameters === undefined ? "" : `${colourMark}${parameters}m`;
}

function cleanMarked(raw: string): string {
  const text = raw
    .toWellFormed()
    .replace(stringSequence, "")
    .replace(controlSequence, markColour)
    .replace(otherEscape, "")
    .replace(controlCharacter, "")
    .replace(/\r+\n/g, "\n");
  if (!text.includes("\r") && !text.includes("\b")) return text;
  return text.split("\n").map(lastDrawn).join("\n");
}
