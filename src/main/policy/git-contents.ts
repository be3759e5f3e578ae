/** Tells whether a reading of git would print files of secret names that git holds, without having been told their paths. */

import { join } from "node:path";
import { quote } from "../../shared/foreign-words.ts";
import { findSecretsInHistory } from "./git-history.ts";
import { type GitIndex, readGitIndex, submoduleMode } from "./git-index.ts";
import { isUnchanged } from "./git-keeps.ts";
import { resolvePathIn } from "./path-place.ts";
import type { PolicyContext, Scene, TrackedReading } from "./policy-context.ts";
import type { ProfileReading } from "./profiles/flag-profile.ts";
import { namingFlags } from "./profiles/git-reading.ts";
import { findSecretFile, findSecretFolder } from "./secret-names.ts";
import type { ShellWord } from "./shell-word.ts";

/** Each of these in the place of lines. */
const inPlaceOfLines =
  "-s --no-patch --stat --numstat --shortstat --dirstat --summary --name-only --name-status --raw --quiet".split(
    " ",
  );

/** By the list they were found in, which is replaced when the index changes. */
const found = new WeakMap<GitIndex, { secrets: readonly string[]; clean: ReadonlySet<string> }>();

/**
 * The names of files of secret names that a reading of git may print, relative to the repository and with `/`: those in
 * git's list, also of submodules, in what is checked out, and in versions that the words name; `unknown` when nobody can say.
 *
 * @param root the real path of the repository's own folder
 */
export function findTrackedSecrets(root: string, asked: TrackedReading): readonly string[] | "unknown" {
  try {
    const index = readGitIndex(root);
    if (index === undefined) return "unknown";
    const { secrets, clean } = found.get(index) ?? lookAtIndex(index);
    found.set(index, { secrets, clean });
    const all = [...secrets];
    for (const { name, mode } of index.entries) {
      if (mode !== submoduleMode) continue;
      const inside = findTrackedSecrets(join(root, name), asked);
      if (inside === "unknown") return inside;
      all.push(...inside.map((each) => `${name}/${each}`));
    }
    if (asked.changedOnDisk) return all.filter((name) => !isUnchanged(root, name, index));
    const before = findSecretsInHistory(root, clean, asked);
    return before === "unknown" ? before : [...new Set([...all, ...before])];
  } catch {
    return "unknown";
  }
}

function lookAtIndex({ entries, folders }: GitIndex): { secrets: string[]; clean: Set<string> } {
  const secrets = entries.map(({ name }) => name).filter(isSecret);
  const clean = [...folders].filter(([path]) => !secrets.some((name) => name.startsWith(path)));
  return { secrets, clean: new Set(clean.map(([, id]) => id)) };
}

function isSecret(name: string): boolean {
  const parts = name.split("/");
  const file = parts.pop() ?? "";
  return findSecretFile(file) !== undefined || parts.some((part) => findSecretFolder(part) !== undefined);
}

/** A version and a path in it, such as `HEAD:src/a.ts`, which is judged as that path; `:/text` looks for a message. */
const namesFile = ({ value }: ShellWord) => /^[^:]*:[^/]/.test(value);

/** A commit whatever is called so elsewhere: other names may be those of a file, which `git show` prints whole. */
const namesCommit = ({ value }: ShellWord) => /^(?:HEAD|@)(?:[~^]\d*)*$/.test(value);
const takesAllNames = ["--all", "--tags", "--branches", "--remotes", "--glob", "--reflog", "-g"];

/** Whether lines of files are printed, or told of, that the words do not name. */
export function printsLines(words: readonly ShellWord[], reading: ProfileReading): boolean {
  const { flags, content } = reading;
  const onlyNames = [...flags].every((flag) => namingFlags.has(flag));
  const replaced = onlyNames && inPlaceOfLines.some((flag) => flags.has(flag));
  switch (words[1]?.value) {
    case "show": {
      const paths = pathsOf(words, reading);
      const shown = content.filter((word) => !paths.includes(word));
      const commits = shown.every(namesCommit) && !takesAllNames.some((flag) => flags.has(flag));
      return !(replaced && commits) && (shown.length === 0 || !shown.every(namesFile));
    }
    case "diff":
      return !replaced;
    case "cat-file":
      return (
        !["-t", "-s", "-e"].some((flag) => flags.has(flag)) &&
        !content.every((word) => namesFile(word) || namesCommit(word))
      );
    case "grep":
      return true;
    case "status":
      return flags.has("-v") || flags.has("--verbose");
    case "branch":
    case "tag":
    case "for-each-ref":
      return words.some(({ value }) => /%\(\*?raw/.test(value));
    case "log":
    case "whatchanged":
    case "reflog":
    case "stash":
    case "diff-tree":
      return !onlyNames;
    default:
      return false;
  }
}

/** Why git may print what files of secret names hold. */
export function describeTrackedContents(
  words: readonly ShellWord[],
  reading: ProfileReading,
  { context, cwds }: Scene,
): string | undefined {
  if (!printsLines(words, reading)) return undefined;
  const paths = pathsOf(words, reading);
  const isDiffOfPaths = words[1]?.value === "diff" && reading.content.length === paths.length;
  const versions = reading.content.filter((word) => !paths.includes(word)).map(({ value }) => value);
  const mayPrint =
    context.trackedSecrets?.({
      changedOnDisk: isDiffOfPaths && comparesWithDisk(reading),
      ...{ versions, back: countBack(words, versions, reading) },
      everywhere:
        /^(?:reflog|stash)$/.test(words[1]?.value ?? "") ||
        takesAllNames.some((flag) => reading.flags.has(flag)),
    }) ?? "unknown";
  if (mayPrint === "unknown") return "Nobody can tell which files of secrets git would print here.";
  const near = cwds.flatMap((cwd) => paths.map((path) => nameBelow(path, cwd, context)));
  const printed = mayPrint.find(
    (name) =>
      paths.length === 0 ||
      near.some((place) => place === undefined || name === place || name.startsWith(place && `${place}/`)),
  );
  return printed === undefined
    ? undefined
    : `Git holds ${quote(printed)}, which may hold secrets, and may print it. Name the files that you mean after --.`;
}

/** With these `git log` prints the newest versions one after the other, as many as were asked for. */
const inTurn = new Set(
  "-p -u --patch --stat --oneline --graph --decorate --no-color -n --max-count -number".split(" "),
);

/** How many versions before those that are named a reading may print, or compares with. */
function countBack(
  words: readonly ShellWord[],
  versions: readonly string[],
  { flags, content }: ProfileReading,
): number {
  const subcommand = words[1]?.value ?? "";
  const isRange = versions.some((word) => /\.\.\.|^\^/.test(word)) || flags.has("--merge-base");
  if (/^(?:diff|grep|cat-file|status)$/.test(subcommand)) return isRange ? Number.POSITIVE_INFINITY : 0;
  if (isRange || versions.some((word) => /\.\.|^:/.test(word))) return Number.POSITIVE_INFINITY;
  if (/^(?:show|diff-tree)$/.test(subcommand)) return 1;
  const [, most] =
    /(?:^| )(?:-n ?|-|--max-count[= ])(\d+)(?: |$)/.exec(words.map(({ value }) => value).join(" ")) ?? [];
  const onlyNewest = content.length === versions.length && [...flags].every((flag) => inTurn.has(flag));
  return subcommand === "log" && most !== undefined && onlyNewest ? Number(most) : Number.POSITIVE_INFINITY;
}

/** Changed files alone are printed by a difference between the list of files and the disk. */
function comparesWithDisk({ flags }: ProfileReading): boolean {
  return !["--cached", "--staged", "--merge-base"].some((flag) => flags.has(flag));
}

/** With one of these the paths choose commits, and files beyond them are printed: all of a commit, or what one was made from. */
const beyondPaths = ["--full-diff", "--follow", "-L"];

/** What stands behind `--` limits the reading to these paths; without it a word may as well be a version. */
function pathsOf(words: readonly ShellWord[], { content, flags }: ProfileReading): readonly ShellWord[] {
  if (beyondPaths.some((flag) => flags.has(flag))) return [];
  const marks = words.findIndex(({ value }) => value === "--");
  return marks < 0 ? [] : content.filter((word) => words.indexOf(word) > marks);
}

/** Relative to the repository, empty for all of it; `undefined` for a pattern or for what lies elsewhere. */
function nameBelow({ value, glob }: ShellWord, cwd: string, context: PolicyContext): string | undefined {
  if (glob || /[:*?[\\]/.test(value)) return undefined;
  const real = resolvePathIn(value, cwd, context);
  if (real === context.workspace) return "";
  return real?.startsWith(`${context.workspace}/`) ? real.slice(context.workspace.length + 1) : undefined;
}
