/** Copies a file without its bytes where the disk can: both share them until one of the two is changed. */
import { constants } from "node:fs";
import { chmod, copyFile, open, rm } from "node:fs/promises";

/** Below this a copy is as cheap. */
const leastBytes = 64 * 1_024;

const readFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const onlyShared = constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL;

/**
 * On Linux alone, where an open file has a name of its own: what has its path by then, such as a pipe, is never opened.
 * @param bytes how many it should have; it may be another file by now, so whoever wants just that one looks into the copy
 * @returns whether there is a copy
 */
export async function cloneFile(from: string, to: string, bytes: number): Promise<boolean> {
  if (process.platform !== "linux" || bytes < leastBytes) return false;
  try {
    const file = await open(from, readFlags);
    try {
      const stat = await file.stat();
      if (!stat.isFile() || stat.size !== bytes) return false;
      await copyFile(`/proc/self/fd/${file.fd}`, to, onlyShared);
      await chmod(to, 0o600);
      return true;
    } finally {
      await file.close();
    }
  } catch {
    // The disk shares nothing, or this lies on another one.
    await rm(to, { force: true });
    return false;
  }
}
