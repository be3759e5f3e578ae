/** Keeps what is in the data directory to its owner, also in a directory that was made for something else. */
import { chmodSync, closeSync, openSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { isKeptToOwner, keepToOwner } from "./keep-to-owner.ts";

type FileSystemRights = {
  platform: NodeJS.Platform;
  keepToOwner(dir: string): boolean;
  changeMode(path: string, mode: number): void;
};

const thisSystem: FileSystemRights = { platform: process.platform, keepToOwner, changeMode: chmodSync };

const ownersOnly = { folder: 0o700, file: 0o600 };

/**
 * Takes the rights of group and others from a directory, its files and its backups. Where a file system knows no rights
 * nothing changes; Windows has access lists instead, which the files of a folder inherit.
 * @returns whether nobody else can read it now, as far as the system says.
 * @throws the file system's error when the directory is open to others and belongs to somebody else.
 */
export function makePrivate(dir: string, changed: Partial<FileSystemRights> = {}): boolean {
  const system = { ...thisSystem, ...changed };
  if (system.platform === "win32") return system.keepToOwner(dir);
  const restrict = (path: string, mode: number) => {
    if (!isClosed(path)) system.changeMode(path, mode);
  };
  restrict(dir, ownersOnly.folder);
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    if (entry.isDirectory()) restrict(join(dir, entry.name), ownersOnly.folder);
    else if (entry.isFile()) restrict(join(dir, entry.name), ownersOnly.file);
  }
  return isClosed(dir);
}

/** Whether nobody else can read what is in a folder: by its access list on Windows, elsewhere by its mode. */
export function isPrivate(dir: string): boolean {
  return process.platform === "win32" ? isKeptToOwner(dir) : isClosed(dir);
}

/**
 * Makes an empty file of its owner alone where there is none, before SQLite makes one that others may read. SQLite takes it
 * for a new database, and gives its log and its index the same rights. What cannot be made is told by whoever opens it.
 */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, "a", ownersOnly.file));
  } catch {
    // A folder that is gone or may not be written to.
  }
}

const isClosed = (path: string): boolean => (statSync(path).mode & 0o077) === 0;
