/** Makes names comparable as disks compare them: two that any disk takes for one have the same key. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const plain = /^[\x00-\x7f]*$/;

/** Normalised and folded in full, so that `ſ` is s, `ß` is ss and `É` is e with its accent behind it. */
export function foldName(text: string): string {
  // Nearly all names; the rest takes five passes.
  if (plain.test(text)) return text.toLowerCase();
  return text.normalize("NFD").toLowerCase().toUpperCase().toLowerCase().normalize("NFD");
}
