/** One host per data directory: an operating-system lock that ends with the process, even after SIGKILL. */
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { makePrivate } from "./private-files.ts";
import { classifyStorageError, DataDirInUseError, StorageError } from "./storage-error.ts";

export type DataDirLock = { release(): void };

type System = { platform: NodeJS.Platform; realPath(path: string): string };

const thisSystem: System = { platform: process.platform, realPath: realpathSync.native };

/** A share of Windows, by a path or behind the letter of a drive, whose real path names the share. */
const share = /^(\\\\\?\\UNC\\|[\\/]{2}(?![?.][\\/]))/i;

function refuseShare(path: string, dataDir: string): void {
  if (!share.test(path)) return;
  throw new StorageError(
    "unusable",
    `The data directory ${dataDir} is on another computer (${path}), where its databases cannot be kept whole. Choose one on this computer with --data-dir.`,
  );
}

/**
 * Creates the directory (mode 0700), takes others' rights from one that is there, and takes the lock.
 * SQLite's exclusive file lock is used as the lock, since it exists on every platform and leaves nothing stale behind.
 * @throws DataDirInUseError when another host holds it, StorageError when the directory cannot be used.
 */
export function lockDataDir(dataDir: string, system = thisSystem): DataDirLock {
  let database: Database.Database | undefined;
  if (system.platform === "win32") refuseShare(dataDir, dataDir);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    if (system.platform === "win32") refuseShare(system.realPath(dataDir), dataDir);
    makePrivate(dataDir);
    database = new Database(join(dataDir, "lock.db"), { timeout: 0 });
    database.pragma("locking_mode = EXCLUSIVE");
    database.exec("BEGIN EXCLUSIVE");
    const held = database;
    return { release: () => held.close() };
  } catch (error) {
    database?.close();
    if (error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY"))
      throw new DataDirInUseError(dataDir);
    if (error instanceof StorageError) throw error;
    const known = classifyStorageError(error);
    throw new StorageError(
      known?.code ?? "unusable",
      `The data directory ${dataDir} cannot be used: ${error instanceof Error ? error.message : String(error)}. Choose another with --data-dir, or mend its permissions.`,
      error,
    );
  }
}
