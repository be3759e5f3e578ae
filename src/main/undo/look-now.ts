/** Looks at what is where a thread left files: by a few numbers of each where they tell enough, else by its content. */
import { lstatSync, realpathSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { giveWay } from "../base/give-way.ts";
import { wallClock } from "../base/wall-clock.ts";
import { isFresh, markOf, timesOf } from "../files/file-mark.ts";
import { unknownHash } from "../files/snapshot-messages.ts";
import { hashBytes } from "../files/stored-file.ts";
import { readWhole } from "../files/tree-snapshot.ts";
import { foldersAbove, type NowThere, type Wish } from "./plan-take-back.ts";

/** A larger file is not kept, so it could not be brought back once more. */
export const mostKeptBytes = 10_000_000;

const lookAtOnce = 40;

function statOf(path: string): Stats | undefined {
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
      return folder.length <= root.length || isReal(dirname(folder));
    }
  };
  return isReal;
}

function lookAtOne(root: string, wish: Wish, leadsThere: (folder: string) => boolean): NowThere {
  const { path, from, mark } = wish;
  if (!leadsThere(dirname(path))) return { kind: "other" };
  const lookedAt = wallClock();
  const stat = statOf(path);
  if (!stat) {
    const file = foldersAbove(root, path).find((folder) => statOf(folder)?.isFile());
    return file ? { kind: "nothing", below: file } : { kind: "nothing" };
  }
  if (!stat.isFile()) return { kind: "other" };
  const mode = stat.mode & 0o7777;
  const tooLarge = stat.size > mostKeptBytes;
  const isAsLeft =
    from && from.hash !== unknownHash && mark === markOf(timesOf(stat)) && !isFresh(stat.ctimeMs, lookedAt);
  if (isAsLeft) return { kind: "file", version: { hash: from.hash, mode }, tooLarge };
  const bytes = tooLarge ? null : readWhole(path, stat.size);
  return { kind: "file", version: { hash: bytes ? hashBytes(bytes) : unknownHash, mode }, tooLarge };
}

/** @param root the real path of the workspace */
export async function lookNow(root: string, wishes: Iterable<Wish>): Promise<Map<string, NowThere>> {
  const found = new Map<string, NowThere>();
  const leadsThere = createRealFolders(root);
  for (const wish of wishes) {
    if (found.size % lookAtOnce === 0) await giveWay();
    found.set(wish.path, wish.fixed ? { kind: "other" } : lookAtOne(root, wish, leadsThere));
  }
  return found;
}
