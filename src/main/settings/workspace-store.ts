/** The folders a person has opened, and whether each is trusted to loosen anything. */
import { realpathSync } from "node:fs";
import { basename } from "node:path";
import type Database from "better-sqlite3";
import type { Workspace } from "../../shared/contract/workspaces.ts";

export type WorkspaceStore = {
  list(): Workspace[];
  /** Notes that a folder is used; `path` is its real path. */
  touch(path: string): Workspace;
  setTrust(path: string, trusted: boolean): Workspace;
  isTrusted(path: string): boolean;
  /** Takes a folder out of the list, with its trust. */
  forget(path: string): void;
};

type Row = { path: string; trusted: number; lastUsedAt: number };

/** @param now milliseconds since 1970. */
export function createWorkspaceStore(database: Database.Database, now: () => number): WorkspaceStore {
  const one = database.prepare(
    "SELECT path, trusted, last_used_at AS lastUsedAt FROM workspaces WHERE path = ?",
  );
  const all = database.prepare(
    "SELECT path, trusted, last_used_at AS lastUsedAt FROM workspaces ORDER BY last_used_at DESC LIMIT 100",
  );
  const upsert = database.prepare(
    "INSERT INTO workspaces (path, last_used_at) VALUES (?, ?) ON CONFLICT (path) DO UPDATE SET last_used_at = excluded.last_used_at",
  );
  const get = (path: string) => toWorkspace(one.get(path) as Row);
  return {
    list: () => (all.all() as Row[]).map(toWorkspace),
    touch(path) {
      upsert.run(path, now());
      return get(path);
    },
    setTrust(path, trusted) {
      const real = realpathSync(path);
      upsert.run(real, now());
      database.prepare("UPDATE workspaces SET trusted = ? WHERE path = ?").run(trusted ? 1 : 0, real);
      return get(real);
    },
    forget: (path) => void database.prepare("DELETE FROM workspaces WHERE path = ?").run(path),
    isTrusted: (path) => (one.get(path) as Row | undefined)?.trusted === 1,
  };
}

function toWorkspace(row: Row): Workspace {
  return {
    path: row.path,
    name: basename(row.path) || row.path,
    trusted: row.trusted === 1,
    lastUsedAt: row.lastUsedAt,
  };
}
