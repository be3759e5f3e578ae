/** A shell's pattern of one name is read as wide as any shell could take it, and an escaped character as itself. */
import { expect, it } from "vitest";
import { haveCommonName, readShellPattern, readTablePattern } from "./name-pattern.ts";

it.each([
  ["a\\*", "a*", false],
  ["A?", "ab", true],
  ["a?", "a", false],
  ["a[bc]d", "axd", true],
  ["a[b", "ab", true],
  ["a[]]b", "axb", true],
  ["a\\[b", "ab", false],
  // Of `a\/b` this is what stands in front of the slash.
  ["a\\", "a", false],
])("reads %s beside %s", (shell, name, common) => {
  expect(haveCommonName(readShellPattern(shell), readTablePattern(name.replaceAll("*", "x")))).toBe(common);
});
