import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { socketPath } from "../base/private-socket.ts";
import { mountSmallDisk } from "../base/testing/small-disk.ts";
import { createCheckpointer } from "./checkpointer/create-checkpointer.ts";
import { lockDataDir } from "./data-dir-lock.ts";
import { migrations } from "./migrations.ts";
import { backupDatabase, openDatabase } from "./open-database.ts";
import { makePrivate } from "./private-files.ts";
import { DataDirInUseError } from "./storage-error.ts";
import { noteWorkspace, workspacesIn } from "./testing/workspace-rows.ts";

let folder: string;
let clock: number;
const now = () => clock;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-storage-"));
  clock = Date.parse("2026-01-01T00:00:00Z");
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const file = () => join(folder, "countersign.db");

function damage(): void {
  const content = readFileSync(file());
  content.fill(0xa5, 0, 4096);
  writeFileSync(file(), content);
}

describe("opening the database", () => {
  it.each([
    ["empty", () => writeFileSync(file(), "")],
    ["gone", () => rmSync(file())],
  ])("that is %s brings the newest backup back, and says so", (state, lose) => {
    const { database } = openDatabase(folder, now);
    noteWorkspace(database, "/before");
    const backup = backupDatabase(database, folder, "on-demand", now);
    database.close();
    lose();
    const again = openDatabase(folder, now);
    expect(workspacesIn(again.database)).toEqual(["/before"]);
    expect(again.warnings).toEqual([
      expect.stringContaining(`was ${state}. The backup ${backup} was restored`),
    ]);
    again.database.close();
  });

  it("that is gone without a backup says so where agents have worked, and nothing at a first start", () => {
    const first = openDatabase(folder, now);
    expect(first.warnings).toEqual([]);
    first.database.close();
    rmSync(file());
    writeFileSync(join(folder, "checkpoints.db"), "");
    const again = openDatabase(folder, now);
    expect(again.warnings).toEqual([expect.stringContaining("there is no backup")]);
    again.database.close();
  });

  it("makes the newest schema from nothing, and opens it again without a backup", () => {
    const { database, warnings } = openDatabase(folder, now);
    expect([database.pragma("user_version", { simple: true }), warnings]).toEqual([migrations.length, []]);
    noteWorkspace(database, "/a");
    database.close();
    const again = openDatabase(folder, now);
    expect(workspacesIn(again.database)).toEqual(["/a"]);
    again.database.close();
    expect(existsSync(join(folder, "backups"))).toBe(false);
  });

  it("makes checkpoints reach the disk in both databases, as macOS has to be told", () => {
    const { database } = openDatabase(folder, now);
    const memory = createCheckpointer(join(folder, "checkpoints.db"));
    for (const opened of [database, memory.db]) {
      expect(opened.pragma("checkpoint_fullfsync", { simple: true })).toBe(1);
      expect(opened.pragma("synchronous", { simple: true })).toBe(1);
      opened.close();
    }
  });

  it("has one place where a connection is told how to reach the disk", () => {
    const told = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .filter((name) =>
        /pragma\(.synchronous = /.test(readFileSync(join(import.meta.dirname, name), "utf8")),
      );
    expect(told).toEqual(["set-connection.ts"]);
  });

  it("refuses what a newer version wrote, and leaves it as it is", () => {
    openDatabase(folder, now).database.close();
    const newer = new Database(file());
    newer.pragma("user_version = 9999");
    newer.close();
    const before = readFileSync(file());
    expect(() => openDatabase(folder, now)).toThrow(/newer version/);
    expect(readFileSync(file()).equals(before)).toBe(true);
  });

  it("sets a damaged file aside, restores the newest sound backup, and says both", () => {
    const { database } = openDatabase(folder, now);
    noteWorkspace(database, "/first");
    backupDatabase(database, folder, "on-demand", now);
    clock += 1_000;
    noteWorkspace(database, "/second");
    const newest = backupDatabase(database, folder, "on-demand", now);
    clock += 1_000;
    const unsound = backupDatabase(database, folder, "on-demand", now);
    noteWorkspace(database, "/lost");
    database.close();
    writeFileSync(unsound, "not a database at all");
    damage();
    const restored = openDatabase(folder, now);
    expect(workspacesIn(restored.database)).toEqual(["/first", "/second"]);
    expect(restored.warnings.join()).toContain(newest);
    expect(restored.warnings.join()).toMatch(/damaged.*set aside/);
    restored.database.close();
    const aside = readdirSync(folder).filter((name) => name.includes(".damaged-"));
    expect(aside.length).toBeGreaterThan(0);
  });

  it("sets the log of a lost file aside with it, so that the backup in its place is read without it", () => {
    const { database } = openDatabase(folder, now);
    noteWorkspace(database, "/kept");
    backupDatabase(database, folder, "on-demand", now);
    noteWorkspace(database, "/lost");
    const left = ["-wal", "-shm"].map((end) => [`${file()}${end}`, readFileSync(`${file()}${end}`)] as const);
    database.close();
    writeFileSync(file(), "");
    for (const [path, bytes] of left) writeFileSync(path, bytes);
    const restored = openDatabase(folder, now);
    expect(workspacesIn(restored.database)).toEqual(["/kept"]);
    restored.database.close();
    const aside = readdirSync(folder).filter((name) => name.includes(".damaged-"));
    expect(aside.map((name) => name.replace(/^.*Z/, "")).toSorted()).toEqual(["", "-shm", "-wal"]);
    const log = aside.find((name) => name.endsWith("-wal"))!;
    expect(readFileSync(join(folder, log)).equals(left[0]![1])).toBe(true);
  });

  it("starts empty and says so when a damaged file has no backup", () => {
    openDatabase(folder, now).database.close();
    damage();
    const { database, warnings } = openDatabase(folder, now);
    expect(warnings.join()).toMatch(/no backup yet/);
    expect(workspacesIn(database)).toEqual([]);
    database.close();
  });
});

describe("backups", () => {
  it("are taken while the database is in use, and only the ten newest stay", () => {
    const { database } = openDatabase(folder, now);
    const paths = Array.from({ length: 12 }, (_, i) => {
      clock += 1_000;
      noteWorkspace(database, `/w${i}`);
      return backupDatabase(database, folder, "on-demand", now);
    });
    expect(paths.map((path) => existsSync(path))).toEqual([false, false, ...Array(10).fill(true)]);
    const last = new Database(paths.at(-1)!, { readonly: true });
    expect(workspacesIn(last)).toHaveLength(12);
    last.close();
    database.close();
  });
});

describe("the lock on a data directory", () => {
  it("closes a folder of Windows by its access list, which its modes do not", () => {
    const closed: string[] = [];
    const keepToOwner = (dir: string) => closed.push(dir) > 1;
    const system = { platform: "win32", keepToOwner } as const;
    expect([makePrivate(folder, system), makePrivate(folder, system)]).toEqual([false, true]);
    expect(closed).toEqual([folder, folder]);
  });

  it.runIf(process.platform !== "win32")("knows a disk that keeps no modes for an open one", () => {
    chmodSync(folder, 0o755);
    expect(makePrivate(folder, { changeMode: () => undefined })).toBe(false);
    expect(makePrivate(folder)).toBe(true);
  });

  it("goes on where the folder stays open to other users, and says so", () => {
    const open = lockDataDir(folder, { makePrivate: () => false });
    expect(open.openToOthers).toMatchObject({ name: "OpenToOthersError", code: "open-to-others" });
    expect(open.openToOthers?.message).toMatch(new RegExp(`${basename(folder)}.*--data-dir`));
    open.release();
    const closed = lockDataDir(folder, { makePrivate: () => true });
    expect(closed.openToOthers).toBeUndefined();
    closed.release();
  });

  it("belongs to one host, names what to do to the other, and is free after the first ended", () => {
    const lock = lockDataDir(folder);
    expect(() => lockDataDir(folder)).toThrow(DataDirInUseError);
    expect(() => lockDataDir(folder)).toThrow(/--data-dir/);
    lock.release();
    lockDataDir(folder).release();
  });

  it.skipIf(process.platform === "win32")(
    "is taken with the sockets that a killed host left, and not with one in the place of a file",
    async () => {
      const servers = [createServer(), createServer()];
      const listens = (server: Server, path: string) => once(server.listen(path), "listening");
      await listens(servers[0]!, socketPath(folder, "tools-1"));
      lockDataDir(folder).release();
      await listens(servers[1]!, join(folder, "keys.json"));
      expect(() => lockDataDir(folder)).toThrow(/keys\.json is neither a file nor a folder/);
      for (const server of servers) server.close();
    },
  );

  it("is not taken on another computer's disk, by its own name or behind a letter", () => {
    const shares = [
      "\\\\server\\share\\data",
      "//server/share/data",
      "\\\\?\\UNC\\server\\share",
      "\\\\wsl$\\u",
    ];
    for (const share of shares) {
      const behindLetter = { platform: "win32", realPath: () => share } as const;
      expect(() => lockDataDir(folder, behindLetter), share).toThrow(/on another computer.*--data-dir/);
      expect(() => lockDataDir(share, { platform: "win32", realPath: String }), share).toThrow(/on another/);
    }
    const here = { platform: "win32", realPath: () => "\\\\?\\C:\\data" } as const;
    lockDataDir(folder, here).release();
    expect(readdirSync(folder)).toEqual(["lock.db"]);
  });

  it("cannot be had on a file", () => {
    writeFileSync(join(folder, "file"), "");
    expect(() => lockDataDir(join(folder, "file"))).toThrow(/cannot be used.*--data-dir/s);
  });
});

describe("a disk", () => {
  it("that is full refuses the write, keeps what was written, and works again when there is room", (test) => {
    const disk = join(folder, "disk");
    const unmount = mountSmallDisk(disk, "size=1m", test);
    try {
      const { database } = openDatabase(disk, now);
      noteWorkspace(database, "/kept");
      const filler = join(disk, "filler");
      expect(() => writeFileSync(filler, Buffer.alloc(2_000_000))).toThrow(/ENOSPC/);
      expect(() => noteWorkspace(database, `/${"x".repeat(200_000)}`)).toThrow(/full/);
      expect(workspacesIn(database)).toEqual(["/kept"]);
      rmSync(filler);
      noteWorkspace(database, "/later");
      database.close();
      const again = openDatabase(disk, now);
      expect([workspacesIn(again.database), again.warnings]).toEqual([["/kept", "/later"], []]);
      expect(again.database.pragma("integrity_check", { simple: true })).toBe("ok");
      again.database.close();
    } finally {
      unmount();
    }
  });

  it("that is read-only is said to be so before anything begins", (test) => {
    const disk = join(folder, "disk");
    const unmount = mountSmallDisk(disk, "size=1m,ro", test);
    try {
      expect(() => lockDataDir(disk)).toThrow(/cannot be used.*permissions/s);
      expect(() => openDatabase(disk, now)).toThrow(/cannot be written|unable to open/);
    } finally {
      unmount();
    }
  });
});

describe.runIf(process.platform !== "win32")("a data directory that others could read", () => {
  it("is taken from them when it is locked, with its files and backups", () => {
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, "backups"), { mode: 0o755 });
    writeFileSync(file(), "", { mode: 0o644 });
    const lock = lockDataDir(folder);
    const rights = (path: string) => (statSync(path).mode & 0o777).toString(8);
    expect([folder, join(folder, "backups"), file()].map(rights)).toEqual(["700", "700", "600"]);
    lock.release();
  });
});
