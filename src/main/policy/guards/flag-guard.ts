/** Finds flags that always ask in the words of a program whose other flags are not limited. */
import type { ShellWord } from "../shell-word.ts";

/** Long names (abbreviations count) and short letters that ask; letters in `valued` end a bundle. */
export type FlagGuard = { long: readonly string[]; short: string; valued: string; reason: string };

/** The first asking flag, as written, or undefined. A file pattern that could turn into a flag counts. */
export function findFlag(guard: FlagGuard, args: readonly ShellWord[]): string | undefined {
  for (const word of args) {
    const value = word.value;
    if (value === "--") return undefined;
    if (word.leadingGlob) return value;
    if (value.startsWith("--")) {
      const name = value.slice(2).split("=")[0]!;
      if (name !== "" && guard.long.some((each) => each.startsWith(name))) return value;
    } else if (value.startsWith("-")) {
      for (const letter of value.slice(1)) {
        if (guard.short.includes(letter)) return value;
        if (guard.valued.includes(letter)) break;
      }
    }
  }
  return undefined;
}
