/** What the re-implemented rules of other programs are asked about: single commands, their words, and the files they write. */
import { isAbsolute, relative, resolve } from "node:path";
import { collectUnits } from "../../../src/main/policy/collect-units.ts";
import type { BenchWorkspace } from "../workspace.ts";

export type Part = {
  words: string[];
  /** The words as one text, blanks made single. */
  text: string;
  /** A pattern for file names stands among them. */
  hasPattern: boolean;
  /** The files that its output is redirected to, `/dev/null` and descriptors left out. */
  writes: string[];
};

/**
 * Reads a command as this console reads it, which is stricter than most: what it cannot read counts as not readable for
 * the others too, in favour of their safety.
 * @returns undefined where a part cannot be read
 */
export function partsOf(command: string, { context }: BenchWorkspace): Part[] | undefined {
  const units = collectUnits(command, context);
  const isUnread = ({ problems, words }: (typeof units)[0]) =>
    problems.length > 0 || words.length === 0 || words.some(({ problem }) => problem !== undefined);
  if (units.length === 0 || units.some(isUnread)) return undefined;
  return units.map((unit) => ({
    words: unit.words.map(({ value }) => value),
    text: unit.words.map(({ value }) => value).join(" "),
    hasPattern: unit.words.some(({ glob }) => glob),
    writes: unit.redirects
      .filter(({ operator, target }) => operator.includes(">") && target !== undefined)
      .map(({ target }) => target!.value)
      .filter((path) => path !== "/dev/null" && !/^&?\d$/.test(path)),
  }));
}

/** Relative to the workspace; undefined for a place outside of it. */
export function insideOf(path: string, { workspace }: BenchWorkspace): string | undefined {
  if (path.startsWith("~")) return undefined;
  const below = relative(workspace, resolve(workspace, path));
  return below.startsWith("..") || isAbsolute(below) ? undefined : below;
}
