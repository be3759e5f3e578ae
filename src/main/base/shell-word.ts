/** A text as one word of a POSIX shell. */

/** @returns the text in quotes, as no shell takes it apart. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
