import { closeSync, openSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { DataCheckItem } from "../../shared/contract/console.ts";
import {
  type Folders,
  makeFolders,
  openHost,
  type RunningHost,
  removeFolders,
  type TestConsole,
} from "../host/testing/host-fixture.ts";

let folders: Folders;
let running: RunningHost | undefined;

beforeEach(async () => {
  folders = await makeFolders();
});

afterEach(async () => {
  await running?.close();
  await removeFolders(folders);
});

/** Makes a data directory with work in it, and overwrites one page in the middle of its events. @returns its backup. */
async function makeTornData(): Promise<string> {
  running = await openHost(folders);
  await running.console.run(await running.console.start(), "say hello");
  const { path } = await running.console.client.call("host.backup", {});
  await running.close();
  const file = join(folders.dataDir, "countersign.db");
  const database = new Database(file);
  database.exec(
    `INSERT INTO events (thread, item, at, data) SELECT e.thread, e.item, e.at, e.data FROM events e,
     (WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400) SELECT i FROM n)`,
  );
  // Any page of the events but their first, which the start reads.
  const page = database
    .prepare("SELECT pageno FROM dbstat WHERE name = 'events' ORDER BY pageno LIMIT 1 OFFSET 4")
    .pluck()
    .get() as number;
  database.close();
  const handle = openSync(file, "r+");
  writeSync(handle, Buffer.alloc(4_096, 0xa5), 0, 4_096, (page - 1) * 4_096);
  closeSync(handle);
  expect(statSync(file).size).toBeGreaterThan(page * 4_096);
  return path;
}

async function warningsUntil(console: TestConsole, pattern: RegExp): Promise<string> {
  for await (const item of console.client.watch("console.watch", {})) {
    const host = item.kind === "reset" || item.kind === "changes" ? item.host : undefined;
    const text = host?.warnings.join(" ") ?? "";
    if (pattern.test(text)) return text;
  }
  throw new Error("The stream ended.");
}

async function check(console: TestConsole): Promise<DataCheckItem[]> {
  const items: DataCheckItem[] = [];
  for await (const item of console.client.watch("host.checkData", {})) items.push(item);
  return items;
}

describe("damage in the middle of the database", () => {
  it("is told to every open window a while after the start, with the backup to go back to", async () => {
    const backup = await makeTornData();
    running = await openHost(folders, { checkDataAfterMs: 300 });
    expect((await running.console.client.call("host.info", {})).warnings).toEqual([]);
    const told = await warningsUntil(running.console, /damaged/);
    expect(told).toContain(backup);
    expect((await running.console.client.call("host.info", {})).warnings).toHaveLength(1);
  });

  it("is found on demand, file by file", async () => {
    const backup = await makeTornData();
    running = await openHost(folders);
    const items = await check(running.console);
    expect(items.map(({ kind }) => kind)).toEqual(["checking", "checking", "checked"]);
    expect(items.at(-1)).toMatchObject({
      advice: expect.stringContaining(backup),
      checks: [
        { name: "countersign.db", state: "damaged" },
        { name: "checkpoints.db", state: "sound" },
      ],
    });
  });
});

describe("sound data", () => {
  it("is said to be so when asked, and otherwise nothing is said", async () => {
    running = await openHost(folders, { checkDataAfterMs: 0 });
    const { console } = running;
    const threadId = await console.start("say hello");
    await console.untilStatus(threadId, "done");
    const found = (await check(console)).at(-1);
    expect(found).toMatchObject({ checks: [{ state: "sound" }, { state: "sound" }] });
    expect(found).not.toHaveProperty("advice");
    expect((await console.client.call("host.info", {})).warnings).toEqual([]);
  });

  it("does not keep the app from closing while it is checked", async () => {
    running = await openHost(folders);
    const checks = running.console.client.watch("host.checkData", {});
    const begun = await checks[Symbol.asyncIterator]().next();
    expect(begun.value).toMatchObject({ kind: "checking", step: 1, of: 2 });
    await running.close();
    running = undefined;
  });
});
