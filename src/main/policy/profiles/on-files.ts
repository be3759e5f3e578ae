/** Decides what a tool may be started on when its files are only found while it runs, by `find -exec` or `xargs`. */
import type { ShellWord } from "../shell-word.ts";
import type { ProfileReading } from "./flag-profile.ts";
import { countsOnly } from "./search-tools.ts";

/** Tools that tell about a file and never print it, and tools that print what it holds. */
const tellers = new Set("wc ls stat du file basename dirname realpath readlink".split(" "));
const printers = new Set("cat head tail grep egrep fgrep nl cut".split(" "));

/** Reads the words of a read-only tool, or says that it is none. */
export type ReadTool = (name: string, words: readonly ShellWord[]) => ProfileReading | undefined;

/**
 * What the words, to which file names will be added, do with those files: only `tells` about them, `finds` words in them,
 * `prints` them, or undefined when that is not known.
 */
export function readOnFiles(
  words: readonly ShellWord[],
  readTool: ReadTool,
): "tells" | "finds" | "prints" | undefined {
  const [tool, ...args] = words;
  if (tool === undefined || [tool, ...args].some((word) => word.glob || word.problem !== undefined))
    return undefined;
  const name = tool.value;
  if (!tellers.has(name) && !printers.has(name)) return undefined;
  const reading = readTool(name, args);
  if (reading === undefined || reading.problem !== undefined) return undefined;
  if (reading.content.length + reading.metadata.length > 0) return undefined;
  // A word that only a missing file name would turn into a value is not one of the tool's own.
  if (/grep$/.test(name) && reading.patterns.length === 0) return undefined;
  if (
    args.some(
      (word) =>
        !word.value.startsWith("-") && !reading.patterns.includes(word.value) && !/^\d+$/.test(word.value),
    )
  )
    return undefined;
  if (tellers.has(name)) return "tells";
  return /grep$/.test(name) && countsOnly.some((flag) => reading.flags.has(flag)) ? "finds" : "prints";
}
