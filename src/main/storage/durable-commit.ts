/** Commits that must survive a power cut, among many that only have to survive the end of the process. */
import { closeSync, fdatasync, fdatasyncSync, openSync } from "node:fs";
import { promisify } from "node:util";
import type Database from "better-sqlite3";
import { watchStaysInPlace } from "./stays-in-place.ts";
import { classifyStorageError } from "./storage-error.ts";

export type CommitDurably = <T>(act: () => T) => Promise<T>;

/** What a transaction gave, and when it will have survived a power cut; rejects when the disk does. */
export type Committed<T> = { result: T; onDisk: Promise<void> };

export type DurableCommits = {
  /**
   * Runs one transaction at once; `onDisk` lets other commits join its sync for a few milliseconds. In the write-ahead
   * log a sync covers every earlier commit too, so what a person said, what was decided and what is about to run never
   * stand without what led to them. Must not be called inside a transaction. When the disk rejects, the transaction may
   * stand.
   */
  commit<T>(act: () => T): Committed<T>;
  /** The same without that pause; resolves with the result when it is on disk (I1). */
  commitDurably: CommitDurably;
  /** Call before the database is closed. */
  close(): Promise<void>;
};

/** How a file is brought to the disk: at once, or beside the event loop. */
export type Disk = { syncNow(file: number): void; sync(file: number): Promise<void> };

const systemDisk: Disk = { syncNow: fdatasyncSync, sync: promisify(fdatasync) };

/** SQLite writes each commit without a sync, and the log file is synced beside it. https://sqlite.org/wal.html */
export function createDurableCommits(database: Database.Database, disk = systemDisk): DurableCommits {
  const inLog = !database.memory && database.pragma("journal_mode", { simple: true }) === "wal";
  const log = inLog ? createWalSync(`${database.name}-wal`, disk) : undefined;
  const place = inLog ? watchStaysInPlace(database.name, logLimitOf(database)) : undefined;
  const write = <T>(act: () => T): T => {
    place?.assert();
    const result = database.transaction(act)();
    place?.noteWritten();
    return result;
  };
  return {
    commit(act) {
      const result = write(act);
      return { result, onDisk: log?.syncSoon().catch(rethrow) ?? Promise.resolve() };
    },
    async commitDurably(act) {
      const result = write(act);
      await log?.sync().catch(rethrow);
      return result;
    },
    close: async () => log?.close(),
  };
}

/** To how many bytes SQLite cuts the log of a database back, when it has become longer. */
export function logLimitOf(database: Database.Database): bigint {
  const limit = database.pragma("journal_size_limit", { simple: true }) as number;
  // Below zero it never does.
  return BigInt(limit < 0 ? Number.MAX_SAFE_INTEGER : limit);
}

/** What a disk answers to a sync is as much the database's as what it answers to a write. */
function rethrow(error: unknown): never {
  throw classifyStorageError(error) ?? error;
}

type WalSync = { sync(): Promise<void>; syncSoon(): Promise<void>; close(): Promise<void> };

/** A wait this short is shorter than the turn of a busy event loop that waiting beside it costs. */
const shortWaitMs = 2;
/** A decision makes its run go on, whose own commit comes within this time and would otherwise wait for two syncs. */
const gatherMs = 5;
/** A fast disk is slow now and then; so many long waits in a row make a slow disk. */
const longWaitsOfSlowDisk = 2;
/** On a slow disk so many syncs happen beside the event loop before it is tried again. */
const syncsBetweenTries = 50;

/** The log exists from the first commit on and stays the same file as long as the database is open. */
function createWalSync(path: string, disk: Disk): WalSync {
  let file: number | undefined;
  let longWaits = 0;
  let slowFor = 0;
  let current: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  let gathered: { done: PromiseWithResolvers<void>; timer: NodeJS.Timeout } | undefined;

  // Written to by SQLite alone; Windows syncs only what was opened for writing.
  function opened(): number {
    file ??= openSync(path, "r+");
    return file;
  }

  async function syncNow(): Promise<void> {
    const began = performance.now();
    disk.syncNow(opened());
    longWaits = performance.now() - began > shortWaitMs ? longWaits + 1 : 0;
    if (longWaits >= longWaitsOfSlowDisk) slowFor = syncsBetweenTries;
  }

  function syncBeside(): Promise<void> {
    next = undefined;
    slowFor -= 1;
    current = disk.sync(opened());
    return current;
  }

  /** Whoever comes while a sync is under way shares the next one: only that covers their commit. */
  function syncWhole(): Promise<void> {
    if (slowFor === 0 && next === undefined) return syncNow();
    next ??= current.then(syncBeside, syncBeside);
    return next;
  }

  function sync(): Promise<void> {
    const synced = syncWhole();
    if (gathered) {
      clearTimeout(gathered.timer);
      synced.then(gathered.done.resolve, gathered.done.reject);
      gathered = undefined;
    }
    return synced;
  }

  return {
    sync,
    /** Shares the next sync that anybody asks for, and asks itself when nobody did. */
    syncSoon() {
      gathered ??= {
        done: Promise.withResolvers(),
        timer: setTimeout(() => sync().catch(() => undefined), gatherMs),
      };
      return gathered.done.promise;
    },
    async close() {
      if (gathered) await sync().catch(() => undefined);
      await (next ?? current).catch(() => undefined);
      // Forgotten first: closed twice, the number may be another file's by then.
      const opened = file;
      file = undefined;
      if (opened !== undefined) closeSync(opened);
    },
  };
}
