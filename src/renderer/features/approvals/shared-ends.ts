/** Finds what several texts have in common at their beginning and their end. */

/** Whole words and parts of paths, so that what differs is not cut within a name. */
const boundary = /[\s/]/;

/** @returns how many characters all of them share at their start and, of what is left of the shortest, at their end. */
export function sharedEnds(texts: readonly string[]): [start: number, end: number] {
  const [first = "", ...others] = texts;
  if (others.length === 0) return [0, 0];
  const room = Math.min(...texts.map((text) => text.length));
  const isShared = (at: (text: string) => string | undefined) =>
    others.every((text) => at(text) === at(first));
  let start = 0;
  while (start < room && isShared((text) => text[start])) start += 1;
  while (start > 0 && !boundary.test(first[start - 1] ?? "")) start -= 1;
  let end = 0;
  while (end < room - start && isShared((text) => text[text.length - 1 - end])) end += 1;
  while (end > 0 && !boundary.test(first[first.length - end] ?? "")) end -= 1;
  return [start, end];
}
