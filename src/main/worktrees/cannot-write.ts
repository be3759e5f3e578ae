/** Which names of a tree are never written into a person's folder. */
import { join } from "node:path";
import { statOf } from "../undo/look-now.ts";
import { findFiltered } from "./filtered-names.ts";
import type { SidePlace } from "./home-sides.ts";
import { type EntryMove, foldersOf, isLinkEntry, isModuleEntry, objectOf } from "./index-entries.ts";
import { type GitPlace, mustGit, type SafeGit } from "./safe-git.ts";

/** A larger file is not written here, since it could not be kept for the way back. */
const mostFileBytes = 10_000_000;

/**
 * What is never written here: links, what a program would have to store, what has another encoding, large files, what takes the
 * place of a submodule or the other way, and names that git itself refuses.
 */
export async function findCannotWrite(
  git: SafeGit,
  place: SidePlace,
  tree: string,
  moves: readonly EntryMove[],
  scratch: string,
): Promise<string[]> {
  const large = await findLarge(git, place, moves);
  const modules = new Set(moves.flatMap(({ name, from }) => (isModuleEntry(from) ? [name] : [])));
  const odd = moves.filter(
    ({ name, from, to }) =>
      isLinkEntry(from) ||
      isLinkEntry(to) ||
      (from !== null && to !== null && isModuleEntry(from) !== isModuleEntry(to)) ||
      foldersOf(name).some((each) => modules.has(each)) ||
      (to !== null && large.has(objectOf(to))) ||
      isLargeFile(join(place.cwd, name)) ||
      name.includes("\uFFFD"),
  );
  const names = moves.map(({ name }) => name);
  // With such a name git makes no index of the tree, so nothing can be asked about its attributes.
  const refused = names.filter(isRefusedName);
  if (refused.length > 0) return refused;
  const filtered = await findFiltered(git, place, names, { tree, index: join(scratch, "next.index") });
  return [...new Set([...odd.map(({ name }) => name), ...filtered])];
}

/** Characters that a disk of macOS passes over in names. */
const passedOver = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Also where Windows or macOS would take it for that: a short name, with dots or a stream at its end, with nothing between. */
const isGitsOwnName = (part: string): boolean =>
  ["", ".", ".."].includes(part) || /^(?:\.git|git~1)[ .]*(?::.*)?$/is.test(part.replace(passedOver, ""));

const isRefusedName = (name: string): boolean => name.split(/[/\\]/).some(isGitsOwnName);

const isLargeFile = (path: string): boolean => (statOf(path)?.size ?? 0) > mostFileBytes;

async function findLarge(git: SafeGit, place: GitPlace, moves: readonly EntryMove[]): Promise<Set<string>> {
  const ids = moves.flatMap(({ to }) => (to?.startsWith("100") ? [objectOf(to)] : []));
  if (ids.length === 0) return new Set();
  const input = ids.map((id) => `${id}\n`).join("");
  const said = await mustGit(git, place, ["cat-file", "--batch-check=%(objectname) %(objectsize)"], {
    input,
  });
  const large = said.split("\n").filter((line) => Number(line.split(" ")[1]) > mostFileBytes);
  return new Set(large.map((line) => line.split(" ")[0]!));
}
