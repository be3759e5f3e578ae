/** The thread of the log keeper: checkpoints the database whose path it is sent, and says how long its log was. */
import { parentPort } from "node:worker_threads";
import Database from "better-sqlite3";
import { surviveCheckpoints } from "./power-cut.ts";

const databases = new Map<string, Database.Database>();

function open(path: string): Database.Database {
  const database = new Database(path, { fileMustExist: true });
  surviveCheckpoints(database);
  databases.set(path, database);
  return database;
}

/**
 * Nothing is lost when it fails: the log stays as it is and the next look tries again.
 * @returns the pages of the log when it began, 0 when it could not be done.
 */
function checkpoint(path: string): number {
  try {
    const database = databases.get(path) ?? open(path);
    const [{ log }] = database.pragma("wal_checkpoint(PASSIVE)") as [{ log: number }];
    return log;
  } catch {
    return 0;
  }
}

parentPort?.on("message", (path: string) => parentPort?.postMessage(checkpoint(path)));
