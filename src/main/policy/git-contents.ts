/** Tells whether a reading of git would print files of secret names that git holds, without having been told their paths. */
import { type IndexEntry, readGitIndex } from "./git-index.ts";
import { resolvePathIn } from "./path-place.ts";
import type { PolicyContext } from "./policy-context.ts";
import type { ProfileReading } from "./profiles/flag-profile.ts";
import { namingFlags } from "./profiles/git-reading.ts";
import { findSecretFile, findSecretFolder } from "./secret-names.ts";
import type { ShellWord } from "./shell-word.ts";

type Scene = { context: PolicyContext; cwds: readonly string[] };

/** Each of these in the place of lines. */
const inPlaceOfLines =
  "-s --no-patch --stat --numstat --shortstat --dirstat --summary --name-only --name-status --raw --quiet".split(
    " ",
  );

/** By the list they were found in, which is replaced when the index changes. */
const found = new WeakMap<readonly IndexEntry[], readonly string[]>();

/**
 * The names of secret files that git holds, relative to the repository and with `/`; `unknown` when nobody can say.
 *
 * @param root the real path of the repository's own folder
 */
export function findTrackedSecrets(root: string): readonly string[] | "unknown" {
  let entries: readonly IndexEntry[] | undefined;
  try {
    entries = readGitIndex(root);
  } catch {
    return "unknown";
  }
  if (entries === undefined) return "unknown";
  const secrets = found.get(entries) ?? entries.map(({ name }) => name).filter(isSecret);
  found.set(entries, secrets);
  return secrets;
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
function printsLines(words: readonly ShellWord[], reading: ProfileReading): boolean {
  const { flags, content } = reading;
  const onlyNames = [...flags].every((flag) => namingFlags.has(flag));
  const replaced = onlyNames && inPlaceOfLines.some((flag) => flags.has(flag));
  switch (words[1]?.value) {
    case "show": {
      const paths = pathsOf(words, reading);
      const shown = content.filter((word) => !paths.includes(word));
      const commits = shown.every(namesCommit) && !takesAllNames.some((flag) => flags.has(flag));
      return !(replaced && commits) && (content.length === 0 || !content.every(namesFile));
    }
    case "diff":
      return !replaced;
    case "cat-file":
      return !["-t", "-s", "-e"].some((flag) => flags.has(flag)) && !content.every(namesFile);
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
  const secrets = context.trackedSecrets?.() ?? "unknown";
  if (secrets === "unknown") return "Nobody can tell which files of secrets git would print here.";
  const paths = pathsOf(words, reading);
  const isDiffOfPaths = words[1]?.value === "diff" && reading.content.length === paths.length;
  const mayPrint =
    isDiffOfPaths && comparesWithDisk(reading)
      ? secrets.filter((name) => !context.isKept?.(`${context.workspace}/${name}`))
      : secrets;
  const near = cwds.flatMap((cwd) => paths.map((path) => nameBelow(path, cwd, context)));
  const printed = mayPrint.find(
    (name) =>
      paths.length === 0 ||
      near.some((place) => place === undefined || name === place || name.startsWith(place && `${place}/`)),
  );
  return printed === undefined
    ? undefined
    : `Git holds ${printed}, which may hold secrets, and may print it. Name the files that you mean after --.`;
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
