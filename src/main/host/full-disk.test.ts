import { execFileSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Folders, makeFolders, openHost, removeFolders } from "./testing/host-fixture.ts";

/** @returns why the data directory cannot be put on a small disk of its own, or `undefined` once it is. */
function mountSmall({ dataDir }: Folders): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0)
    return "mounting a small disk needs Linux and root";
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", dataDir], { stdio: "pipe" });
    return undefined;
  } catch (error) {
    return `no small disk could be mounted: ${String(error).split("\n")[0]}`;
  }
}

it("a host on a full disk says so, loses nothing, runs nothing, and goes on when there is room", async (test) => {
  const folders = await makeFolders();
  await mkdir(folders.dataDir);
  const why = mountSmall(folders);
  if (why) {
    console.log(`Skipped: ${why}.`);
    await removeFolders(folders);
    test.skip(why);
  }
  const host = await openHost(folders);
  try {
    const window = host.console;
    const threadId = await window.start("run touch once-there-is-room");
    const asked = await window.onePending(threadId);
    const filler = join(folders.dataDir, "filler");
    expect(() => writeFileSync(filler, Buffer.alloc(8_000_000))).toThrow(/ENOSPC/);
    const full = { code: "disk-full", message: expect.stringContaining("free some space") };
    await expect(window.send(threadId, `say ${"x".repeat(150_000)}`)).rejects.toMatchObject(full);
    await expect(window.approve(asked)).rejects.toMatchObject(full);
    expect(window.pending(threadId).map(({ id }) => id)).toEqual([asked.id]);
    expect(existsSync(join(folders.workspace, "once-there-is-room"))).toBe(false);
    rmSync(filler);
    await window.approve(asked);
    await window.untilStatus(threadId, "done");
    expect(existsSync(join(folders.workspace, "once-there-is-room"))).toBe(true);
    expect((await window.items(threadId)).filter(({ kind }) => kind === "userMessage")).toHaveLength(1);
  } finally {
    await host.close();
    execFileSync("umount", [folders.dataDir]);
    await removeFolders(folders);
  }
});
