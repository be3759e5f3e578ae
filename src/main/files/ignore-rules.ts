/** Reads which folders a project's `.gitignore` leaves to its tools, so that a build does not drown what people wrote. */
import { compilePattern } from "./find-files.ts";

/** One line of a `.gitignore`; the path is from the folder of that file, with `/`. */
type IgnoreRule = {
  readonly keeps: boolean;
  matches(path: string): boolean;
};

/** The rules of one folder's `.gitignore`; `prefix` is that folder from the start of the walk, empty or ending in `/`. */
export type IgnoreRules = {
  readonly prefix: string;
  readonly rules: readonly IgnoreRule[];
};

function parseLine(line: string): IgnoreRule | null {
  const trimmed = line.replace(/\r$/, "").replace(/(?<!\\) +$/, "");
  if (trimmed === "" || trimmed.startsWith("#")) return null;
  const keeps = trimmed.startsWith("!");
  const named = trimmed.slice(keeps ? 1 : 0).replace(/\/$/, "");
  // Only folders are asked about, and `x/**` means what is in x, not x.
  const pattern = named.replace(/^\//, "").replace(/\/\*\*$/, "/**/*");
  if (pattern === "") return null;
  try {
    // Braces and parentheses are plain characters here.
    const matches = compilePattern(pattern.replace(/[{}()]/g, "\\$&"));
    const anchored = named.includes("/");
    return {
      keeps,
      matches: (path) => matches(anchored ? path : path.slice(path.lastIndexOf("/") + 1)),
    };
  } catch {
    // With too many wildcards to be tried safely it ignores nothing.
    return null;
  }
}

/** The rules a `.gitignore` holds; a line that cannot be read is left out. */
export function readIgnoreRules(prefix: string, text: string): IgnoreRules {
  return { prefix, rules: text.split("\n").flatMap((line) => parseLine(line) ?? []) };
}

/**
 * Whether git would leave a folder out, by the last rule that fits, the nearest file's last.
 * @param folder the path from the start of the walk, with `/` and none at the end; the folders above it are not ignored
 * @param layers from the start of the walk downwards
 */
export function ignoresFolder(folder: string, layers: readonly IgnoreRules[]): boolean {
  let ignored = false;
  for (const { prefix, rules } of layers) {
    if (!folder.startsWith(prefix)) continue;
    const path = folder.slice(prefix.length);
    for (const rule of rules) if (rule.keeps === ignored && rule.matches(path)) ignored = !rule.keeps;
  }
  return ignored;
}
