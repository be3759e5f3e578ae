/** Whether a folder is as its last commit says in the files that are about to change: what a person has there is never replaced. */
import { readdirSync, realpathSync } from "node:fs";
import { join, posix } from "node:path";
import { statOf } from "../undo/look-now.ts";
import type { SidePlace } from "./home-sides.ts";
import { type EntryMove, entriesOfIndex, findReplacing, isModuleEntry, plainIndex } from "./index-entries.ts";
import { copyIndex } from "./keep-changes.ts";
import { type GitOptions, mustGit, type SafeGit } from "./safe-git.ts";
import { ownIndex } from "./snapshot-tree.ts";

/**
 * @param head the commit that the moves begin at
 * @param scratch a folder in which indexes of our own may lie
 * @returns the names that are not as in that commit, by what is staged and by what lies in the folder; something else may
 *   have their place there
 */
export async function findInTheWay(
  git: SafeGit,
  place: SidePlace,
  head: string,
  moves: readonly EntryMove[],
  scratch: string,
): Promise<{ staged: string[]; there: string[] }> {
  const files = moves.filter(({ from, to }) => !isModuleEntry(from) && !isModuleEntry(to));
  const found = new Set<string>();
  const going = new Set(files.flatMap(({ name, to }) => (to === null ? [name] : [])));
  const toCompare: EntryMove[] = [];
  for (const move of files) {
    const way = wayTo(place.cwd, move.name, going);
    if (way === "blocked") found.add(move.name);
    else if (move.from !== null && way === "file") toCompare.push(move);
    else if (move.from !== null || (way !== "nothing" && !isEmptied(place.cwd, move.name, going)))
      found.add(move.name);
  }
  for (const name of await findChanged(
    git,
    { ...place, index: join(scratch, "head.index") },
    head,
    toCompare,
  ))
    found.add(name);
  return { staged: await findStaged(git, place, moves, scratch), there: [...found] };
}

async function findStaged(
  git: SafeGit,
  place: SidePlace,
  moves: readonly EntryMove[],
  scratch: string,
): Promise<string[]> {
  const index = join(scratch, "folder.index");
  await copyIndex(ownIndex(place.gitDir), index);
  const staged = await entriesOfIndex(git, { ...place, index });
  // With conflicts in it nothing of it is known to be the person's wish.
  if (staged === undefined) return moves.map(({ name }) => name);
  const changed = moves.filter(({ name, from }) => (staged.get(name) ?? null) !== from);
  return [...changed, ...findReplacing(staged, moves)].map(({ name }) => name);
}

/** By their contents, as git would store them; no note of an index makes one look unchanged. */
async function findChanged(
  git: SafeGit,
  place: SidePlace & { index: string },
  head: string,
  moves: readonly EntryMove[],
): Promise<string[]> {
  if (moves.length === 0) return [];
  const must = (args: readonly string[], options?: GitOptions) =>
    mustGit(git, place, args, { settings: plainIndex, timeoutMs: 120_000, ...options });
  await must(["read-tree", head]);
  const input = moves.map(({ name }) => `${name}\0`).join("");
  await must(["update-index", "-z", "--add", "--remove", "--stdin"], { input });
  const there = await entriesOfIndex(git, place);
  return moves.filter(({ name, from }) => there?.get(name) !== from).map(({ name }) => name);
}

/** What stands at a name; `blocked` where a link or a file that stays is on the way there. */
function wayTo(
  root: string,
  name: string,
  going: ReadonlySet<string>,
): "nothing" | "file" | "folder" | "blocked" {
  for (let above = posix.dirname(name); above !== "."; above = posix.dirname(above)) {
    const stats = statOf(join(root, above));
    if (stats === undefined || stats.isDirectory()) continue;
    if (!going.has(above)) return "blocked";
  }
  if (!isRealFolder(root)) return "blocked";
  const stats = statOf(join(root, name));
  if (stats === undefined) return "nothing";
  return stats.isDirectory() ? "folder" : stats.isFile() || stats.isSymbolicLink() ? "file" : "blocked";
}

const isRealFolder = (root: string): boolean => {
  try {
    return realpathSync(root) === root;
  } catch {
    return false;
  }
};

/** Whether it is a folder in which all is about to go. */
function isEmptied(root: string, name: string, going: ReadonlySet<string>): boolean {
  if (statOf(join(root, name))?.isDirectory() !== true) return false;
  const names = readdirSync(join(root, name)).map((each) => `${name}/${each}`);
  return names.length > 0 && names.every((each) => going.has(each) || isEmptied(root, each, going));
}
