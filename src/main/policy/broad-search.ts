/** Tells whether a search that goes through folders would print secrets: by the files that are there, not by its pattern. */

import { quote } from "../../shared/foreign-words.ts";
import { isWithin } from "../paths/path-style.ts";
import { couldMatchSecret } from "./file-pattern.ts";
import { resolvePathIn } from "./path-place.ts";
import { findLinkBelow } from "./pattern-links.ts";
import type { Scene, SecretSearch } from "./policy-context.ts";
import type { FoundFiles, ProfileReading } from "./profiles/flag-profile.ts";
import { recursive } from "./profiles/search-tools.ts";
import type { ShellWord } from "./shell-word.ts";

/** What goes through folders, and with what it leaves files out. */
type Descent = { roots: readonly string[]; search: SecretSearch };

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

/** @param beginsWithout the first of the options leaves names out, so that one which none of them matches is taken */
function filterNames(
  only: readonly string[],
  without: readonly string[],
  beginsWithout = only.length === 0,
): (name: string) => boolean {
  const takes = only.map((glob) => toTest(glob, true));
  const drops = without.map((glob) => toTest(glob, false));
  // Of options that say different things of one name the last counts, and which that is is not known here.
  return (name) => takes.some((test) => test(name)) || (beginsWithout && !drops.some((test) => test(name)));
}

const withoutNames = ["--exclude", "--exclude-from"];

function readGrep(reading: ProfileReading, words: readonly string[]): Descent | undefined {
  const recurses = valuesOf(reading, "-d", "--directories").some((value) => value.startsWith("r"));
  if (!recursive.some((flag) => reading.flags.has(flag)) && !recurses) return undefined;
  const dropsFolder = filterNames([], valuesOf(reading, "--exclude-dir"));
  const first = [...reading.flags].find((flag) => flag === "--include" || withoutNames.includes(flag));
  return {
    roots: words,
    search: {
      hidden: true,
      reads: filterNames(
        valuesOf(reading, "--include"),
        valuesOf(reading, "--exclude"),
        first !== "--include",
      ),
      enters: dropsFolder,
    },
  };
}

function readRipgrep(reading: ProfileReading, words: readonly string[]): Descent {
  const named = (...flags: string[]) => valuesOf(reading, ...flags).filter((glob) => !glob.startsWith("!"));
  // Whatever it is compared with, a glob without regard to case is not held against names here.
  const only = [...named("-g", "--glob"), ...named("--iglob").map(() => "*")];
  // A glob that names hidden files brings them back, whatever else is said.
  const hidden =
    only.length > 0 || ["-u", "--hidden", "--unrestricted", "-."].some((flag) => reading.flags.has(flag));
  return { roots: words, search: { hidden, reads: filterNames(only, []) } };
}

function readDiff(reading: ProfileReading, words: readonly string[]): Descent | undefined {
  const deep = reading.flags.has("-r") || reading.flags.has("--recursive");
  const reads = filterNames([], valuesOf(reading, "-x", "--exclude"));
  // Two folders are compared file by file in any case, and links are read as what they lead to.
  const depth = deep ? undefined : 1;
  const follows = !reading.flags.has("--no-dereference");
  return { roots: words, search: { hidden: true, depth, reads, enters: reads, follows } };
}

function readDescent(name: string, reading: ProfileReading): Descent | undefined {
  const roots = reading.content.map((word: ShellWord) => (word.glob ? "." : word.value));
  const orHere = roots.length === 0 ? ["."] : roots;
  if (/^[ef]?grep$/.test(name)) return readGrep(reading, orHere);
  if (name === "rg") return readRipgrep(reading, orHere);
  if (name === "git grep") return { roots: orHere, search: { hidden: true } };
  return name === "diff" ? readDiff(reading, roots) : undefined;
}

const throughLinks = "It goes through links, which may lead outside.";

/** Listing through links shows the names of other places, or sizes and times of what is there. */
function describeListing(
  name: string,
  { flags, metadata }: ProfileReading,
  scene: Scene,
): string | undefined {
  const follows = flags.has("-L") || flags.has("--dereference");
  if ((name === "du" && follows) || (name === "tree" && flags.has("-l"))) return throughLinks;
  if (!/^(?:ls|dir|vdir)$/.test(name) || !follows) return undefined;
  if (flags.has("-R") || flags.has("--recursive")) return throughLinks;
  return describeLinks(metadata, scene, false);
}

/** Why links in these folders, or anywhere below them, would be followed to somewhere else. */
export function describeLinks(
  starts: readonly ShellWord[],
  { context, cwds }: Scene,
  deep: boolean,
): string | undefined {
  if (starts.some((word) => word.glob)) return throughLinks;
  const folders = starts.length === 0 ? ["."] : starts.map((word) => word.value);
  for (const folder of folders)
    for (const cwd of cwds) {
      const real = resolvePathIn(folder, cwd, context);
      if (real === undefined || context.look === undefined) return `${quote(folder)} cannot be resolved.`;
      const isFolder = context.look.namesIn(real) !== undefined;
      const found = isFolder ? findLinkBelow(real, context, deep) : undefined;
      if (found === "unknown") return "The folder is too large to be looked through for links first.";
      if (found !== undefined)
        return `It would follow the link ${quote(found.slice(found.lastIndexOf("/") + 1))}, which leads elsewhere.`;
    }
  return undefined;
}

/** Why files that are only found while the command runs may hold secrets, or lie elsewhere. */
function describeFound({ starts, content, links, names }: FoundFiles, scene: Scene): string | undefined {
  const through = links ? describeLinks(starts, scene, true) : undefined;
  if (through !== undefined || !content) return through;
  const roots = starts.length === 0 ? ["."] : starts.map((word) => word.value);
  const tests = names.map((name) => toTest(name, true));
  const search: SecretSearch = { hidden: true, reads: (name) => tests.every((test) => test(name)) };
  return roots.map((root) => describeRoot(root, search, scene)).find((each) => each !== undefined);
}

/** Why what goes through a folder would come by a file of a secret name. */
export function describeRoot(
  root: string,
  search: SecretSearch,
  { context, cwds }: Scene,
): string | undefined {
  for (const cwd of cwds) {
    const real = resolvePathIn(root, cwd, context);
    if (real === undefined) return `${quote(root)} cannot be resolved.`;
    if (/\/\.git(?:\/|$)/i.test(`${real}/`) && isWithin(real, context.workspace))
      return "The search goes through Git's own data, which may hold tokens.";
    if (context.findSecretBelow === undefined)
      return isWithin(context.workspace, real) ? "Nobody knows what the search would come by." : undefined;
    const found = context.findSecretBelow(real, search);
    if (found === "unknown")
      return "The folder is too large to be looked through for secrets first. Search a part of it, or name the files with --include.";
    if (found !== undefined)
      return `The search would come by ${quote(isWithin(found, context.workspace) ? found.slice(context.workspace.length + 1) : found)}, which may hold secrets. Leave it out, or search elsewhere.`;
  }
  return undefined;
}

/**
 * Why what goes through folders may tell of secrets or of other places: it follows links, or a file of a secret name lies below it
 * that its own options do not leave out.
 *
 * @param name the program, or `git grep`
 */
export function describeBroadSearch(name: string, reading: ProfileReading, scene: Scene): string | undefined {
  const listing = describeListing(name, reading, scene);
  if (listing !== undefined) return listing;
  const found = reading.found?.map((files) => describeFound(files, scene)).find((each) => each !== undefined);
  if (found !== undefined) return found;
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
