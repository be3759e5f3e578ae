/** Moves what SQLite's write-ahead logs hold into their databases, in a thread of its own, so that no commit has to wait for it. */
import { stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type Database from "better-sqlite3";
import { fileBeside } from "../base/file-beside.ts";
import type { Checkpointed } from "./wal-keeper-worker.ts";

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
const maxEndMs = 2_000;

const workerFile = fileBeside(import.meta.url, "wal-keeper-worker.js");

/**
 * SQLite checkpoints in the middle of a commit by default: it copies megabytes and waits twice for the disk, on the loop
 * that answers the window. https://sqlite.org/wal.html#ckpt
 */
export function createWalKeeper(): WalKeeper {
  const kept = new Map<string, Database.Database>();
  const seen = new Map<string, SeenLog>();
  let worker: Worker | undefined;
  let timer: NodeJS.Timeout | undefined;
  let looking = Promise.resolve();
  let wasAsked = false;
  let closed = false;

  function look(): void {
    // A disk that fails here fails the next commit too, and that one tells the person.
    const looked = keepAll().catch(() => true);
    looking = looked.then((busy) => {
      // A thread that waits holds ten megabytes; while nobody writes, none is needed. It has rested since the look before:
      // one that ends while its code is being compiled may never end (nodejs/node#54918), so that nothing waits for it.
      if (!busy && !wasAsked) void endWorker();
      wasAsked = false;
      if (closed) return;
      timer = setTimeout(look, busy ? busyPauseMs : idlePauseMs);
      timer.unref();
    });
  }

  /** @returns whether there was anything to do that goes on. */
  async function keepAll(): Promise<boolean> {
    let busy = false;
    for (const [path, database] of kept) {
      const log = await lookAtLog(path);
      const last = seen.get(path);
      const isQuiet = last?.written === log.written;
      if (!isQuiet) seen.set(path, { written: log.written, isMoved: false });
      if (closed || !isCheckpointDue(log, last)) continue;
      // What a reader holds back is tried again, and not in haste.
      busy ||= !isQuiet;
      const { logPages, isMoved } = await checkpointAside(path);
      seen.set(path, { written: log.written, isMoved });
      // While commits go on, some pages are always newer than a checkpoint aside, and the log would never begin anew.
      if (logPages >= finishFromPages && database.open) database.pragma("wal_checkpoint(PASSIVE)");
    }
    return busy;
  }

  function checkpointAside(path: string): Promise<Checkpointed> {
    return new Promise((resolve) => {
      worker ??= startWorker(kept);
      wasAsked = true;
      const gaveUp = () => resolve({ logPages: 0, isMoved: false });
      worker.once("exit", gaveUp);
      worker.once("message", (done: Checkpointed) => {
        worker?.off("exit", gaveUp);
        resolve(done);
      });
      worker.postMessage(path);
    });
  }

  /** Resolves when it has ended, or does not. */
  async function endWorker(): Promise<void> {
    const ended = worker?.terminate();
    worker = undefined;
    await Promise.race([ended, delay(maxEndMs, undefined, { ref: false })]);
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
      await endWorker();
    },
  };
}

function startWorker(kept: Map<string, Database.Database>): Worker {
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

/** How a log stood when it was looked at, and whether all of it was moved then. */
type SeenLog = { written: string; isMoved: boolean };
type Log = { bytes: number; written: string };

/**
 * Whether a log is worth a checkpoint now. Its file never gets shorter, so what is told of it is when it was written last:
 * one that is moved is left alone until then, and a short one waits until nobody writes.
 */
export function isCheckpointDue({ bytes, written }: Log, last: SeenLog | undefined): boolean {
  const isQuiet = last?.written === written;
  if (bytes === 0 || (isQuiet && last.isMoved)) return false;
  return isQuiet || bytes >= checkpointFromBytes;
}

async function lookAtLog(path: string): Promise<Log> {
  const found = await stat(`${path}-wal`, { bigint: true }).catch(() => undefined);
  return { bytes: Number(found?.size ?? 0), written: `${found?.ino} ${found?.size} ${found?.mtimeNs}` };
}
