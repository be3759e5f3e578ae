/** Everything the host keeps is its owner's alone from the first moment, whatever the system would make of a new file. */
import { lstat, readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { folders, makeFolders, openHost, removeFolders, running, withHost } from "./testing/host-fixture.ts";

withHost("file");

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

it("says on the page and in the log when it cannot be kept so, and says nothing when it is", async () => {
  const own = await makeFolders();
  onTestFinished(() => removeFolders(own));
  const log = () => readFile(join(own.dataDir, "logs", "host.jsonl"), "utf8");
  const said = async (makePrivate?: () => boolean) => {
    const { host, console, close } = await openHost(own, makePrivate && { makePrivate });
    const { warnings } = await console.client.call("host.info", {});
    expect(warnings).toEqual(host.info.warnings);
    await close();
    return warnings;
  };
  expect(await said()).toEqual([]);
  expect(await log()).not.toContain("OpenToOthersError");
  // Stands for a folder of Windows whose access list cannot be changed, or a disk without modes.
  expect(await said(() => false)).toEqual([
    expect.stringMatching(/Other users of this computer.*--data-dir/),
  ]);
  expect(await log()).toContain("OpenToOthersError");
});
