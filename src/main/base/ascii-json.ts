/** JSON for whoever reads bytes as they like: terminals, agents, programs of any locale. */

/** JSON of one line, for whatever counts as a line, without any character that a terminal could obey. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
