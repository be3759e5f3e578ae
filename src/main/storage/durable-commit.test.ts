/** When a commit counts as done: after the disk has it. */
import { copyFileSync, mkdtempSync, renameSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDurableCommits, type Disk } from "./durable-commit.ts";
import { openDatabase } from "./open-database.ts";
import { StorageError } from "./storage-error.ts";
import { noteWorkspace, workspacesIn } from "./testing/workspace-rows.ts";

let folder: string;
const now = Date.now;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-commit-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe("a durable commit", () => {
  /** A disk that notes what had been committed at each sync, and takes as long as it is told. */
  function watchedDisk(database: Database.Database, takesMs: number) {
    const happened: string[] = [];
    const note = (how: string) => void happened.push(`${how} sync of ${workspacesIn(database).length}`);
    const disk: Disk = {
      syncNow() {
        note("inline");
        const until = performance.now() + takesMs;
        while (performance.now() < until);
      },
      sync: async () => note("aside"),
    };
    const durable = createDurableCommits(database, disk);
    const add = (path: string) =>
      durable.commitDurably(() => noteWorkspace(database, path)).then(() => void happened.push(path));
    return { happened, durable, add };
  }

  it("is done when the log was synced after it", async () => {
    const { database } = openDatabase(folder, now);
    const { happened, durable, add } = watchedDisk(database, 0);
    await add("/one");
    await add("/two");
    expect(happened).toEqual(["inline sync of 1", "/one", "inline sync of 2", "/two"]);
    await durable.close();
    database.close();
  });

  it("waits for a slow disk aside, once for all that came together", async () => {
    const { database } = openDatabase(folder, now);
    const { happened, durable, add } = watchedDisk(database, 5);
    await add("/one");
    await add("/two");
    expect(happened.splice(0)).toEqual(["inline sync of 1", "/one", "inline sync of 2", "/two"]);
    await Promise.all(["/three", "/four", "/five"].map(add));
    expect(happened).toEqual(["aside sync of 5", "/three", "/four", "/five"]);
    await durable.close();
    database.close();
  });

  it("joins the sync of a commit that follows it, and is synced when none does", async () => {
    const { database } = openDatabase(folder, now);
    const { happened, durable, add } = watchedDisk(database, 0);
    // On a busy machine even this disk may look slow, and be waited for aside.
    const told = (from: number) => happened.slice(from).map((what) => what.replace(/^(inline|aside) /, ""));
    const decide = (path: string) =>
      durable.commit(() => noteWorkspace(database, path)).onDisk.then(() => void happened.push(path));
    await Promise.all([decide("/decided"), add("/started")]);
    expect(told(0)).toEqual(["sync of 2", "/decided", "/started"]);
    await decide("/alone");
    expect(told(3)).toEqual(["sync of 3", "/alone"]);
    const last = decide("/last");
    await durable.close();
    await last;
    expect(told(5)).toEqual(["sync of 4", "/last"]);
    database.close();
  });

  it("tells of a disk that cannot keep it, and of a transaction that failed", async () => {
    const { database } = openDatabase(folder, now);
    let broken = true;
    const syncNow = () => {
      if (broken) throw new Error("i/o error");
    };
    const durable = createDurableCommits(database, { syncNow, sync: async () => syncNow() });
    await expect(durable.commitDurably(() => noteWorkspace(database, "/one"))).rejects.toThrow("i/o error");
    broken = false;
    await durable.commitDurably(() => noteWorkspace(database, "/two"));
    broken = true;
    await expect(durable.commit(() => noteWorkspace(database, "/three")).onDisk).rejects.toThrow("i/o error");
    broken = false;
    const fail = () => {
      noteWorkspace(database, "/half");
      throw new Error("no");
    };
    await expect(durable.commitDurably(fail)).rejects.toThrow("no");
    expect(workspacesIn(database).sort()).toEqual(["/one", "/three", "/two"]);
    await durable.close();
    database.close();
  });

  it("names what the system calls a failing disk as the database's own trouble", async () => {
    const { database } = openDatabase(folder, now);
    const syncNow = () => {
      throw Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" });
    };
    const durable = createDurableCommits(database, { syncNow, sync: async () => syncNow() });
    const told = {
      name: "StorageError",
      message: expect.stringContaining("The disk answered with an error"),
    };
    await expect(durable.commitDurably(() => noteWorkspace(database, "/one"))).rejects.toMatchObject(told);
    await expect(durable.commit(() => noteWorkspace(database, "/two")).onDisk).rejects.toMatchObject(told);
    database.close();
  });

  // Windows lets nobody remove or replace a file that is open.
  describe.runIf(process.platform !== "win32")("to a database whose", () => {
    const at = (name: string) => join(folder, name);
    it.each<[string, () => void]>([
      ["file was removed", () => rmSync(at("countersign.db"))],
      ["file was emptied", () => truncateSync(at("countersign.db"))],
      ["file was cut", () => truncateSync(at("countersign.db"), statSync(at("countersign.db")).size - 1)],
      ["log was removed", () => rmSync(at("countersign.db-wal"))],
      ["log was emptied", () => truncateSync(at("countersign.db-wal"))],
      [
        "log was cut",
        () => truncateSync(at("countersign.db-wal"), statSync(at("countersign.db-wal")).size - 1),
      ],
      ["file was replaced", () => replace("countersign.db")],
      ["log was replaced", () => replace("countersign.db-wal")],
      ["folder was moved", () => renameSync(folder, `${folder}-moved`)],
    ])("%s is refused before anything is written", async (_what, harm) => {
      const { database } = openDatabase(folder, now);
      const { durable, add } = watchedDisk(database, 0);
      await add("/one");
      harm();
      await expect(add("/two")).rejects.toThrow(/moved, replaced, emptied or cut by another program/);
      expect(() => durable.commit(() => noteWorkspace(database, "/two"))).toThrow(StorageError);
      expect(workspacesIn(database)).toEqual(["/one"]);
      await durable.close();
      database.close();
      rmSync(`${folder}-moved`, { recursive: true, force: true });
    });

    function replace(name: string): void {
      copyFileSync(at(name), at("copy"));
      renameSync(at("copy"), at(name));
    }
  });

  it("reaches the real disk", async () => {
    const { database } = openDatabase(folder, now);
    const durable = createDurableCommits(database);
    await durable.commitDurably(() => noteWorkspace(database, "/one"));
    await durable.close();
    database.close();
  });
});
