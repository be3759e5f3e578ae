/** Cuts a long text into parts that can be drawn, counted and read one by one. */

/** `startsLine` is false for the rest of a line that is too long for one part. */
export type TextLine = { text: string; startsLine: boolean };

const longestPart = 1_000;

/** Joined, with a line end before each part that starts a line but the first, they are the text. */
export function splitText(text: string): TextLine[] {
  return text.split("\n").flatMap((line) => {
    if (line.length <= longestPart) return [{ text: line, startsLine: true }];
    const parts: TextLine[] = [];
    for (let at = 0; at < line.length; ) {
      const end = wholeUntil(line, at + longestPart);
      parts.push({ text: line.slice(at, end), startsLine: at === 0 });
      at = end;
    }
    return parts;
  });
}

/** Never between the two halves of one character. */
function wholeUntil(line: string, end: number): number {
  const code = line.charCodeAt(end);
  return code >= 0xdc00 && code <= 0xdfff ? end + 1 : end;
}
