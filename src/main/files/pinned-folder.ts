/** Holds a verified folder open, so that what happens in it happens there even if its path is swapped meanwhile. */
import { constants, existsSync } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { StaleFileError, systemCode, toFileError } from "./file-error.ts";

/** A folder whose identity was checked; `at(name)` names an entry of that very folder. */
export type PinnedFolder = {
  readonly path: string;
  at(name: string): string;
  /** Checks again that the path still leads here; needed after an open where the system cannot hold a folder. */
  verify(): Promise<void>;
  /** Makes created, renamed and removed names durable. */
  sync(): Promise<void>;
  close(): Promise<void>;
};

/** On Linux a path below `/proc/self/fd/N` is resolved from the open folder, which is what `openat` does. */
const canHoldFolders = process.platform === "linux" && existsSync("/proc/self/fd");

const folderFlags =
  constants.O_RDONLY |
  (constants.O_DIRECTORY ?? 0) |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

function leadsElsewhere(path: string): StaleFileError {
  return new StaleFileError(path, "now leads somewhere else than when it was checked");
}

/** Opening a link as a folder fails as if it were a file; only a second look tells which it is. */
async function fromFolderOpen(cause: unknown, openAs: string, path: string): Promise<Error> {
  const mayBeLink = ["ELOOP", "ENOTDIR"].includes(systemCode(cause));
  const isLink = mayBeLink && (await lstat(openAs).catch(() => null))?.isSymbolicLink();
  return isLink ? leadsElsewhere(path) : toFileError(cause, path);
}

async function holdFolder(openAs: string, path: string): Promise<PinnedFolder> {
  let handle: FileHandle;
  try {
    handle = await open(openAs, folderFlags);
  } catch (cause) {
    throw await fromFolderOpen(cause, openAs, path);
  }
  const held = `/proc/self/fd/${handle.fd}`;
  if ((await readlink(held)) !== path) {
    await handle.close();
    throw leadsElsewhere(path);
  }
  return {
    path,
    at: (name) => `${held}/${name}`,
    verify: async () => {},
    sync: () => handle.sync(),
    close: () => handle.close(),
  };
}

async function watchFolder(path: string): Promise<PinnedFolder> {
  const verify = async () => {
    const real = await realpath(path).catch((cause) => {
      throw toFileError(cause, path);
    });
    if (real !== path) throw leadsElsewhere(path);
  };
  await verify();
  return {
    path,
    at: (name) => join(path, name),
    verify,
    sync: () => syncFolder(path),
    close: async () => {},
  };
}

/** Windows syncs none; there the rename is atomic and the system writes it out in its time. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, folderFlags).catch(() => null);
  try {
    await handle?.sync();
  } catch {
    // Some file systems sync no folders.
  } finally {
    await handle?.close();
  }
}

/**
 * Pins the folder at a real path.
 * @param canHold whether the system can; where not, the path is checked and used again
 * @throws StaleFileError when the path leads elsewhere by now; FileError when it cannot be opened as a folder
 */
export function pinFolder(path: string, canHold = canHoldFolders): Promise<PinnedFolder> {
  return canHold ? holdFolder(path, path) : watchFolder(path);
}

async function createIn(parent: PinnedFolder, path: string): Promise<PinnedFolder> {
  const inParent = parent.at(basename(path));
  try {
    await mkdir(inParent);
  } catch (cause) {
    if (systemCode(cause) !== "EEXIST") throw toFileError(cause, path);
  }
  return canHoldFolders ? holdFolder(inParent, path) : watchFolder(path);
}

/** Pins the folder at a real path, creating it and the folders above it one by one, each inside the verified one. */
export async function pinOrCreateFolder(path: string): Promise<PinnedFolder> {
  try {
    return await pinFolder(path);
  } catch (cause) {
    if (toFileError(cause, path).code !== "not-found" || dirname(path) === path) throw cause;
  }
  const parent = await pinOrCreateFolder(dirname(path));
  try {
    return await createIn(parent, path);
  } finally {
    await parent.close();
  }
}

/** Runs `use` with the folder pinned and lets go of it afterwards. */
export async function withFolder<T>(
  opened: Promise<PinnedFolder>,
  use: (folder: PinnedFolder) => Promise<T>,
): Promise<T> {
  const folder = await opened;
  try {
    return await use(folder);
  } finally {
    await folder.close();
  }
}
