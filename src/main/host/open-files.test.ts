import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { type Folders, makeFolders, openHost, removeFolders } from "./testing/host-fixture.ts";

/** What of the data directory this process holds open right now. */
function openFiles({ dataDir }: Folders): string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const path = readlinkSync(join("/proc/self/fd", fd));
      return path.startsWith(dataDir) ? [path] : [];
    } catch {
      // The descriptor that was used for the listing itself.
      return [];
    }
  });
}

describe.skipIf(process.platform !== "linux")("the files of a host", () => {
  it("are all closed when close() has resolved, after agents, commands, logs and backups", async () => {
    const folders = await makeFolders();
    const { console, close } = await openHost(folders);
    const threadId = await console.start("run echo done\nwrite note.txt text");
    await console.approveAll(threadId);
    await console.client.call("host.backup", {});
    expect(openFiles(folders)).not.toEqual([]);
    await close();
    expect(openFiles(folders)).toEqual([]);
    await removeFolders(folders);
  });

  it("are all closed when it could not be opened", async () => {
    const folders = await makeFolders();
    await (await openHost(folders)).close();
    const database = new Database(join(folders.dataDir, "countersign.db"));
    database.pragma("user_version = 9999");
    database.close();
    await expect(openHost(folders)).rejects.toThrow(/newer version/);
    expect(openFiles(folders)).toEqual([]);
    await removeFolders(folders);
  });
});
