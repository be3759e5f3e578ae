/** Reads a repository's index, the list of the files that git holds: https://git-scm.com/docs/index-format. */
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { readNow } from "../base/read-now.ts";

/** One file as git noted it: the id of what it holds, its size in bytes, and in nanoseconds when it and what is noted of it were changed. */
export type IndexEntry = {
  name: string;
  id: string;
  mode: number;
  stage: number;
  size: number;
  changedAt: bigint;
  notedAt: bigint;
};

/** The list, the ids of folders by their path (with a slash behind) that are in it as in a commit, and when it was written. */
export type GitIndex = {
  entries: readonly IndexEntry[];
  folders: ReadonlyMap<string, string>;
  writtenAt: bigint;
};

type Remembered = { bytes: bigint; writtenAt: bigint; index: GitIndex | undefined };

/** Larger ones are not read; this is about 300,000 files. */
const largestIndexBytes = 32_000_000;
/** A file that leads to a repository holds one path. */
const longestWay = 16 * 1024;
const entryHead = 62;
const checksumBytes = 20;
const remembered = new Map<string, Remembered>();

/** The mode of a folder that is a repository of its own. */
export const submoduleMode = 0o160000;

const none: GitIndex = { entries: [], folders: new Map(), writtenAt: 0n };

/**
 * A repository's index, an empty one when it has none yet. `undefined` when it cannot be read whole: it is too
 * large, of an unknown version, split, sparse, or damaged.
 *
 * @param root the real path of the folder that holds `.git`, a folder or the file of a work tree
 */
export function readGitIndex(root: string): GitIndex | undefined {
  const path = join(gitFolderOf(root), "index");
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  if (stat === undefined) return none;
  const known = remembered.get(path);
  if (known?.writtenAt === stat.mtimeNs && known.bytes === stat.size) return known.index;
  // A pipe in its place would be waited for, and with it everything that is judged or started here.
  const isReadable = stat.isFile() && stat.size <= largestIndexBytes;
  const index = isReadable ? parseIndex(readNow(path), stat.mtimeNs) : undefined;
  if (remembered.size > 20) remembered.clear();
  remembered.set(path, { writtenAt: stat.mtimeNs, bytes: stat.size, index });
  return index;
}

/** Where a repository keeps what is its own: beside its files, or for a work tree in the repository that it belongs to. */
export function gitFolderOf(root: string): string {
  const path = join(root, ".git");
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size > longestWay) return path;
  return resolve(root, /^gitdir: ([^\n]+?)[\r\n]*$/.exec(readNow(path).toString())?.[1] ?? ".git");
}

/** Where the repository keeps what all of its work trees share, by the folder of one of them. */
export function commonFolderOf(folder: string): string {
  const path = join(folder, "commondir");
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile();
  return isFile
    ? resolve(
        folder,
        readNow(path)
          .toString()
          .replace(/[\r\n]+$/, ""),
      )
    : folder;
}

function parseIndex(bytes: Buffer, writtenAt: bigint): GitIndex | undefined {
  const version = bytes.length < 12 || bytes.toString("latin1", 0, 4) !== "DIRC" ? 0 : bytes.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  const entries: IndexEntry[] = [];
  const count = bytes.readUInt32BE(8);
  let at = 12;
  let before = Buffer.alloc(0);
  for (let left = count; left > 0; left -= 1) {
    if (at + entryHead > bytes.length) return undefined;
    const flags = bytes.readUInt16BE(at + 60);
    const isExtended = (flags & 0x4000) !== 0 && version > 2;
    let start = at + entryHead + (isExtended ? 2 : 0);
    let kept = Buffer.alloc(0);
    if (version === 4) {
      const { value: cut, next } = readOffset(bytes, start);
      if (cut > before.length) return undefined;
      kept = before.subarray(0, before.length - cut);
      start = next;
    }
    const end = bytes.indexOf(0, start);
    if (end < 0) return undefined;
    before = Buffer.concat([kept, bytes.subarray(start, end)]);
    const name = before.toString("utf8");
    // A folder stands for all that is in it where only a part of the work tree is checked out.
    if (name.endsWith("/")) return undefined;
    const timeAt = (from: number) =>
      BigInt(bytes.readUInt32BE(from)) * 1_000_000_000n + BigInt(bytes.readUInt32BE(from + 4));
    entries.push({
      id: bytes.toString("hex", at + 40, at + 60),
      ...{ name, mode: bytes.readUInt32BE(at + 24), stage: (flags & 0x3000) >> 12 },
      ...{ size: bytes.readUInt32BE(at + 36), changedAt: timeAt(at + 8), notedAt: timeAt(at) },
    });
    at = version === 4 ? end + 1 : at + Math.ceil((end - at + 1) / 8) * 8;
  }
  const folders = readExtensions(bytes, at);
  return folders && { entries, folders, writtenAt };
}

/** A number as packs write offsets: seven bits a byte, each further byte adding one. */
function readOffset(bytes: Buffer, at: number): { value: number; next: number } {
  let byte = bytes[at] ?? 0;
  let value = byte & 127;
  let next = at + 1;
  while (byte & 128) {
    byte = bytes[next] ?? 0;
    value = (value + 1) * 128 + (byte & 127);
    next += 1;
  }
  return { value, next };
}

/** The folders among what stands behind the entries; `undefined` when most entries stand in another file, or nothing fits. */
function readExtensions(bytes: Buffer, from: number): Map<string, string> | undefined {
  let folders = new Map<string, string>();
  const end = bytes.length - checksumBytes;
  let at = from;
  while (at + 8 <= end) {
    const [name, size] = [bytes.toString("latin1", at, at + 4), bytes.readUInt32BE(at + 4)];
    if (name === "link") return undefined;
    if (name === "TREE") folders = readFolders(bytes.subarray(at + 8, at + 8 + size));
    at += 8 + size;
  }
  return at === end ? folders : undefined;
}

/** Each folder is its name, how many entries it has (less than none when something changed in it), its folders, its id. */
function readFolders(bytes: Buffer): Map<string, string> {
  const folders = new Map<string, string>();
  let at = 0;
  const readOne = (above: string) => {
    const end = bytes.indexOf(0, at);
    const line = bytes.indexOf("\n", end);
    if (end < 0 || line < 0) return;
    const name = bytes.toString("utf8", at, end);
    const path = name === "" ? above : `${above}${name}/`;
    const [entries = -1, below = 0] = bytes
      .toString("latin1", end + 1, line)
      .split(" ")
      .map(Number);
    at = line + 1;
    if (entries >= 0) {
      folders.set(path, bytes.toString("hex", at, at + checksumBytes));
      at += checksumBytes;
    }
    for (let left = below; left > 0; left -= 1) readOne(path);
  };
  readOne("");
  return folders;
}
