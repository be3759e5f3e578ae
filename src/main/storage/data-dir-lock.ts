/** One host per data directory: an operating-system lock that ends with the process, even after SIGKILL. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { makePrivate } from "./private-files.ts";
import { classifyStorageError, DataDirInUseError, StorageError } from "./storage-error.ts";

export type DataDirLock = { release(): void };

/**
 * Creates the directory (mode 0700), takes others' rights from one that is there, and takes the lock.
 * SQLite's exclusive file lock is used as the lock, since it exists on every platform and leaves nothing stale behind.
 * @throws DataDirInUseError when another host holds it, StorageError when the directory cannot be used.
 */
export function lockDataDir(dataDir: string): DataDirLock {
  let database: Database.Database | undefined;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
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
    const known = classifyStorageError(error);
    throw new StorageError(
      known?.code ?? "unusable",
      `The data directory ${dataDir} cannot be used: ${error instanceof Error ? error.message : String(error)}. Choose another with --data-dir, or mend its permissions.`,
      error,
    );
  }
}
