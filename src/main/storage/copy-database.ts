/** The one way in which a database is copied: whole, consistent, and into a file of its owner alone. */
import { rmSync, statSync } from "node:fs";
import type Database from "better-sqlite3";
import { makePrivateFile } from "./private-files.ts";

/** @throws SqliteError when there is something at `path` already, or one of the two cannot be used; nothing is left then. */
export function copyDatabase(database: Database.Database, path: string): void {
  makePrivateFile(path);
  try {
    database.exec(`VACUUM INTO '${path.replaceAll("'", "''")}'`);
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.size === 0) rmSync(path);
    throw error;
  }
}
