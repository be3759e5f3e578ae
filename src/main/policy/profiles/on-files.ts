/** Decides what a tool may be started on when its files are only found while it runs, by `find -exec` or `xargs`. */
import type { ShellWord } from "../shell-word.ts";
import type { ProfileReading } from "./flag-profile.ts";
import { countsOnly, recursive } from "./search-tools.ts";

/** Tools that tell about a file from outside, that count what it holds, and that print it. */
const tellers = new Set("ls stat du file basename dirname realpath readlink".split(" "));
const counters = new Set(["wc"]);
const printers = new Set("cat head tail grep egrep fgrep nl cut".split(" "));

/** What a tool does with files: looks at them from outside, counts or finds words in them, or prints them. */
export type FileUse = "tells" | "counts" | "finds" | "prints";

/** Reads the words of a read-only tool, or says that it is none. */
export type ReadTool = (name: string, words: readonly ShellWord[]) => ProfileReading | undefined;

/**
 * What the words, to which file names will be added, do with those files, or undefined when that is not known.
 */
export function readOnFiles(words: readonly ShellWord[], readTool: ReadTool): FileUse | undefined {
  const [tool, ...args] = words;
  if (tool === undefined || [tool, ...args].some((word) => word.glob || word.problem !== undefined))
    return undefined;
  const name = tool.value;
  if (![tellers, counters, printers].some((tools) => tools.has(name))) return undefined;
  const reading = readTool(name, args);
  if (reading === undefined || reading.problem !== undefined) return undefined;
  if (reading.content.length + reading.metadata.length > 0) return undefined;
  const goesDeeper = [...recursive, "-d", "--directories"];
  if (goesDeeper.some((flag) => reading.flags.has(flag))) return undefined;
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
  if (counters.has(name)) return "counts";
  return /grep$/.test(name) && countsOnly.some((flag) => reading.flags.has(flag)) ? "finds" : "prints";
}
