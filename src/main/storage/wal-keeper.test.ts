import { closeSync, mkdtempSync, openSync, readSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createWalKeeper, isCheckpointDue } from "./wal-keeper.ts";

const mb = 1024 * 1024;
let folder: string;
let database: Database.Database;
const path = () => join(folder, "a.db");
const logMb = () => statSync(`${path()}-wal`).size / mb;
/** They change whenever SQLite begins the log anew. https://sqlite.org/fileformat2.html#the_write_ahead_log */
function salts(): string {
  const found = Buffer.alloc(8);
  const file = openSync(`${path()}-wal`, "r");
  readSync(file, found, 0, 8, 16);
  closeSync(file);
  return found.toString("hex");
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-wal-keeper-"));
  database = new Database(path());
  database.pragma("journal_mode = WAL");
  database.exec("CREATE TABLE t (body BLOB)");
});

afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

function write(megabytes: number): void {
  database.prepare("INSERT INTO t VALUES (zeroblob(?))").run(megabytes * mb);
}

describe("the log of a database", () => {
  it("is moved into it aside, while no commit does so itself", async () => {
    const keeper = createWalKeeper();
    keeper.add(database);
    write(5);
    // The commit itself left everything in the log.
    expect([Math.floor(logMb()), Math.floor(statSync(path()).size / mb)]).toEqual([5, 0]);
    await vi.waitFor(() => expect(statSync(path()).size).toBeGreaterThan(5 * mb));
    await keeper.close();
    expect(database.prepare("SELECT length(body) FROM t").pluck().get()).toBe(5 * mb);
  });

  it("is moved while nobody writes, however short it is, by a thread that ends then", async () => {
    const ends = vi.spyOn(Worker.prototype, "terminate");
    const keeper = createWalKeeper();
    keeper.add(database);
    write(1);
    expect(statSync(path()).size).toBeLessThan(mb);
    await vi.waitFor(() => expect(statSync(path()).size).toBeGreaterThan(mb));
    await vi.waitFor(() => expect(ends).toHaveBeenCalledOnce());
    await keeper.close();
    expect(ends).toHaveBeenCalledOnce();
    ends.mockRestore();
  });

  it.each([
    ["is moved as soon as it is long", 2 * mb, undefined, true],
    ["waits while it is short and somebody writes", 2 * mb - 1, { written: "before", isMoved: true }, false],
    ["is moved when nobody wrote since the last look", 1, { written: "now", isMoved: false }, true],
    [
      "is left alone once it is moved, however long its file",
      64 * mb,
      { written: "now", isMoved: true },
      false,
    ],
    ["is moved again after it was written", 64 * mb, { written: "before", isMoved: true }, true],
    ["is nothing to do where it is empty", 0, { written: "now", isMoved: false }, false],
  ])("%s", (_what, bytes, last, isDue) => {
    expect(isCheckpointDue({ bytes, written: "now" }, last)).toBe(isDue);
  });

  it("begins anew while commits never pause", async () => {
    const keeper = createWalKeeper();
    keeper.add(database);
    // Without the safety net only the keeper can do it.
    database.pragma("wal_autocheckpoint = 0");
    write(40);
    const first = salts();
    let written = 40 * mb;
    while (salts() === first) {
      write(1 / 64);
      written += mb / 64;
      await pause(1);
    }
    await keeper.close();
    expect(database.pragma("quick_check", { simple: true })).toBe("ok");
    expect(database.prepare("SELECT sum(length(body)) FROM t").pluck().get()).toBe(written);
  });

  it("is left alone in memory", async () => {
    const keeper = createWalKeeper();
    const inMemory = new Database(":memory:");
    keeper.add(inMemory);
    await keeper.close();
    expect(inMemory.open).toBe(true);
    inMemory.close();
  });
});
