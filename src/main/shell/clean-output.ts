/** Turns what a terminal received into the plain text a model should read. */

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: terminal control sequences are what is matched here
/** OSC and the other string sequences; an unterminated one loses its introducer only, so it cannot hide what follows. */
const stringSequence = /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[PX^_][^\u001b]*\u001b\\/g;
const controlSequence = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]/g;
const otherEscape = /\u001b[ -/]*[0-~]?/g;
/** Everything of C0, DEL and C1 that is not tab, newline, return or backspace. */
const controlCharacter = /[\u0000-\u0007\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: end of the control sequences

function eraseBackspaced(line: string): string {
  const kept: string[] = [];
  for (const character of line) {
    if (character === "\b") kept.pop();
    else kept.push(character);
  }
  return kept.join("");
}

/** What a line shows after its last return: progress bars redraw one line many times, only the last state counts. */
function lastDrawn(line: string): string {
  const drawn = line.includes("\r") ? (line.split("\r").findLast((part) => part !== "") ?? "") : line;
  return drawn.includes("\b") ? eraseBackspaced(drawn) : drawn;
}

/** Strips escape sequences and control characters, normalises CRLF to LF and collapses redrawn lines. */
export function cleanOutput(raw: string): string {
  const text = raw
    .replace(stringSequence, "")
    .replace(controlSequence, "")
    .replace(otherEscape, "")
    .replace(controlCharacter, "")
    .replace(/\r+\n/g, "\n");
  if (!text.includes("\r") && !text.includes("\b")) return text;
  return text.split("\n").map(lastDrawn).join("\n");
}
