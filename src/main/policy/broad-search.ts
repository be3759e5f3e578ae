/** Tells whether a search that goes through folders would print secrets: by the files that are there, not by its pattern. */

import { isWithin } from "../paths/path-style.ts";
import { couldMatchSecret } from "./file-pattern.ts";
import { resolvePathIn } from "./path-place.ts";
import type { ProfileReading } from "./profiles/flag-profile.ts";
import type { SecretSearch, ShellContext } from "./shell-context.ts";
import type { ShellWord } from "./shell-word.ts";

type Scene = { context: ShellContext; cwds: readonly string[] };

/** What goes through folders, and with what it leaves files out. */
type Descent = { roots: readonly string[]; search: SecretSearch };

const recursive = ["-r", "-R", "--recursive", "--dereference-recursive"];
const followsLinks: Record<string, readonly string[]> = {
  grep: ["-R", "--dereference-recursive"],
  rg: ["-L", "--follow"],
};

function valuesOf(reading: ProfileReading, ...flags: string[]): string[] {
  return flags.flatMap((flag) => reading.values?.get(flag) ?? []);
}

/** A plain glob of one name as a test; one that is anything else lets every name pass, or none when it leaves out. */
function toTest(glob: string, otherwise: boolean): (name: string) => boolean {
  if (!/^[\w.*?@+-]+$/.test(glob)) return () => otherwise;
  const source = glob.replace(/[.+]/g, "\\$&").replaceAll("*", ".*").replaceAll("?", ".");
  const expression = new RegExp(`^${source}$`);
  return (name) => expression.test(name);
}

function filterNames(only: readonly string[], without: readonly string[]): (name: string) => boolean {
  const takes = only.map((glob) => toTest(glob, true));
  const drops = without.map((glob) => toTest(glob, false));
  return (name) =>
    (takes.length === 0 || takes.some((test) => test(name))) && !drops.some((test) => test(name));
}

function readGrep(reading: ProfileReading, words: readonly string[]): Descent | undefined {
  const recurses = valuesOf(reading, "-d", "--directories").some((value) => value.startsWith("r"));
  if (!recursive.some((flag) => reading.flags.has(flag)) && !recurses) return undefined;
  const dropsFolder = filterNames([], valuesOf(reading, "--exclude-dir"));
  return {
    roots: words,
    search: {
      hidden: true,
      reads: filterNames(valuesOf(reading, "--include"), valuesOf(reading, "--exclude")),
      enters: dropsFolder,
    },
  };
}

function readRipgrep(reading: ProfileReading, words: readonly string[]): Descent {
  const globs = valuesOf(reading, "-g", "--glob", "--iglob");
  const only = globs.filter((glob) => !glob.startsWith("!"));
  // A glob that names hidden files brings them back, whatever else is said.
  const hidden =
    only.length > 0 || ["-u", "--hidden", "--unrestricted", "-."].some((flag) => reading.flags.has(flag));
  return { roots: words, search: { hidden, reads: filterNames(only, []) } };
}

function readDiff(reading: ProfileReading, words: readonly string[]): Descent | undefined {
  const deep = reading.flags.has("-r") || reading.flags.has("--recursive");
  const brief = ["-q", "--brief"].some((flag) => reading.flags.has(flag));
  const reads = filterNames([], valuesOf(reading, "-x", "--exclude"));
  // Two folders are compared file by file in any case, and links are read as what they lead to.
  const depth = deep ? undefined : 1;
  return brief
    ? undefined
    : { roots: words, search: { hidden: true, depth, reads, enters: reads, follows: true } };
}

function readDescent(name: string, reading: ProfileReading): Descent | undefined {
  const roots = reading.content.map((word: ShellWord) => (word.glob ? "." : word.value));
  const orHere = roots.length === 0 ? ["."] : roots;
  if (/^[ef]?grep$/.test(name)) return readGrep(reading, orHere);
  if (name === "rg") return readRipgrep(reading, orHere);
  if (name === "git grep") return { roots: orHere, search: { hidden: true } };
  return name === "diff" ? readDiff(reading, roots) : undefined;
}

/** Listing through links shows the names of other places. */
function listsThroughLinks(name: string, { flags }: ProfileReading): boolean {
  const follows = flags.has("-L") || flags.has("--dereference");
  if (name === "ls") return follows && (flags.has("-R") || flags.has("--recursive"));
  return (name === "du" && follows) || (name === "tree" && flags.has("-l"));
}

function describeRoot(root: string, search: SecretSearch, { context, cwds }: Scene): string | undefined {
  for (const cwd of cwds) {
    const real = resolvePathIn(root, cwd, context);
    if (real === undefined) return `${root} cannot be resolved.`;
    if (/\/\.git(?:\/|$)/i.test(`${real}/`) && isWithin(real, context.workspace))
      return "The search goes through Git's own data, which may hold tokens.";
    if (context.findSecretBelow === undefined)
      return isWithin(context.workspace, real) ? "Nobody knows what the search would come by." : undefined;
    const found = context.findSecretBelow(real, search);
    if (found === "unknown")
      return "The folder is too large to be looked through for secrets first. Search a part of it, or name the files with --include.";
    if (found !== undefined)
      return `The search would come by ${isWithin(found, context.workspace) ? found.slice(context.workspace.length + 1) : found}, which may hold secrets. Leave it out, or search elsewhere.`;
  }
  return undefined;
}

/**
 * Why a search that descends into folders may print secrets: it follows links, or a file of a secret name lies below it
 * that its own options do not leave out.
 *
 * @param name the program, or `git grep`
 */
export function describeBroadSearch(name: string, reading: ProfileReading, scene: Scene): string | undefined {
  if (listsThroughLinks(name, reading)) return "It goes through links, which may lead outside.";
  const descent = readDescent(name, reading);
  if (descent === undefined) return undefined;
  const follows = followsLinks[name.replace(/^[ef]grep$/, "grep")];
  if (follows?.some((flag) => reading.flags.has(flag)))
    return "The search follows links, which may lead outside.";
  // Also a name, a count or an exit code tells what a file holds: asked often enough, all of it.
  if (name === "rg" && reading.flags.has("--files")) return undefined;
  if (reading.content.some((word) => word.glob && couldMatchSecret(word.pattern) === "aimed"))
    return "The search names files that may hold secrets.";
  for (const root of descent.roots) {
    const found = describeRoot(root, descent.search, scene);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Why a reading of git may print an address with a password in it: its settings hold one, or nobody looked. */
export function describeShownAddresses(words: readonly ShellWord[], { context }: Scene): string | undefined {
  const prints =
    words[1]?.value === "config" ||
    (words[1]?.value === "remote" && words.some((word) => /^(?:-v+|--verbose)$/.test(word.value)));
  if (!prints) return undefined;
  const found =
    context.findSecretBelow === undefined
      ? "unknown"
      : context.findSecretBelow(`${context.workspace}/.git`, { hidden: true });
  return found === undefined ? undefined : "Git's settings hold an address or a token that it would print.";
}
