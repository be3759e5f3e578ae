/** Decides which program a command's first word means, if one literal word says it beyond doubt. */
import type { ShellWord } from "./shell-word.ts";

const trustedDirectories = new Set([
  "/bin",
  "/sbin",
  "/usr/bin",
  "/usr/sbin",
  "/usr/local/bin",
  "/opt/homebrew/bin",
]);
const specialNames = new Set(["[", "[[", ":", "."]);
const plainName = /^[A-Za-z0-9_][A-Za-z0-9_.+@-]*$/;

/** The program's bare name, or the reason why the word does not name one. */
export function readUnitName(word: ShellWord): { name: string } | { problem: string } {
  if (specialNames.has(word.text)) return { name: word.text };
  if (word.problem !== undefined) return { problem: `The command's name is not literal. ${word.problem}` };
  if (word.glob) return { problem: "The command's name is a file pattern." };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: anything but ASCII may look like another name
  if (/[^\x00-\x7f]/.test(word.value)) return { problem: "The command's name has letters outside of ASCII." };
  const slash = word.value.lastIndexOf("/");
  const name = word.value.slice(slash + 1);
  if (slash >= 0 && !trustedDirectories.has(word.value.slice(0, slash))) {
    return { problem: `${word.value} is a program outside of the system's own directories.` };
  }
  if (!plainName.test(name)) return { problem: "The command's name is not an ordinary program name." };
  return { name };
}
