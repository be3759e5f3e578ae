/** Words without the marks of Markdown, for places that show them as plain text. */

const fence = /^[ \t]*(?:```|~~~).*$/;
/** The line below a table's head, or one across the page. */
const rule = /^(?=.*---)[ \t|:-]+$/;
/** Headings, quotes and lists. */
const beginning = /^[ \t]*(?:(?:#{1,6}|>|[-*+])[ \t]+)+/;
const tableRow = /^[ \t]*\|(.*)\|[ \t]*$/;
const bold = /\*\*([^*\n]+)\*\*/g;
const code = /`+([^`\n]+)`+/g;

/**
 * Takes away what only a reader of Markdown would not see. Links keep their address, since it says where they lead, and
 * a mark without its partner stays.
 */
export function withoutMarks(text: string): string {
  return text
    .split("\n")
    .filter((line) => !fence.test(line) && !rule.test(line))
    .map(plainLine)
    .join("\n");
}

function plainLine(line: string): string {
  const cells = tableRow.exec(line)?.[1];
  const words = cells === undefined ? line.replace(beginning, "") : cells.split("|").join(" · ");
  return words.replace(bold, "$1").replace(code, "$1");
}
