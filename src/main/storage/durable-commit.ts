/** Commits that must survive a power cut, among many that only have to survive the end of the process. */
import type Database from "better-sqlite3";

export type CommitDurably = <T>(act: () => T) => T;

/**
 * Runs one transaction that is on disk when it returns (I1). In WAL mode the sync covers every earlier commit too, so
 * what a person said, what was decided and what is about to run never stand without what led to them.
 * Must not be called inside a transaction. https://sqlite.org/pragma.html#pragma_synchronous
 */
export function createDurableCommit(database: Database.Database): CommitDurably {
  return (act) => {
    database.pragma("synchronous = FULL");
    try {
      return database.transaction(act)();
    } finally {
      database.pragma("synchronous = NORMAL");
    }
  };
}
