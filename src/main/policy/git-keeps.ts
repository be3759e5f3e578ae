/** Reads a repository's index to say whether git holds a file as it is, so that deleting it can be undone. */
import { lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";

/** What the index says of one file: its size and when it was changed, as git noted them. */
type Noted = { size: number; changedAt: number };
type Index = { readAt: number; size: number; files: Map<string, Noted> };

/** Larger ones are not read: nothing in them is known to be kept. */
const largestIndexBytes = 4_000_000;
const entryHead = 62;

/** Reads versions 2 and 3 of the format; of any other nothing is known. */
function readIndex(bytes: Buffer): Map<string, Noted> {
  const files = new Map<string, Noted>();
  const version = bytes.length < 12 || bytes.toString("latin1", 0, 4) !== "DIRC" ? 0 : bytes.readUInt32BE(4);
  if (version !== 2 && version !== 3) return files;
  let at = 12;
  for (let left = bytes.readUInt32BE(8); left > 0 && at + entryHead < bytes.length; left -= 1) {
    const extended = (bytes.readUInt16BE(at + 60) & 0x4000) !== 0 && version === 3;
    const start = at + entryHead + (extended ? 2 : 0);
    const end = bytes.indexOf(0, start);
    if (end < 0) break;
    const stage = (bytes.readUInt16BE(at + 60) & 0x3000) >> 12;
    const changedAt = bytes.readUInt32BE(at + 8) * 1000 + Math.floor(bytes.readUInt32BE(at + 12) / 1e6);
    if (stage === 0)
      files.set(bytes.toString("utf8", start, end), { size: bytes.readUInt32BE(at + 36), changedAt });
    at += Math.ceil((end - at + 1) / 8) * 8;
  }
  return files;
}

const remembered = new Map<string, Index>();

function indexOf(root: string): Map<string, Noted> {
  const path = join(root, ".git", "index");
  const stat = statSync(path);
  const known = remembered.get(root);
  if (known?.readAt === stat.mtimeMs && known.size === stat.size) return known.files;
  if (stat.size > largestIndexBytes) return new Map();
  if (remembered.size > 20) remembered.clear();
  const files = readIndex(readFileSync(path));
  remembered.set(root, { readAt: stat.mtimeMs, size: stat.size, files });
  return files;
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
    const name = relative(root, join(realpathSync(dirname(path)), basename(path)));
    const noted = indexOf(root).get(name);
    return noted !== undefined && noted.size === stat.size && noted.changedAt === Math.floor(stat.mtimeMs);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOTDIR";
  }
}
