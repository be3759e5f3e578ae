/** Any character of Unicode, for the strings of a property. */
import fc from "fast-check";

const surrogates = { from: 0xd800, count: 0x800 };

/**
 * The same characters as the library's own "binary", which keeps a map of all 1.1 million of them: 185 MB in each process,
 * by which every command that a later test starts takes longer.
 */
export const anyCharacter = fc.nat(0x10ffff - surrogates.count).map(
  (at) => String.fromCodePoint(at < surrogates.from ? at : at + surrogates.count),
  (character) => placeOf(String(character)),
);

function placeOf(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  return point < surrogates.from ? point : point - surrogates.count;
}
