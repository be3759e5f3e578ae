/** Looks up how a program's words are read when the program is one of the closed list of read-only tools. */
import type { Tools } from "../policy-context.ts";
import type { ShellWord } from "../shell-word.ts";
import { fileListing } from "./file-listing.ts";
import { type FlagProfile, type ProfileReading, readProfile } from "./flag-profile.ts";
import { searchTools } from "./search-tools.ts";
import { specialTools } from "./special-tools.ts";
import { systemInfo } from "./system-info.ts";
import { textTools } from "./text-tools.ts";

const tables: readonly Record<string, FlagProfile>[] = [textTools, searchTools, fileListing, systemInfo];

/** The reading of a read-only tool's words as such tools read them, or undefined when the program is none of them. */
export function readReadOnlyTool(
  name: string,
  words: readonly ShellWord[],
  tools: Tools,
): ProfileReading | undefined {
  const special = Object.hasOwn(specialTools, name) ? specialTools[name] : undefined;
  if (special) return special(words, tools, (inner, args) => readReadOnlyTool(inner, args, tools));
  const table = tables.find((each) => Object.hasOwn(each, name));
  return table && readProfile(table[name]!, words, tools);
}

/** The profiles of all tools that have one, for the tests that go through them. */
export const flagProfiles: Readonly<Record<string, FlagProfile>> = Object.assign({}, ...tables);
