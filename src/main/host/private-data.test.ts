/** Everything the host keeps is its owner's alone from the first moment, whatever the system would make of a new file. */
import { lstat, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { expect, it } from "vitest";
import { type Folders, type RunningHost, withHost } from "./testing/host-fixture.ts";

let folders: Folders;
let running: RunningHost;

withHost("file", (opened) => {
  ({ folders, running } = opened);
});

it.skipIf(process.platform === "win32")(
  "has no right of anybody else in a fresh data directory",
  async () => {
    const { console } = running;
    const { client } = console;
    await console.approveAll(await console.start("run echo agent > notes.md"));
    await console.approveAll(await console.start("write b.txt hello"));
    await client.call("models.setKey", { provider: "openai", key: "sk-test" });
    await client.call("host.backup", {});
    const entries = await readdir(folders.dataDir, { recursive: true, withFileTypes: true });
    const paths = entries.map((entry) => join(entry.parentPath, entry.name));
    const names = paths.map((path) => relative(folders.dataDir, path));
    expect(names).toEqual(
      expect.arrayContaining(["countersign.db-wal", "checkpoints.db", "lock.db", "keys.json", "backups"]),
    );
    const open = [];
    for (const path of paths) if (((await lstat(path)).mode & 0o077) !== 0) open.push(path);
    expect(open).toEqual([]);
  },
);
