/** Sees at the start whether the agents' memory is there and can be read at all, and sets a file aside that cannot. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { listBackups, setAside } from "./open-database.ts";
import { classifyStorageError } from "./storage-error.ts";

const name = "checkpoints.db";

/**
 * Reads header and table roots, as the other database's opening does, and begins a new memory where the old one is lost.
 * @param database the console's, which knows whether agents have remembered anything yet.
 * @returns what a person should know when the file was damaged, empty or gone: the agents begin without what they knew.
 */
export async function replaceLostMemory(
  dataDir: string,
  database: Database.Database,
  now: () => number,
): Promise<string | undefined> {
  const path = join(dataDir, name);
  const lost = findLoss(path, database);
  if (lost === undefined) return undefined;
  const aside = existsSync(path) ? ` It was set aside as ${setAside(path, now)};` : "";
  const { createCheckpointer } = await import("./checkpointer/create-checkpointer.ts");
  // With a header, so that the next start does not take it for lost again.
  createCheckpointer(path).db.close();
  const backup = listBackups(join(dataDir, "backups"), "checkpoints-").at(-1);
  const way = backup
    ? ` To go back to the backup of it: close Countersign and put a copy of ${join(dataDir, "backups", backup)} there as ${name}.`
    : "";
  return `What the agents remember was ${lost}.${aside} ${aside ? "the" : "The"} conversations and the record of decisions are here, but the agents begin without knowing them.${way}`;
}

function findLoss(path: string, database: Database.Database): "damaged" | "empty" | "gone" | undefined {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size) return isDamaged(path) ? "damaged" : undefined;
  if (!hasRemembered(database)) return undefined;
  return size === 0 ? "empty" : "gone";
}

/** Before a turn is done, or anything of one is asked about, the memory was opened. */
function hasRemembered(database: Database.Database): boolean {
  const found =
    "SELECT EXISTS (SELECT 1 FROM turns WHERE status = 'done') OR EXISTS (SELECT 1 FROM approvals)";
  return database.prepare(found).pluck().get() === 1;
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
