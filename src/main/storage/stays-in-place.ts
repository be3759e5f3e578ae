/** Sees that an open database is still the file at its path: what is written to one that was moved or removed is never found again. */
import { statSync } from "node:fs";
import { StorageError } from "./storage-error.ts";

/** Of one file; `undefined` for one that is not there. */
type Seen = { device: bigint; inode: bigint; bytes: bigint } | undefined;

/**
 * To be asked before each commit that has to last.
 * @returns what throws a StorageError once the database or its log was removed, moved, replaced or emptied by another
 * program. No commit may follow then: its log would not be found by the next start.
 */
export function watchStaysInPlace(path: string): () => void {
  // The log is there from the first write on, and SQLite makes it no second time while the database is open.
  const files = [path, `${path}-wal`].map((file) => ({ file, seen: look(file) }));
  return () => {
    const isInPlace = files.every((one) => {
      const now = look(one.file);
      if (!isSame(one.seen, now)) return false;
      one.seen = now;
      return true;
    });
    if (isInPlace) return;
    throw new StorageError(
      "unusable",
      `The database ${path} was moved, replaced or emptied by another program, so nothing more is decided or started: it would not be kept. Export the threads you need, put the database back, and start Countersign again.`,
    );
  };
}

function look(path: string): Seen {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && { device: found.dev, inode: found.ino, bytes: found.size };
}

function isSame(before: Seen, now: Seen): boolean {
  if (before === undefined) return true;
  const isThere = now !== undefined && now.device === before.device && now.inode === before.inode;
  return isThere && (now.bytes > 0n || before.bytes === 0n);
}
