/** Says of one file whether git holds it as it is, so that deleting it can be undone. */
import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { type GitIndex, type IndexEntry, readGitIndex } from "./git-index.ts";

/** By the list they were made of, which is replaced when the index changes. */
const tables = new WeakMap<readonly IndexEntry[], Map<string, IndexEntry>>();

function find(entries: readonly IndexEntry[], name: string): IndexEntry | undefined {
  let table = tables.get(entries);
  if (table === undefined) {
    table = new Map(entries.filter(({ stage }) => stage === 0).map((entry) => [entry.name, entry]));
    tables.set(entries, table);
  }
  return table.get(name);
}

/**
 * Whether nothing is lost by deleting what stands at a path: git noted it as it is, or nothing stands there. Folders,
 * changed files and all that cannot be read count as lost.
 *
 * @param root the real path of the repository's own folder
 */
export function isKeptByGit(root: string, path: string): boolean {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return true;
    if (!stat.isFile()) return false;
    const name = relative(root, join(realpathSync(dirname(path)), basename(path))).replaceAll(sep, "/");
    const noted = find(readGitIndex(root)?.entries ?? [], name);
    return (
      noted !== undefined &&
      noted.size === stat.size &&
      noted.changedAt / 1_000_000n === BigInt(Math.floor(stat.mtimeMs))
    );
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOTDIR";
  }
}

/**
 * Whether git takes a file of its list for unchanged without reading it, so that no difference to the disk prints it.
 *
 * @param root the real path of the repository's own folder
 */
export function isUnchanged(root: string, name: string, { entries, writtenAt }: GitIndex): boolean {
  const noted = find(entries, name);
  const stat = lstatSync(join(root, name), { throwIfNoEntry: false, bigint: true });
  if (noted === undefined || !stat?.isFile()) return false;
  // On Windows git notes when the file was made, where Node tells when something was last noted of it.
  const sameNote = process.platform === "win32" || noted.notedAt === stat.ctimeNs;
  // What was changed as the list was written may have been changed again, unseen; git reads it then.
  const isSettled = noted.changedAt < writtenAt;
  return sameNote && isSettled && noted.changedAt === stat.mtimeNs && BigInt(noted.size) === stat.size;
}
