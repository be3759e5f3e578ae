import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { forkWithNode } from "../shell/shell-host-process.ts";
import { createDataInspector, type DataInspector, describeDamage } from "./data-inspector.ts";
import { openDatabase } from "./open-database.ts";
import type { CheckStep } from "./probe-messages.ts";

let folder: string;
let database: Database.Database;
let inspector: DataInspector;
let clock: number;
const now = () => clock;
const never = new AbortController().signal;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-inspect-"));
  clock = Date.parse("2026-01-01T00:00:00Z");
  database = openDatabase(folder, now).database;
  inspector = createDataInspector(folder, now, forkWithNode);
});

afterEach(async () => {
  await inspector.close();
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

function fill(into: Database.Database, rows: number): void {
  const add = into.prepare("INSERT INTO workspaces (path, last_used_at) VALUES (?, ?)");
  into.transaction(() => {
    for (let i = 0; i < rows; i += 1) add.run(`/folder/${i}/${"x".repeat(200)}`, i);
  })();
}

const file = () => join(folder, "countersign.db");

/** Overwrites one page in the middle of the file, as a write that was cut off would. */
function tearPage(path: string): void {
  const pages = Math.floor(statSync(path).size / 4_096);
  const handle = openSync(path, "r+");
  writeSync(handle, Buffer.alloc(4_096, 0xa5), 0, 4_096, Math.floor(pages / 2) * 4_096);
  closeSync(handle);
}

function rowsOf(path: string): number {
  const copy = new Database(path, { readonly: true });
  expect(copy.pragma("integrity_check", { simple: true })).toBe("ok");
  const count = copy.prepare("SELECT count(*) FROM workspaces").pluck().get() as number;
  copy.close();
  return count;
}

describe("the check of the databases", () => {
  it("finds both sound while they are written to, and says where it is", async () => {
    fill(database, 2_000);
    new Database(join(folder, "checkpoints.db")).exec("CREATE TABLE a (b)").close();
    const steps: CheckStep[] = [];
    const checking = inspector.check((step) => steps.push(step), never);
    let written = 0;
    let over = false;
    void checking.finally(() => {
      over = true;
    });
    while (!over) {
      database.prepare("INSERT INTO workspaces (path, last_used_at) VALUES (?, 0)").run(`/new/${written++}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await checking).map(({ name, state }) => [name, state])).toEqual([
      ["countersign.db", "sound"],
      ["checkpoints.db", "sound"],
    ]);
    expect(steps.map(({ name, step, of }) => [name, step, of])).toEqual([
      ["countersign.db", 1, 2],
      ["checkpoints.db", 2, 2],
    ]);
    expect(written).toBeGreaterThan(0);
  });

  it("finds a page torn in the middle, which the start does not see, and names the newest sound backup", async () => {
    fill(database, 2_000);
    const { path: sound } = await inspector.backUp("on-demand");
    clock += 1_000;
    const { path: unsound } = await inspector.backUp("on-demand");
    tearPage(unsound);
    clock += 1_000;
    writeFileSync((await inspector.backUp("on-demand")).path, "no database at all");
    database.close();
    tearPage(file());
    const reopened = openDatabase(folder, now);
    expect(reopened.warnings).toEqual([]);
    database = reopened.database;
    const [main, checkpoints] = await inspector.check(() => undefined, never);
    expect(main).toMatchObject({ state: "damaged", soundBackup: sound });
    expect(main?.findings.length).toBeGreaterThan(0);
    expect(checkpoints).toMatchObject({ state: "absent" });
    const advice = describeDamage([main!, checkpoints!], folder);
    for (const part of ["countersign.db is damaged", sound, "close Countersign"])
      expect(advice).toContain(part);
  });

  it("tells damage from a file that is no database and from one that cannot be read", async () => {
    writeFileSync(join(folder, "checkpoints.db"), "x".repeat(8_192));
    const [main, garbage] = await inspector.check(() => undefined, never);
    expect([main?.state, garbage?.state]).toEqual(["sound", "damaged"]);
    const advice = describeDamage([main!, garbage!], folder);
    expect(advice).toMatch(/checkpoints\.db is damaged.*what the agents remember.*no sound backup/s);
    expect(describeDamage([main!], folder)).toBeUndefined();
  });

  it("is ended at once by whoever asked and by the close of the app, however long a read would take", async () => {
    const hanging = join(folder, "hanging.mjs");
    const mark = join(folder, "began");
    writeFileSync(
      hanging,
      `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(mark)}, String(process.pid)); for (;;);`,
    );
    const stuck = createDataInspector(folder, now, (_file, environment) =>
      forkWithNode(hanging, environment),
    );
    const isAlive = (pid: number) => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    const begin = async (signal: AbortSignal) => {
      rmSync(mark, { force: true });
      const check = stuck.check(() => undefined, signal).catch((error: Error) => error.message);
      await expect.poll(() => existsSync(mark) && readFileSync(mark, "utf8") !== "").toBe(true);
      return { check, pid: Number(readFileSync(mark, "utf8")) };
    };
    const leaving = new AbortController();
    const first = await begin(leaving.signal);
    leaving.abort(new Error("left the page"));
    expect([await first.check, isAlive(first.pid)]).toEqual(["left the page", false]);
    const second = await begin(never);
    await stuck.close();
    expect([await second.check, isAlive(second.pid)]).toEqual(["The app is closing.", false]);
  });
});

describe("a backup on demand", () => {
  it("is one moment of both databases, taken while they are written to, without holding up the writer", async () => {
    fill(database, 5_000);
    const memory = new Database(join(folder, "checkpoints.db"));
    memory.pragma("journal_mode = WAL");
    memory.exec("CREATE TABLE workspaces (path TEXT)");
    const taking = inspector.backUp("on-demand");
    let written = 5_000;
    let over = false;
    void taking.finally(() => {
      over = true;
    });
    const add = database.prepare("INSERT INTO workspaces (path, last_used_at) VALUES (?, 0)");
    const remember = memory.prepare("INSERT INTO workspaces VALUES (?)");
    while (!over) {
      written += 1;
      add.run(`/w/${written}`);
      remember.run(`/w/${written}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    memory.close();
    const { path, checkpoints } = await taking;
    expect(rowsOf(path)).toBeGreaterThanOrEqual(5_000);
    expect(rowsOf(path)).toBeLessThan(written);
    // The memory never knows more than the thread it belongs to.
    expect(rowsOf(checkpoints!)).toBeLessThanOrEqual(rowsOf(path) - 5_000);
  });

  it("keeps ten copies of the threads and three of the memory, each under a name of its own", async () => {
    new Database(join(folder, "checkpoints.db")).exec("CREATE TABLE workspaces (path TEXT)").close();
    const both = [];
    for (let i = 0; i < 11; i += 1) {
      clock += 1_000;
      both.push(await inspector.backUp("on-demand"));
    }
    expect(both.map(({ path }) => existsSync(path))).toEqual([false, ...Array(10).fill(true)]);
    expect(both.map(({ checkpoints }) => existsSync(checkpoints!))).toEqual([
      ...Array(8).fill(false),
      ...Array(3).fill(true),
    ]);
  });

  it("that fails says why with its code and leaves no half of a copy", async () => {
    writeFileSync(join(folder, "checkpoints.db"), "x".repeat(8_192));
    await expect(inspector.backUp("on-demand")).rejects.toMatchObject({ code: "SQLITE_NOTADB" });
    expect(readdirSync(join(folder, "backups"))).toEqual([]);
    rmSync(join(folder, "checkpoints.db"));
    const { path, checkpoints } = await inspector.backUp("on-demand");
    expect([rowsOf(path), checkpoints]).toEqual([0, undefined]);
  });
});
