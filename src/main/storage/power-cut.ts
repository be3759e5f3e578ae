/** What makes a connection to a database write so that nothing it holds is lost in a power cut, checkpoints included. */
import type Database from "better-sqlite3";

/**
 * NORMAL survives the end of the process; what must survive a power cut is committed durably (durable-commit.ts). A
 * checkpoint has to be on the disk before the log is used again, and on macOS a plain fsync does not reach it.
 */
export function surviveCheckpoints(database: Database.Database): void {
  database.pragma("synchronous = NORMAL");
  database.pragma("checkpoint_fullfsync = ON");
}
