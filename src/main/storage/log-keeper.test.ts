import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLogKeeper } from "./log-keeper.ts";

const mb = 1024 * 1024;
let folder: string;
let database: Database.Database;
const path = () => join(folder, "a.db");
const logMb = () => statSync(`${path()}-wal`).size / mb;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-log-keeper-"));
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
    const keeper = createLogKeeper();
    keeper.add(database);
    write(5);
    // The commit itself left everything in the log.
    expect([Math.floor(logMb()), Math.floor(statSync(path()).size / mb)]).toEqual([5, 0]);
    await vi.waitFor(() => expect(statSync(path()).size).toBeGreaterThan(5 * mb));
    await keeper.close();
    expect(database.prepare("SELECT length(body) FROM t").pluck().get()).toBe(5 * mb);
  });

  it("begins anew while commits never pause", async () => {
    const keeper = createLogKeeper();
    keeper.add(database);
    let largest = 0;
    for (let written = 0; written < 150; written += 1) {
      write(1);
      largest = Math.max(largest, logMb());
      await turn();
    }
    await vi.waitFor(() => {
      write(1);
      expect(statSync(path()).size).toBeGreaterThan(20 * mb);
    });
    // A log that never began anew would hold all 150; how far the thread falls behind depends on the machine.
    expect(largest).toBeLessThan(130);
    await keeper.close();
    expect(database.pragma("quick_check", { simple: true })).toBe("ok");
  });

  it("is left alone in memory", async () => {
    const keeper = createLogKeeper();
    const inMemory = new Database(":memory:");
    keeper.add(inMemory);
    await keeper.close();
    expect(inMemory.open).toBe(true);
    inMemory.close();
  });
});
