/** Opens the console's database: threads, approvals, executions, events and the ledger. A commit that has to survive a power cut goes through `durable-commit.ts`. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { passBarrier } from "../base/barriers.ts";
import { copyDatabase } from "./copy-database.ts";
import { keepStatements } from "./kept-statements.ts";
import { migrations } from "./migrations.ts";
import { makePrivateFile } from "./private-files.ts";
import { limitPageCache, surviveCheckpoints } from "./set-connection.ts";
import { classifyStorageError, StorageError } from "./storage-error.ts";

export type OpenedDatabase = {
  database: Database.Database;
  /** What a person should be told about this start, such as a restored backup. */
  warnings: string[];
};

const fileName = "countersign.db";

/**
 * Opens or creates the database in a locked data directory and brings it to the newest schema.
 * A damaged file is set aside (never emptied) and the newest backup takes its place.
 * @throws StorageError `newer-version` when a later Countersign wrote it.
 */
export function openDatabase(dataDir: string, now: () => number): OpenedDatabase {
  const path = join(dataDir, fileName);
  const warnings = replaceLostFile(path, dataDir, now);
  try {
    return { database: openAndMigrate(path, dataDir, now), warnings };
  } catch (error) {
    if (classifyStorageError(error)?.code !== "corrupt") throw classifyStorageError(error) ?? error;
    const aside = setAside(path, now);
    const backup = newestBackup(dataDir);
    if (backup) restore(backup, path);
    const warning = backup
      ? `The database was damaged. It was set aside as ${aside}, and the backup ${backup} was restored; what happened after that backup is missing here.`
      : `The database was damaged. It was set aside as ${aside}; there was no backup yet, so the console starts empty.`;
    return { database: openAndMigrate(path, dataDir, now), warnings: [...warnings, warning] };
  }
}

/** A file that is gone or empty where there was one: a backup takes its place, or the loss is told. */
function replaceLostFile(path: string, dataDir: string, now: () => number): string[] {
  if (existsSync(path) && statSync(path).size > 0) return [];
  const backup = newestBackup(dataDir);
  const hadThreads = backup !== undefined || existsSync(join(dataDir, "checkpoints.db"));
  if (!hadThreads) return [];
  const state = existsSync(path) ? "empty" : "gone";
  setAside(path, now);
  if (backup === undefined)
    return [
      `The database ${path} was ${state}, and there is no backup: the console starts without its threads and decisions.`,
    ];
  restore(backup, path);
  return [
    `The database ${path} was ${state}. The backup ${backup} was restored; what happened after that backup is missing here.`,
  ];
}

function restore(backup: string, path: string): void {
  const restored = new Database(backup, { readonly: true });
  try {
    copyDatabase(restored, path);
  } finally {
    restored.close();
  }
}

function openAndMigrate(path: string, dataDir: string, now: () => number): Database.Database {
  makePrivateFile(path);
  const database = new Database(path);
  try {
    database.pragma("journal_mode = WAL");
    surviveCheckpoints(database);
    database.pragma("foreign_keys = ON");
    database.pragma("busy_timeout = 5000");
    database.pragma("journal_size_limit = 16777216");
    limitPageCache(database);
    keepStatements(database);
    migrate(database, path, dataDir, now);
    // Reading the catalogue and each table's root page finds a torn file now rather than in the middle of a decision.
    for (const table of ["threads", "events", "approvals", "executions", "ledger"])
      database.prepare(`SELECT * FROM ${table} LIMIT 1`).get();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function migrate(database: Database.Database, path: string, dataDir: string, now: () => number): void {
  const version = Number(database.pragma("user_version", { simple: true }));
  if (version > migrations.length)
    throw new StorageError(
      "newer-version",
      `${path} was written by a newer version of Countersign. Update Countersign, or start with another --data-dir. Nothing was changed.`,
    );
  if (version === migrations.length) return;
  if (version > 0) backupDatabase(database, dataDir, `before-schema-${migrations.length}`, now);
  database.transaction(() => {
    for (const step of migrations.slice(version)) database.exec(step);
    passBarrier("migration");
    database.pragma(`user_version = ${migrations.length}`);
  })();
}

const prefix = "countersign-";
const keptBackups = 10;

/**
 * Writes a consistent copy before the schema changes, and keeps the ten newest. It blocks until the copy is there;
 * what is copied on demand goes through the data inspector.
 * @returns the path of the copy.
 */
export function backupDatabase(
  database: Database.Database,
  dataDir: string,
  label: string,
  now: () => number,
): string {
  const dir = join(dataDir, "backups");
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const stamp = new Date(now()).toISOString().replaceAll(":", "-");
  const path = join(dir, `${prefix}${stamp}-${label}.db`);
  copyDatabase(database, path);
  for (const old of listBackups(dir, prefix).slice(0, -keptBackups)) rmSync(join(dir, old), { force: true });
  return path;
}

function newestBackup(dataDir: string): string | undefined {
  const dir = join(dataDir, "backups");
  for (const name of listBackups(dir, prefix).reverse()) {
    const path = join(dir, name);
    if (isSound(path)) return path;
  }
  return undefined;
}

/** The names of the copies of one database, oldest first. */
export function listBackups(dir: string, of: string): string[] {
  return existsSync(dir)
    ? readdirSync(dir)
        .filter((name) => name.startsWith(of) && name.endsWith(".db"))
        .sort()
    : [];
}

function isSound(path: string): boolean {
  try {
    const backup = new Database(path, { readonly: true });
    try {
      return backup.pragma("quick_check", { simple: true }) === "ok";
    } finally {
      backup.close();
    }
  } catch {
    return false;
  }
}

/** Moves a database out of the way with its log. @returns where it is now. */
export function setAside(path: string, now: () => number): string {
  const aside = `${path}.damaged-${new Date(now()).toISOString().replaceAll(":", "-")}`;
  for (const suffix of ["", "-wal", "-shm"])
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  return aside;
}
