/** Tells what a file is that a reading of git names with its version, by the bytes that git keeps of it: https://git-scm.com/docs/gitrevisions. */
import { type FileKind, kindOfBytes, piecesOf } from "./file-kind.ts";
import { entriesOf, linksOf, openRepository, type Repository, resolveWord } from "./git-history.ts";
import { readGitIndex } from "./git-index.ts";

/** Versions that are looked at on the way to the one that a word names. */
const mostVersions = 200;

/** The id of the file or folder at a path of a folder of git's, or nothing; `unknown` when a folder on the way cannot be read. */
function findBlob(
  tree: string,
  path: readonly string[],
  objects: Repository["objects"],
): string | "unknown" | undefined {
  const [name, ...rest] = path;
  const object = objects.read(tree);
  if (object?.type !== "tree") return "unknown";
  for (const entry of entriesOf(object.bytes)) {
    if (entry.name !== name) continue;
    if (rest.length > 0) return entry.kind === "folder" ? findBlob(entry.id, rest, objects) : undefined;
    return entry.kind === "other" ? undefined : entry.id;
  }
  return undefined;
}

/** The folders of the versions that a word may mean, and of those on the way to them. */
function treesOf(version: string, repository: Repository): string[] | "unknown" {
  // What is looked for in journals, in messages or at another place's branches may be any version.
  if (version.replace(/\^\{(?:tree|commit)?\}/g, "").includes("{")) return "unknown";
  const queue = resolveWord(version, 0, repository).map(({ id, back }) => ({ id, back }));
  const trees: string[] = [];
  for (let looked = 0, next = queue.shift(); next !== undefined; looked += 1, next = queue.shift()) {
    const { id, back } = next;
    const object = looked < mostVersions ? repository.objects.read(id) : undefined;
    if (object === undefined || object.type === "blob") return "unknown";
    if (object.type === "tree") trees.push(id);
    else
      for (const [kind, below] of linksOf(object.bytes)) {
        if (kind === "tree") trees.push(below);
        if (kind === "object") queue.unshift({ id: below, back });
        if (kind === "parent" && back > 0) queue.push({ id: below, back: back - 1 });
      }
  }
  return trees.length === 0 ? "unknown" : trees;
}

function blobsOf(
  root: string,
  version: string,
  path: string,
  repository: Repository,
): readonly string[] | "unknown" {
  if (version === "") {
    const entries = readGitIndex(root)?.entries;
    return entries?.filter(({ name }) => name === path).map(({ id }) => id) ?? "unknown";
  }
  const trees = treesOf(version, repository);
  if (trees === "unknown") return trees;
  const blobs = trees.map((tree) => findBlob(tree, path.split("/"), repository.objects));
  return blobs.includes("unknown") ? "unknown" : blobs.filter((blob) => blob !== undefined);
}

/**
 * What the file is, in any of the versions that the word may name; `unknown` where that cannot be told.
 *
 * @param root the real path of the repository's own folder
 * @param version as git is given it, empty for what is staged
 * @param path relative to the repository, with `/`
 */
export function findKindInGit(root: string, version: string, path: string): FileKind | "unknown" | undefined {
  try {
    const repository = openRepository(root);
    const blobs = repository && blobsOf(root, version, path, repository);
    // What is not there may be by the time when git looks for it.
    if (repository === undefined || blobs === undefined || blobs === "unknown" || blobs.length === 0)
      return "unknown";
    for (const id of new Set(blobs)) {
      const blob = repository.objects.read(id);
      if (blob?.type === "tree") continue;
      const kind = blob?.type === "blob" ? kindOfBytes(piecesOf(blob.bytes)) : "unknown";
      if (kind !== undefined) return kind;
    }
    return undefined;
  } catch {
    return "unknown";
  }
}
