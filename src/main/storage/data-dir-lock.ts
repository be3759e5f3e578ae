/** One host per data directory: an operating-system lock that ends with the process, even after SIGKILL. */
import { mkdirSync, readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { socketEnding } from "../base/private-socket.ts";
import { makePrivate, makePrivateFile } from "./private-files.ts";
import { DataDirInUseError, explainUnusable, OpenToOthersError, StorageError } from "./storage-error.ts";

export type DataDirLock = {
  release(): void;
  /** Set where other users may be able to read the directory. */
  openToOthers: OpenToOthersError | undefined;
};

type System = {
  platform: NodeJS.Platform;
  realPath(path: string): string;
  makePrivate(dir: string): boolean;
};

const thisSystem: System = { platform: process.platform, realPath: realpathSync.native, makePrivate };

/** A share of Windows, by a path or behind the letter of a drive, whose real path names the share. */
const share = /^(\\\\\?\\UNC\\|[\\/]{2}(?![?.][\\/]))/i;

function refuseShare(path: string, dataDir: string): void {
  if (!share.test(path)) return;
  throw new StorageError(
    "unusable",
    `The data directory ${dataDir} is on another computer (${path}), where its databases cannot be kept whole. Choose one on this computer with --data-dir.`,
  );
}

/** With its parents. Step by step, since Node's own way never ends where a folder can be seen and nothing made in it (`/proc`). */
function makeFolder(path: string): void {
  const isThere = () => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isThere()) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another host may have made it at the same moment.
    if (!isThere()) throw error;
  }
}

/**
 * Whoever read a pipe or a device in the place of a file would wait for ever, without a word. A killed host leaves the
 * sockets of its doors.
 */
function refusePipes(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    const path = join(dataDir, name);
    const found = statSync(path, { throwIfNoEntry: false });
    const isDoor = name.endsWith(socketEnding) && found?.isSocket();
    if (found === undefined || found.isFile() || found.isDirectory() || isDoor) continue;
    throw new StorageError(
      "unusable",
      `The data directory ${dataDir} cannot be used: ${path} is neither a file nor a folder. Remove it, or choose another with --data-dir.`,
    );
  }
}

/**
 * Creates the directory (mode 0700), takes others' rights from one that is there, and takes the lock.
 * SQLite's exclusive file lock is used as the lock, since it exists on every platform and leaves nothing stale behind.
 * @throws DataDirInUseError when another host holds it, StorageError when the directory cannot be used.
 */
export function lockDataDir(dataDir: string, changed: Partial<System> = {}): DataDirLock {
  const system = { ...thisSystem, ...changed };
  let database: Database.Database | undefined;
  if (system.platform === "win32") refuseShare(dataDir, dataDir);
  try {
    makeFolder(dataDir);
    if (system.platform === "win32") refuseShare(system.realPath(dataDir), dataDir);
    refusePipes(dataDir);
    const isPrivate = system.makePrivate(dataDir);
    makePrivateFile(join(dataDir, "lock.db"));
    database = new Database(join(dataDir, "lock.db"), { timeout: 0 });
    database.pragma("locking_mode = EXCLUSIVE");
    database.exec("BEGIN EXCLUSIVE");
    const held = database;
    return {
      release: () => held.close(),
      openToOthers: isPrivate ? undefined : new OpenToOthersError(dataDir),
    };
  } catch (error) {
    database?.close();
    if (error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY"))
      throw new DataDirInUseError(dataDir);
    throw explainUnusable(error, dataDir);
  }
}
