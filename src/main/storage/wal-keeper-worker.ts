/** The thread of the log keeper: checkpoints the database whose path it is sent, and says what came of its log. */
import { parentPort } from "node:worker_threads";
import Database from "better-sqlite3";
import { surviveCheckpoints } from "./set-connection.ts";

/** The pages of the log when it began, 0 when it could not be done, and whether all of them were moved. */
export type Checkpointed = { logPages: number; isMoved: boolean };

const databases = new Map<string, Database.Database>();

function open(path: string): Database.Database {
  const database = new Database(path, { fileMustExist: true });
  surviveCheckpoints(database);
  databases.set(path, database);
  return database;
}

/** Nothing is lost when it fails: the log stays as it is and the next look tries again. */
function checkpoint(path: string): Checkpointed {
  try {
    const database = databases.get(path) ?? open(path);
    const [{ log, checkpointed }] = database.pragma("wal_checkpoint(PASSIVE)") as [
      { log: number; checkpointed: number },
    ];
    return { logPages: log, isMoved: log === checkpointed };
  } catch {
    return { logPages: 0, isMoved: false };
  }
}

parentPort?.on("message", (path: string) => parentPort?.postMessage(checkpoint(path)));
