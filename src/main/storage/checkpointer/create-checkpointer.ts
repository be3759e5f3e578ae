/** Opens the checkpoint database the way a desktop application needs it. */
import Database from "better-sqlite3";
import { makePrivateFile } from "../private-files.ts";
import { limitPageCache, surviveCheckpoints } from "../set-connection.ts";
import { LinearSqliteSaver } from "./linear-sqlite-saver.ts";
import { type OnWriteFailed, TellingSaver } from "./telling-saver.ts";

export type CheckpointerOptions = {
  /** How long a call waits for another connection's lock. Default 5,000. */
  readonly busyTimeoutMs?: number;
  /** The write-ahead log is cut back to this size after a checkpoint. Default 16 MB. */
  readonly walLimitBytes?: number;
  /** Hears of writes that failed, which then resolve all the same. Without it they reject. */
  readonly onWriteFailed?: OnWriteFailed;
};

/**
 * Opens or creates the database at `path`. Checkpoints survive the death of the process; with
 * `synchronous = NORMAL` the last of them may be lost when the power fails, never the file's integrity.
 * A database of the stock saver opens as it is.
 * @throws SqliteError if the file cannot be opened or is not a database
 */
export function createCheckpointer(path: string, options: CheckpointerOptions = {}): LinearSqliteSaver {
  const { busyTimeoutMs = 5_000, walLimitBytes = 16 * 1024 * 1024, onWriteFailed } = options;
  makePrivateFile(path);
  const db = new Database(path, { timeout: busyTimeoutMs });
  try {
    // Takes effect only while the file has no table yet.
    db.pragma("auto_vacuum = INCREMENTAL");
    db.pragma("journal_mode = WAL");
    surviveCheckpoints(db);
    db.pragma(`journal_size_limit = ${walLimitBytes}`);
    limitPageCache(db);
    return onWriteFailed ? new TellingSaver(db, onWriteFailed) : new LinearSqliteSaver(db);
  } catch (error) {
    db.close();
    throw error;
  }
}
