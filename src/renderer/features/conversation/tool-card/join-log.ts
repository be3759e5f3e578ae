/** Puts what a log shows in the place of what its command's result says, and keeps what was added to the result. */
import type { Log } from "../../terminal/use-log.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: colour sequences start with the escape character
const colour = /\u001b\[[\d;:]*m/g;
/** So much of the output's end tells where the notes behind it begin. */
const comparedChars = 400;
const mostNotes = 6;

/**
 * A result is the output, perhaps without its middle, and notes about how the command ended.
 * @param bytes what the command printed. A log that holds less was cut short, and is not used.
 * @returns `undefined` where the log does not end as the result does: then the result stands as it is. `lines` only where
 * the log's middle is missing.
 */
export function joinLog(result: string, log: Log, bytes = 0): { text: string; lines?: number } | undefined {
  if (log.bytes < bytes) return undefined;
  const words = log.text.replace(colour, "").replaceAll("\r\n", "\n").trimEnd();
  const end = noteStarts(result).find((start) => endsAlike(words, result.slice(0, start).trimEnd()));
  if (end === undefined) return undefined;
  const notes = result.slice(end);
  const isCut = log.lines !== undefined && log.lines > log.text.split("\n").length;
  return { text: `${log.text.trimEnd()}\u001b[0m${notes}`, lines: isCut ? log.lines : undefined };
}

/** Where notes may begin, the likeliest first: nowhere, then at each of the last lines in brackets. */
function noteStarts(result: string): number[] {
  const starts = [result.length];
  for (let at = result.length; at > 0 && starts.length <= mostNotes; ) {
    at = result.lastIndexOf("\n[", at - 1);
    if (at >= 0) starts.push(at);
  }
  return starts;
}

function endsAlike(words: string, output: string): boolean {
  return output.length < comparedChars ? words === output : words.endsWith(output.slice(-comparedChars));
}
