/** How a connection to a database is set: nothing it wrote is lost in a power cut, and it keeps little in memory. */
import type Database from "better-sqlite3";

/**
 * NORMAL survives the end of the process; what must survive a power cut is committed durably (durable-commit.ts). A
 * checkpoint has to be on the disk before the log is used again, and on macOS a plain fsync does not reach it.
 */
export function surviveCheckpoints(database: Database.Database): void {
  database.pragma("synchronous = NORMAL");
  database.pragma("checkpoint_fullfsync = ON");
}

/** In KiB. better-sqlite3 sets 16,000, of which two connections fill most without a commit or a reading being faster. */
const pageCacheKib = 4_000;

/** Bounds the page cache of an open database. */
export function limitPageCache(database: Database.Database): void {
  database.pragma(`cache_size = ${-pageCacheKib}`);
}
