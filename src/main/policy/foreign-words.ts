/** The one way in which words of an agent, a folder or a server come into a sentence of the policy: set off, so that they say nothing themselves. */

/** Without a blank there is no sentence; what is longer than this is read by nobody. */
const plainWord = /^[!#-~]{1,120}$/;
const longest = 200;

/** In one line, without quotes that could end those around it, and cut where it is long. */
export function oneLine(text: string): string {
  const line = text
    .slice(0, longest)
    .replace(/[\p{C}\p{Z}]+/gu, " ")
    .replace(/["“”„‟″]/g, "'");
  return text.length > longest ? `${line}…` : line;
}

/** The text as it may stand in a sentence: a plain word as it is, anything else between quotes that it cannot end. */
export function quote(text: string): string {
  return plainWord.test(text) ? text : `“${oneLine(text)}”`;
}
