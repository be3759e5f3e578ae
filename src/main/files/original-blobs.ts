/** Keeps original contents in application data, each once, under the hash of what it is, and without copying its bytes where the disk can. */

import { randomBytes } from "node:crypto";
import { constants, rmSync, statSync } from "node:fs";
import {
  chmod,
  copyFile,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  unlink,
  utimes,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { giveWay } from "../base/give-way.ts";
import { wallClock } from "../base/wall-clock.ts";
import { toFileError } from "./file-error.ts";
import { readFlags } from "./read-whole.ts";
import { hashInPieces, hashOpen } from "./stored-file.ts";

export type OriginalBlobs = {
  /**
   * Stores the content durably and returns its hash.
   * @param from a file that may hold just that, with which it shares its place on the disk where that can be
   * @throws FileError where the disk does not take it
   */
  put(bytes: Uint8Array, from?: string): Promise<string>;
  /** The content, or null when it is missing or no longer what its name says. */
  get(hash: string): Promise<Buffer | null>;
  delete(hash: string): Promise<void>;
  /** How much of the disk one content takes; 0 where it is not kept. */
  bytesOf(hash: string): Promise<number>;
  /** How much all of them take. */
  bytesOfAll(): Promise<number>;
  /**
   * Takes away what the end of the app left more than an hour ago, half written or before it was written down who needs it.
   * @param isNeeded is asked about each content that is as old
   */
  sweep(isNeeded: (hash: string) => Promise<boolean>, signal: AbortSignal): Promise<void>;
};

/** No content takes as long to be written, nor until it is written down who needs it. */
const unfinishedMs = 3_600_000;

/** Blobs in `folder`, which is created when it is first needed; readable by its owner only. */
export function createOriginalBlobs(folder: string, clone = cloneFile): OriginalBlobs {
  const fileOf = (hash: string) => join(folder, hash.slice(0, 2), hash);
  const get = async (hash: string) => {
    const bytes = await readFile(fileOf(hash)).catch(() => null);
    return bytes && (await hashInPieces(bytes)) === hash ? bytes : null;
  };
  return {
    get,
    async put(bytes, from) {
      const hash = await hashInPieces(bytes);
      const file = fileOf(hash);
      // It counts as new again, so that nobody sweeps it away before it is written down who needs it.
      if ((await get(hash)) !== null && (await renew(file))) return hash;
      const fresh = `${file}.${randomBytes(4).toString("hex")}`;
      try {
        await mkdir(dirname(file), { recursive: true, mode: 0o700 });
        const isCloned = from !== undefined && (await clone(from, fresh, bytes.length));
        await write(fresh, isCloned, bytes, hash);
        await rename(fresh, file);
      } catch (cause) {
        // On a full disk it would keep the room that it got.
        await rm(fresh, { force: true });
        throw toFileError(cause, file);
      }
      return hash;
    },
    bytesOf: (hash) => sizeOf(fileOf(hash)),
    async bytesOfAll() {
      let bytes = 0;
      for (const file of await filesIn(folder)) bytes += await sizeOf(file);
      return bytes;
    },
    async sweep(isNeeded, signal) {
      for (const file of await filesIn(folder)) {
        await giveWay();
        if (signal.aborted) return;
        if (!isOld(file)) continue;
        const name = basename(file);
        if (!name.includes(".") && (await isNeeded(name))) continue;
        // Without a moment in between: who puts it again makes it new.
        if (!signal.aborted && isOld(file)) rmSync(file, { force: true });
      }
    },
    delete: async (hash) => {
      await unlink(fileOf(hash)).catch(() => {});
    },
  };
}

/** @returns whether it is there. */
const renew = (file: string): Promise<boolean> => {
  const now = new Date(wallClock());
  return utimes(file, now, now).then(
    () => true,
    () => false,
  );
};

const isOld = (file: string): boolean => {
  const found = statSync(file, { throwIfNoEntry: false });
  return found !== undefined && found.mtimeMs < wallClock() - unfinishedMs;
};

/** @param isCloned whether something is there already, which may be what is wanted */
async function write(fresh: string, isCloned: boolean, bytes: Uint8Array, hash: string): Promise<void> {
  const handle = await open(fresh, isCloned ? "r+" : "wx", 0o600);
  try {
    // Somebody may have written to the file since its content was read.
    const isWanted = isCloned && (await hashOpen(handle)) === hash;
    if (isCloned && !isWanted) await handle.truncate();
    if (!isWanted) await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.flatMap((entry) => (entry.isFile() ? join(entry.parentPath, entry.name) : []));
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0;
}

/** Below this a copy is as cheap. */
const leastBytes = 64 * 1_024;

const onlyShared = constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL;

/**
 * On Linux alone, where an open file has a name of its own: what has its path by then, such as a pipe, is never opened.
 * @param bytes how many it should have; it may be another file by now, so whoever wants just that one looks into the copy
 * @returns whether there is a copy
 */
async function cloneFile(from: string, to: string, bytes: number): Promise<boolean> {
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
