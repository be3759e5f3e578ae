/** Looks at what is where a thread left files: by a few numbers of each where they tell enough, else by its content. */
import { lstatSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import { basename, dirname } from "node:path";
import { giveWay } from "../base/give-way.ts";
import { wallClock } from "../base/wall-clock.ts";
import { hashOfLink, isFresh, markOf, timesOf } from "../files/file-mark.ts";
import { type PinnedFolder, pinFolder, withFolder } from "../files/pinned-folder.ts";
import { isKeptElsewhere, readWhole } from "../files/read-whole.ts";
import { unknownHash } from "../files/snapshot-messages.ts";
import { hashBytes, readStored } from "../files/stored-file.ts";
import { foldersAbove, type NowThere, type Wish } from "./plan-take-back.ts";

/** A larger file is not kept, so it could not be brought back once more. */
export const mostKeptBytes = 10_000_000;

/** A larger one is read a piece at a time, so that the window is answered meanwhile. */
const readAtOnceBytes = 256_000;

/** What is at a path itself; undefined where nothing is, or it cannot be reached. */
export function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // A folder on the way is a file by now, or may not be entered.
    return undefined;
  }
}

/** Whether the folder's path is its real one; of one that is not there, whether that of the next above is. */
function createRealFolders(root: string) {
  const known = new Map<string, boolean>();
  const isReal = (folder: string): boolean => {
    // Folders are asked about many times, so each is followed once.
    const answer = known.get(folder) ?? follow(folder);
    known.set(folder, answer);
    return answer;
  };
  const follow = (folder: string): boolean => {
    try {
      return realpathSync.native(folder) === folder;
    } catch {
      // A link that leads nowhere, or round in a circle, has its place.
      if (statOf(folder)?.isSymbolicLink()) return false;
      return folder.length <= root.length || isReal(dirname(folder));
    }
  };
  return isReal;
}

async function hashAt(path: string, stat: Stats): Promise<string> {
  if (stat.size <= readAtOnceBytes) {
    const bytes = readWhole(path, stat.size);
    return bytes ? hashBytes(bytes) : unknownHash;
  }
  if (isKeptElsewhere(stat, process.platform)) return unknownHash;
  const read = (folder: PinnedFolder) => readStored(folder, basename(path), path, { keepBytes: 0 });
  const stored = await withFolder(pinFolder(dirname(path)), read).catch(() => null);
  return stored?.hash ?? unknownHash;
}

/** What a look goes by: where, and what is known to have been left there. */
type Left = Pick<Wish, "path" | "from" | "mark" | "fixed">;

async function lookAtOne(
  root: string,
  left: Left,
  leadsThere: (folder: string) => boolean,
): Promise<NowThere> {
  const { path, from, mark } = left;
  if (!leadsThere(dirname(path))) return { kind: "other" };
  const lookedAt = wallClock();
  const stat = statOf(path);
  if (!stat) {
    // A file, or a pipe, socket or device.
    const below = foldersAbove(root, path).find((folder) => statOf(folder)?.isDirectory() === false);
    return below ? { kind: "nothing", below } : { kind: "nothing" };
  }
  if (stat.isSymbolicLink()) return lookAtLink(path, stat);
  if (!stat.isFile()) return { kind: "other" };
  const mode = stat.mode & 0o7777;
  const tooLarge = stat.size > mostKeptBytes;
  const isAsLeft =
    from && from.hash !== unknownHash && mark === markOf(timesOf(stat)) && !isFresh(stat.ctimeMs, lookedAt);
  if (isAsLeft) return { kind: "file", version: { hash: from.hash, mode }, tooLarge };
  const hash = tooLarge ? unknownHash : await hashAt(path, stat);
  return { kind: "file", version: { hash, mode }, tooLarge };
}

function lookAtLink(path: string, { mode }: Stats): NowThere {
  try {
    const hash = hashOfLink(readlinkSync(path, { encoding: "buffer" }));
    return { kind: "link", version: { hash, mode: mode & 0o7777 } };
  } catch {
    return { kind: "other" };
  }
}

/** @param root the real path of the workspace */
export async function lookNow(root: string, all: Iterable<Left>): Promise<Map<string, NowThere>> {
  const found = new Map<string, NowThere>();
  const leadsThere = createRealFolders(root);
  for (const left of all) {
    await giveWay();
    found.set(left.path, left.fixed ? { kind: "other" } : await lookAtOne(root, left, leadsThere));
  }
  return found;
}
