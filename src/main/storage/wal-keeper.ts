/** Moves what SQLite's write-ahead logs hold into their databases, in a thread of its own, so that no commit has to wait for it. */
import { stat } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import type Database from "better-sqlite3";
import { fileBeside } from "../base/file-beside.ts";

export type WalKeeper = {
  /** Looks after the log of an open database from now on. One in memory or without a log is left alone. */
  add(database: Database.Database): void;
  /** Call before the databases are closed. */
  close(): Promise<void>;
};

/** A log of this size is worth a checkpoint. */
const checkpointFromBytes = 2 * 1024 * 1024;
/** From this many pages in the log (16 MB) the commit path finishes what is left, so that SQLite begins the log anew. */
const finishFromPages = 4_096;
/** Should the thread fall behind, SQLite checkpoints within a commit again, at 64 MB (its own default is 4 MB). */
const safetyNetPages = 16_384;
const sqliteDefaultPages = 1_000;
const busyPauseMs = 250;
const idlePauseMs = 2_000;

const workerFile = fileBeside(import.meta.url, "wal-keeper-worker.js");

/**
 * SQLite checkpoints in the middle of a commit by default: it copies megabytes and waits twice for the disk, on the loop
 * that answers the window. https://sqlite.org/wal.html#ckpt
 */
export function createWalKeeper(): WalKeeper {
  const kept = new Map<string, Database.Database>();
  let worker: Worker | undefined;
  let timer: NodeJS.Timeout | undefined;
  let looking = Promise.resolve();
  let closed = false;

  function look(): void {
    // A disk that fails here fails the next commit too, and that one tells the person.
    const looked = keepAll().catch(() => true);
    looking = looked.then((busy) => {
      if (closed) return;
      timer = setTimeout(look, busy ? busyPauseMs : idlePauseMs);
      timer.unref();
    });
  }

  /** @returns whether there was anything to do. */
  async function keepAll(): Promise<boolean> {
    let busy = false;
    for (const [path, database] of kept) {
      const bytes = await logBytes(path);
      if (bytes < checkpointFromBytes || closed) continue;
      busy = true;
      const logPages = await checkpointAside(path);
      // While commits go on, some pages are always newer than a checkpoint aside, and the log would never begin anew.
      if (logPages >= finishFromPages && database.open) database.pragma("wal_checkpoint(PASSIVE)");
    }
    return busy;
  }

  /** @returns the pages of the log when it began, 0 when it could not be done. */
  function checkpointAside(path: string): Promise<number> {
    return new Promise((resolve) => {
      worker ??= startWorker();
      const gaveUp = () => resolve(0);
      worker.once("exit", gaveUp);
      worker.once("message", (logPages: number) => {
        worker?.off("exit", gaveUp);
        resolve(logPages);
      });
      worker.postMessage(path);
    });
  }

  function startWorker(): Worker {
    const started = new Worker(workerFile);
    started.unref();
    started.on("error", () => {
      // Without the thread SQLite does it as it always did.
      for (const database of kept.values())
        if (database.open) database.pragma(`wal_autocheckpoint = ${sqliteDefaultPages}`);
      kept.clear();
    });
    return started;
  }

  return {
    add(database) {
      if (database.memory || database.pragma("journal_mode", { simple: true }) !== "wal") return;
      database.pragma(`wal_autocheckpoint = ${safetyNetPages}`);
      kept.set(database.name, database);
      if (timer === undefined) look();
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await looking;
      await worker?.terminate();
    },
  };
}

async function logBytes(path: string): Promise<number> {
  const found = await stat(`${path}-wal`).catch(() => undefined);
  return found?.size ?? 0;
}
