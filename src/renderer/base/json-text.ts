/** JSON as people read it, also where whoever wrote it wants that nobody can. */

/** Of the spaces before its lines; a value that needs more is nested for show. */
const mostIndentation = 2_000_000;

/** In lines, each part below what it belongs to; in one line where those would be mostly empty and without end. */
export function jsonText(value: unknown): string {
  const isTooWide = indentationOf(value) > mostIndentation;
  return JSON.stringify(value, null, isTooWide ? undefined : 2) ?? "";
}

function indentationOf(value: unknown): number {
  let spaces = 0;
  let level = [value];
  for (let depth = 0; level.length > 0 && spaces <= mostIndentation; depth += 1) {
    spaces += level.length * 2 * depth;
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
  return spaces;
}
