/** Finds files of secret names in the commits and folders that a reading of git is about, without asking git. */

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { readNow } from "../base/read-now.ts";
import { commonFolderOf, gitFolderOf } from "./git-index.ts";
import { type ObjectStore, openObjects } from "./git-objects.ts";
import type { TrackedReading } from "./policy-context.ts";
import { findSecretFile, findSecretFolder } from "./secret-names.ts";

/** Folders of one version which are read before nobody can tell; the host waits meanwhile. */
const mostFolders = 4_000;
/** Commits and folders of versions before those which are read at most. */
const mostOlder = 400;
const idBytes = 20;
/** Folders by their id that hold no secret, which is the same in every repository. */
const clean = new Set<string>();

type Places = { folder: string; common: string };
export type Repository = Places & { objects: ObjectStore };
type Walk = { objects: ObjectStore; left: number; clean: ReadonlySet<string>; secrets: Set<string> };

function readText(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? readNow(path).toString() : undefined;
}

/** A repository as its files are; `undefined` where ids or branches are kept in a form that is not read here. */
export function openRepository(root: string): Repository | undefined {
  const folder = gitFolderOf(root);
  const common = commonFolderOf(folder);
  const settings = readText(join(common, "config")) ?? "";
  if (/objectformat|refstorage/i.test(settings)) return undefined;
  return { folder, common, objects: openObjects(join(common, "objects")) };
}

function readReference(name: string, { folder, common }: Places, depth = 0): string | undefined {
  if (depth > 5 || !/^[^\s~^:?*[\\]+$/.test(name) || /\.\.|^\//.test(name)) return undefined;
  const text = (readText(join(folder, name)) ?? readText(join(common, name)))?.trim();
  if (text?.startsWith("ref: ")) return readReference(text.slice(5), { folder, common }, depth + 1);
  if (text !== undefined && /^[\da-f]{40}$/.test(text)) return text;
  const packed = readText(join(common, "packed-refs")) ?? "";
  return packed
    .split("\n")
    .find((line) => line.slice(41) === name)
    ?.slice(0, 40);
}

const places = ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"];

type Start = { id: string; back: number; isNamed: boolean };

/** What a word may stand for, which is often nothing, as it may be a file; `HEAD~2` as two more versions back from `HEAD`. */
export function resolveWord(word: string, back: number, repository: Repository): Start[] {
  const [, before = "", behind = ""] = /^\^?(.*?)((?:[~^:]|@\{).*)?$/s.exec(word) ?? [];
  const name = before === "" || before === "@" ? "HEAD" : before;
  const steps = [...behind.matchAll(/~(\d*)|\^/g)].map(([, count]) => Number(count || 1));
  const further = behind.includes("{")
    ? Number.POSITIVE_INFINITY
    : steps.reduce((sum, each) => sum + each, 0);
  const short = /-g([\da-f]{4,40})$/.exec(name)?.[1] ?? name;
  const ids = [
    ...[...places.map((place) => place + name), `refs/remotes/${name}/HEAD`].map((full) =>
      readReference(full, repository),
    ),
    ...(/^[\da-f]{4,40}$/i.test(short) ? repository.objects.find(short.toLowerCase()) : []),
    ...(behind.includes("@{") ? readJournal(repository) : []),
  ];
  return ids.filter((id) => id !== undefined).map((id) => ({ id, back: back + further, isNamed: true }));
}

type Entry = { name: string; kind: "folder" | "file" | "other"; id: string };

/** What stands in a folder of git's. */
export function* entriesOf(tree: Buffer): Generator<Entry> {
  for (let at = 0; at < tree.length; ) {
    const end = tree.indexOf(0, at);
    if (end < at) throw new Error("no folder of git's");
    const [, mode, name = ""] = /^(\d+) (.+)$/s.exec(tree.toString("utf8", at, end)) ?? [];
    const kind = mode === "40000" ? "folder" : mode === "160000" ? "other" : "file";
    yield { name, kind, id: tree.toString("hex", end + 1, end + 1 + idBytes) };
    at = end + 1 + idBytes;
  }
}

/** What a commit or a tag leads to, each with its id: its `tree`, its `parent`s, the `object` of a tag. */
export function linksOf(bytes: Buffer): [kind: string, id: string][] {
  const lines = bytes.toString("latin1").split("\n\n")[0]!.split("\n");
  return lines.flatMap((line): [string, string][] => {
    const [, kind, id] = /^(tree|parent|object) ([\da-f]{40})$/.exec(line) ?? [];
    return kind === undefined || id === undefined ? [] : [[kind, id]];
  });
}

/**
 * @param isSecret whether it stands in a folder of a secret name, where every file counts
 * @returns whether the folder holds none; `undefined` when it could not be read to its end
 */
function lookThrough(id: string, path: string, walk: Walk, isSecret = false): boolean | undefined {
  if (!isSecret && (walk.clean.has(id) || clean.has(id))) return true;
  if (walk.left-- <= 0) return undefined;
  const tree = walk.objects.read(id);
  if (tree?.type !== "tree") return undefined;
  let isClean: boolean | undefined = true;
  for (const { name, kind, id: below } of entriesOf(tree.bytes)) {
    if (kind === "folder") {
      const secret = isSecret || findSecretFolder(name) !== undefined;
      const inside = lookThrough(below, `${path}${name}/`, walk, secret);
      if (inside !== true && isClean !== false) isClean = inside;
    } else if (kind === "file" && (isSecret || findSecretFile(name) !== undefined)) {
      walk.secrets.add(`${path}${name}`);
      isClean = false;
    }
  }
  if (isClean && clean.size > 100_000) clean.clear();
  if (isClean && !isSecret) clean.add(id);
  return isClean;
}

/** @returns whether each start is a commit or a folder whose files are known to their last */
function lookBack(starts: readonly Start[], walk: Walk): boolean {
  const queue = [...starts];
  const seen = new Map<string, number>();
  let older = mostOlder;
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { id, back, isNamed } = next;
    if ((seen.get(id) ?? -1) >= back) continue;
    seen.set(id, back);
    walk.left = isNamed ? mostFolders : older;
    if (walk.left-- <= 0) return true;
    const object = walk.objects.read(id);
    const trees = object?.type === "tree" ? [id] : [];
    const isCommit = object?.type === "tag" || object?.type === "commit";
    for (const [kind, below] of isCommit ? linksOf(object.bytes) : []) {
      if (kind === "tree") trees.push(below);
      if (kind === "object") queue.unshift({ id: below, back, isNamed });
      if (kind === "parent" && back > 0) queue.push({ id: below, back: back - 1, isNamed: false });
    }
    const known = trees.map((tree) => lookThrough(tree, "", walk));
    if (isNamed && (object === undefined || object.type === "blob" || known.includes(undefined)))
      return false;
    if (!isNamed) older = walk.left;
  }
  return true;
}

/** What was checked out lately, also where no branch leads any more. */
function readJournal({ folder }: Repository): string[] {
  const lines = readText(join(folder, "logs/HEAD"))?.trimEnd().split("\n") ?? [];
  return lines.slice(-50).map((line) => line.slice(41, 81));
}

function allTips(repository: Repository): string[] {
  const packed = (readText(join(repository.common, "packed-refs")) ?? "").match(/^[\da-f]{40}/gm) ?? [];
  const loose = readdirSync(join(repository.common, "refs"), { recursive: true, encoding: "utf8" }).map(
    (name) => readReference(`refs/${name}`, repository),
  );
  return [...loose.filter((id) => id !== undefined), ...packed];
}

/**
 * Names of secret files in the versions that the words name, or what is checked out, and in those before them, as
 * far as a look of bounded length goes. `unknown` when one that is named cannot be read whole, or is a file by its id or a
 * tag.
 *
 * @param root the real path of the folder that holds `.git`
 * @param unchanged folders, by id, whose files are in git's list under the same names and are known to hold no secret
 */
export function findSecretsInHistory(
  root: string,
  unchanged: ReadonlySet<string>,
  { versions, back, everywhere }: Omit<TrackedReading, "changedOnDisk">,
): readonly string[] | "unknown" {
  const repository = openRepository(root);
  if (repository === undefined) return "unknown";
  const walk: Walk = { objects: repository.objects, left: mostFolders, clean: unchanged, secrets: new Set() };
  const words = versions.length === 0 ? ["HEAD"] : versions.flatMap((word) => word.split(/\.{2,3}/));
  // A word that is no version is a path: then it is about what is checked out, and how far back nobody counted.
  const isPath = words.some((word) => resolveWord(word, 0, repository).length === 0);
  const far = isPath && back > 0 ? Number.POSITIVE_INFINITY : back;
  const named = [...words, ...(isPath ? ["HEAD"] : [])].flatMap((word) => resolveWord(word, far, repository));
  const isSought = words.some((word) => /^\^?:\//.test(word));
  const others = everywhere || isSought ? [...readJournal(repository), ...allTips(repository)] : [];
  const starts = [...named, ...others.map((id) => ({ id, back: far, isNamed: false }))];
  return lookBack(starts, walk) ? [...walk.secrets] : "unknown";
}
