/** Says how many there are of something. */

/** "1 file", "3 files". @param word for one of them, whose plural only has an s more */
export function counted(count: number, word: string): string {
  return `${count} ${count === 1 ? word : `${word}s`}`;
}
