/** Sees that an open database is still the file at its path: what is written to one that was moved or removed is never found again. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { StorageError } from "./storage-error.ts";

/** Of one file; `undefined` for one that is not there. */
type Seen = { device: bigint; inode: bigint; bytes: bigint } | undefined;

export type PlaceWatch = {
  /**
   * To be asked before each commit that has to last: no commit may follow where it throws, since the next start would not
   * find it. @throws StorageError once the database or its log was removed, moved, replaced, emptied or cut by another program.
   */
  assert(): void;
  /** To be told after each commit: its log is longer by it. */
  noteWritten(): void;
};

/** @param logLimit to how many bytes SQLite itself cuts a longer log back. */
export function watchStaysInPlace(path: string, logLimit: bigint): PlaceWatch {
  // The log is there from the first write on, and SQLite makes it no second time while the database is open.
  const log = { file: `${path}-wal`, seen: look(`${path}-wal`), least: logLimit };
  const files = [{ file: path, seen: look(path), least: 1n }, log];
  return {
    assert() {
      const isInPlace = files.every((one) => {
        const now = look(one.file);
        if (!isSame(one.seen, now, one.least)) return false;
        if (one !== log && isShorter(now, one.seen) && isCut(path, now)) return false;
        one.seen = now;
        return true;
      });
      if (isInPlace) return;
      throw new StorageError(
        "unusable",
        `The database ${path} was moved, replaced, emptied or cut by another program, so nothing more is decided or started: it would not be kept. Export the threads you need, put the database back, and start Countersign again.`,
      );
    },
    noteWritten() {
      const now = look(log.file);
      // Another file in its place is for the next look to find.
      if (isSame(log.seen, now, log.least)) log.seen = now;
    },
  };
}

function look(path: string): Seen {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && { device: found.dev, inode: found.ino, bytes: found.size };
}

/** @param least a longer file may have become as short as that. */
function isSame(before: Seen, now: Seen, least: bigint): boolean {
  if (before === undefined) return true;
  const isThere = now !== undefined && now.device === before.device && now.inode === before.inode;
  return isThere && now.bytes >= (before.bytes < least ? before.bytes : least);
}

const isShorter = (now: Seen, before: Seen) =>
  now !== undefined && before !== undefined && now.bytes < before.bytes;

/** Whether a database holds less than its head says, which SQLite writes before it gives pages back: https://sqlite.org/fileformat2.html */
function isCut(path: string, now: Seen): boolean {
  const head = Buffer.alloc(32);
  const file = openSync(path, "r");
  try {
    if (readSync(file, head, 0, head.length, 0) < head.length) return true;
  } finally {
    closeSync(file);
  }
  const written = head.readUInt16BE(16);
  const pageBytes = written === 1 ? 65_536 : written;
  return now === undefined || now.bytes < BigInt(head.readUInt32BE(28)) * BigInt(pageBytes);
}
