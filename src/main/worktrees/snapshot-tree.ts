/** What a worktree holds now, committed or not, as one tree of git: what its next commit would be. */
import { join, posix } from "node:path";
import { ContractError } from "../../shared/contract/errors.ts";
import { statOf } from "../undo/look-now.ts";
import { findFiltered } from "./filtered-names.ts";
import type { Side } from "./home-sides.ts";
import {
  type EntryMove,
  entriesOfIndex,
  foldersOf,
  isModuleEntry,
  movesOf,
  plainIndex,
} from "./index-entries.ts";
import { copyIndex } from "./keep-changes.ts";
import { type GitOptions, mustGit, type SafeGit } from "./safe-git.ts";

export type Snapshot = {
  readonly tree: string;
  /** Names of files that are not as in the last commit. */
  readonly uncommitted: readonly string[];
  /** What becomes of the worktree's own index when all of it is committed. */
  readonly entries: readonly EntryMove[];
};

/** More than this is no work of an agent's turn, and git would have to store all of it. */
const mostBytes = 256 * 1024 * 1024;

const refuse = (why: string) => new ContractError("conflict", why);

/**
 * @param index where an index of our own may lie
 * @throws ContractError naming what could not be part of a commit
 */
export async function takeSnapshot(
  git: SafeGit,
  { place, head }: Side & { head: string },
  index: string,
): Promise<Snapshot> {
  const at = { ...place, index };
  const must = (args: readonly string[], options?: GitOptions) =>
    mustGit(git, at, args, { settings: plainIndex, timeoutMs: 120_000, ...options });
  await copyIndex(ownIndex(place.gitDir), index);
  const before = await entriesOfIndex(git, at);
  if (before === undefined)
    throw refuse(
      "A merge in this worktree has conflicts. They have to be resolved and committed there first.",
    );
  refusePipes(place.cwd, before.keys());
  const names = await namesToLookAt(must, head);
  refuseOddNames(names, place.cwd);
  const modules = new Set([...before].flatMap(([name, entry]) => (isModuleEntry(entry) ? [name] : [])));
  const plain = names.filter((name) => !modules.has(name));
  const filtered = await findFiltered(git, at, plain);
  if (filtered.length > 0)
    throw refuse(
      `A program of the repository's settings stores ${nameSome(filtered)} in another form, and is not run here. Have them committed in the thread first.`,
    );
  const input = plain.map((name) => `${name}\0`).join("");
  if (input !== "") await must(["update-index", "-z", "--add", "--remove", "--stdin"], { input });
  const tree = (await must(["write-tree"])).trim();
  const after = await entriesOfIndex(git, at);
  const moved = await must(["diff-tree", "-r", "-z", "--name-only", "--no-renames", head, tree]);
  const uncommitted = moved.split("\0").filter((name) => name !== "");
  return { tree, uncommitted, entries: movesOf(before, after ?? before) };
}

/** @throws ContractError where it is no file of its own: git would follow a link. */
export function ownIndex(gitDir: string): string {
  const file = join(gitDir, "index");
  if (statOf(file)?.isFile() === true) return file;
  throw new ContractError("unavailable", "Git's index is missing here, so nothing is done with it.");
}

async function namesToLookAt(must: (args: readonly string[]) => Promise<string>, head: string) {
  const changed = await must(["diff-index", "-z", "--name-only", "--ignore-submodules=all", head, "--"]);
  const others = await must(["ls-files", "-z", "--others", "--exclude-standard"]);
  // Of what was staged only, nothing differs from the commit once it is gone.
  const gone = await must(["ls-files", "-z", "--deleted"]);
  return [...new Set([changed, others, gone].flatMap((listed) => listed.split("\0")))].filter(
    (name) => name !== "",
  );
}

function refuseOddNames(names: readonly string[], root: string): void {
  const inner = names.find((name) => name.endsWith("/"));
  if (inner !== undefined)
    throw refuse(`${inner} holds a repository of its own, whose files are not part of this one.`);
  const odd = names.find((name) => name.includes("\uFFFD"));
  if (odd !== undefined) throw refuse(`${odd} has a name that is no text, and is not committed from here.`);
  let bytes = 0;
  for (const name of names) {
    const stats = statOf(join(root, name));
    bytes += stats?.isFile() ? stats.size : 0;
    if (bytes > mostBytes)
      throw refuse(
        `More than 256 MB are not committed, ${name} among them. Have them ignored or committed in the thread first.`,
      );
  }
}

/** A few names, for a sentence. */
export function nameSome(names: readonly string[]): string {
  const more = names.length - 3;
  return `${names.slice(0, 3).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

const readByGit = [".gitattributes", ".gitignore", ".gitmodules"];

/**
 * @param names files of the work tree, in whose folders and those above git reads
 * @throws ContractError naming the first that is neither a file nor a link
 */
function refusePipes(root: string, names: Iterable<string>): void {
  const folders = new Set([""]);
  for (const name of names) for (const folder of foldersOf(name)) folders.add(folder);
  for (const folder of folders)
    for (const file of readByGit) {
      const stat = statOf(join(root, folder, file));
      if (stat === undefined || stat.isFile() || stat.isSymbolicLink() || stat.isDirectory()) continue;
      throw new ContractError(
        "conflict",
        `${posix.join(folder, file)} is a pipe or another special file, at which git would wait for ever. Take it away first.`,
      );
    }
}
