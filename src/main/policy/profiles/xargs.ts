/** Reads an `xargs` that only tells about files which a `find` before it in the pipeline lists. */

import { resolvePathIn } from "../path-place.ts";
import type { Scene, Tools } from "../policy-context.ts";
import type { ShellUnit } from "../shell-unit.ts";
import type { ShellWord } from "../shell-word.ts";
import { mayTake, readFound } from "./find.ts";
import type { ProfileReading } from "./flag-profile.ts";
import { type ReadTool, readOnFiles } from "./on-files.ts";
import { readReadOnlyTool } from "./read-only-tools.ts";

/** Filters with the words, each behind a blank, that leave out or arrange whole lines. Any other may cut a name, or add some. */
const lineFilters: Record<string, RegExp> = {
  head: /^(?:(?: -n ?| -| --lines=)\d+)?$/,
  tail: /^(?:(?: -n ?| -| --lines=)\d+)?$/,
  sort: /^(?: -[rnuVf]+)*$/,
  uniq: /^(?: -[ui]+)*$/,
};

/** Whether a filter hands on lines of what it is given and of nothing else, such as a file among its words. */
function keepsLines(name: string, { words }: ShellUnit): boolean {
  const said = words.slice(1).map((word) => ` ${word.value}`);
  return lineFilters[name]!.test(said.join(""));
}

function findLister(unit: ShellUnit | undefined): ShellUnit | undefined {
  if (unit === undefined || unit.redirects.length > 0) return undefined;
  const name = unit.words[0]?.value ?? "";
  if (Object.hasOwn(lineFilters, name))
    return keepsLines(name, unit) ? findLister(unit.pipedFrom) : undefined;
  return name === "find" ? unit : undefined;
}

/** The folders that a `find` starts from; undefined when it prints anything else than the paths it finds. */
function startsOf({ words }: ShellUnit): readonly ShellWord[] | undefined {
  const args = words.slice(1).map((word) => word.value);
  if (args.some((arg) => /^-(?:printf|ls|exec)$/.test(arg)) || words.some((word) => word.glob))
    return undefined;
  const end = args.findIndex((arg) => /^[-!(]/.test(arg));
  return words.slice(1, end < 0 ? undefined : end + 1);
}

/** What stands behind a `-print` no longer decides what is printed. */
function testsBeforePrint({ words }: ShellUnit): readonly ShellWord[] {
  const print = words.findIndex(({ value }) => /^-print0?$/.test(value));
  return words.slice(1, print < 0 ? undefined : print);
}

/**
 * Reads the words after `xargs`, or says that nobody can know what it would do. xargs makes several words of a name
 * with blanks, one of which may be an option, so the names that are there are looked at.
 */
export function readXargs(
  unit: ShellUnit,
  words: readonly ShellWord[],
  { context, cwds }: Scene,
  tools: Tools,
): ProfileReading | undefined {
  const lister = findLister(unit.pipedFrom);
  const starts = lister && startsOf(lister);
  if (lister === undefined || starts === undefined) return undefined;
  const readTool: ReadTool = (name, args) => readReadOnlyTool(name, args, tools);
  const skipped = words[0]?.value === "-r" || words[0]?.value === "-0" ? 1 : 0;
  const use = readOnFiles(words.slice(skipped), readTool);
  if (use === undefined) return undefined;
  const content = use !== "tells";
  const found = readFound(testsBeforePrint(lister), starts, content);
  if (!mayTake(use, found)) return undefined;
  const roots = starts.length === 0 ? ["."] : starts.map(({ value }) => value);
  const odd = roots.some((start) =>
    cwds.some((cwd) => {
      const real = resolvePathIn(start, cwd, context);
      const names = real === undefined ? undefined : context.look?.namesBelow(real);
      return (
        /[^\w./-]/.test(start) ||
        names === undefined ||
        names.some((name) => /[^\w.@+,=~#%-]|^[-@]/.test(name))
      );
    }),
  );
  if (odd) return undefined;
  const named = content ? { content: [...starts], metadata: [] } : { content: [], metadata: [...starts] };
  return { ...named, patterns: [], flags: new Set(), found: [found] };
}
