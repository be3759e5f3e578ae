/** The shortest rows there are, for tests of what becomes of a database. */
import type Database from "better-sqlite3";

export function noteWorkspace(database: Database.Database, path: string): void {
  database.prepare("INSERT INTO workspaces (path, last_used_at) VALUES (?, 1)").run(path);
}

export function workspacesIn(database: Database.Database): unknown[] {
  return database.prepare("SELECT path FROM workspaces ORDER BY path").pluck().all();
}
