/** How much of a database a connection keeps in the memory of this process; the system's own cache holds the rest. */
import type Database from "better-sqlite3";

/** In KiB. better-sqlite3 sets 16,000, of which two connections fill most without a commit or a reading being faster. */
const pageCacheKib = 4_000;

/** Bounds the page cache of an open database. */
export function limitPageCache(database: Database.Database): void {
  database.pragma(`cache_size = ${-pageCacheKib}`);
}
