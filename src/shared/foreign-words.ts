/** The one way in which words of others come into a sentence of the console: set off, so that they say nothing themselves. */

/** Without a blank there is no sentence; what is longer than this is read by nobody. */
const plainWord = /^[!#-~]{1,120}$/;
const longest = 200;

/** For between quotes: none that could end those around it. The rest stays, for whoever points misleading characters out. */
export function withoutQuotes(text: string): string {
  return text.replace(/["“”„‟″]/g, "'");
}

/** Between straight quotes: those of print would be pointed out where the sentence is drawn. */
export function inQuotes(text: string): string {
  return `"${withoutQuotes(text)}"`;
}

/** In one line, without quotes that could end those around it, and cut where it is long. */
export function oneLine(text: string): string {
  const line = text.slice(0, longest).replace(/[\p{C}\p{Z}]+/gu, " ");
  return `${withoutQuotes(line)}${text.length > longest ? "…" : ""}`;
}

/** The text as it may stand in a sentence: a plain word as it is, anything else between quotes, in one line. */
export function quote(text: string): string {
  return plainWord.test(text) ? text : `"${oneLine(text)}"`;
}

/** The same for a title that is drawn with its misleading characters pointed out. */
export function quoteName(name: string): string {
  return plainWord.test(name) ? name : inQuotes(name);
}
