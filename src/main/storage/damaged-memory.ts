/** Sees at the start whether the agents' memory can be read at all, and sets a file aside that cannot. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { listBackups, setAside } from "./open-database.ts";
import { classifyStorageError } from "./storage-error.ts";

const name = "checkpoints.db";

/**
 * Reads header and table roots, as the other database's opening does.
 * @returns what a person should know when the file was damaged: the agents begin without what they knew.
 */
export function setDamagedMemoryAside(dataDir: string, now: () => number): string | undefined {
  const path = join(dataDir, name);
  if (!existsSync(path) || !isDamaged(path)) return undefined;
  const aside = setAside(path, now);
  const backup = listBackups(join(dataDir, "backups"), "checkpoints-").at(-1);
  const way = backup
    ? ` To go back to the backup of it: close Countersign and put a copy of ${join(dataDir, "backups", backup)} there as ${name}.`
    : "";
  return `What the agents remember was damaged. It was set aside as ${aside}; the conversations and the record of decisions are here, but the agents begin without knowing them.${way}`;
}

function isDamaged(path: string): boolean {
  try {
    const database = new Database(path, { readonly: true });
    try {
      const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
      for (const table of tables)
        database.prepare(`SELECT 1 FROM "${String(table).replaceAll('"', '""')}" LIMIT 1`).get();
      return false;
    } finally {
      database.close();
    }
  } catch (error) {
    return classifyStorageError(error)?.code === "corrupt";
  }
}
