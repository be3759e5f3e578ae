/** Reads a repository's index, the list of the files that git holds: https://git-scm.com/docs/index-format. */
import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

/** One file as git noted it: its size in bytes and when it was changed, in milliseconds. */
export type IndexEntry = { name: string; stage: number; size: number; changedAt: number };

type Remembered = { changedAt: number; bytes: number; entries: readonly IndexEntry[] | undefined };

/** Larger ones are not read; this is about 300,000 files. */
const largestIndexBytes = 32_000_000;
const entryHead = 62;
const checksumBytes = 20;
const remembered = new Map<string, Remembered>();

/**
 * The entries of a repository's index, none when it has no index yet. `undefined` when it cannot be read whole: it is too
 * large, of an unknown version, split, sparse, or damaged.
 *
 * @param root the real path of the folder that holds `.git`, a folder or the file of a work tree
 */
export function readGitIndex(root: string): readonly IndexEntry[] | undefined {
  const path = join(gitFolderOf(root), "index");
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  const known = remembered.get(path);
  if (known?.changedAt === stat.mtimeMs && known.bytes === stat.size) return known.entries;
  const entries = stat.size > largestIndexBytes ? undefined : parseIndex(readFileSync(path));
  if (remembered.size > 20) remembered.clear();
  remembered.set(path, { changedAt: stat.mtimeMs, bytes: stat.size, entries });
  return entries;
}

function gitFolderOf(root: string): string {
  const path = join(root, ".git");
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return path;
  return resolve(root, /^gitdir: (.+)$/m.exec(readFileSync(path, "utf8"))?.[1] ?? ".git");
}

function parseIndex(bytes: Buffer): IndexEntry[] | undefined {
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
    const changedAt = bytes.readUInt32BE(at + 8) * 1000 + Math.floor(bytes.readUInt32BE(at + 12) / 1e6);
    entries.push({ name, stage: (flags & 0x3000) >> 12, size: bytes.readUInt32BE(at + 36), changedAt });
    at = version === 4 ? end + 1 : at + Math.ceil((end - at + 1) / 8) * 8;
  }
  return isSplit(bytes, at) ? undefined : entries;
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

/** Whether an extension behind the entries says that most of them stand in another file. */
function isSplit(bytes: Buffer, from: number): boolean {
  for (let at = from; at + 8 <= bytes.length - checksumBytes; at += 8 + bytes.readUInt32BE(at + 4))
    if (bytes.toString("latin1", at, at + 4) === "link") return true;
  return false;
}
