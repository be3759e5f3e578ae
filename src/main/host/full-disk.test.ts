import { existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Approval } from "../../shared/contract/approvals.ts";
import { newCommandId } from "../base/command-id.ts";
import { growLog, limitFileSize, mountSmallDisk } from "../base/testing/small-disk.ts";
import { makeFolders, openHost, removeFolders } from "./testing/host-fixture.ts";

type Window = Awaited<ReturnType<typeof openHost>>["console"];

/** Lets the log of a database grow from here on. @returns what ends it */
function growFrom(database: string, window: Window): Promise<() => void> {
  return growLog(database, async () => window.untilStatus(await window.start("say something"), "done"));
}

it("a host on a full disk says so, loses nothing, runs nothing, and goes on when there is room", async (test) => {
  const folders = await makeFolders();
  test.onTestFinished(() => removeFolders(folders));
  const unmount = mountSmallDisk(folders.dataDir, "size=4m", test);
  const host = await openHost(folders);
  let endGrowing = () => {};
  try {
    const window = host.console;
    const threadId = await window.start("run touch once-there-is-room");
    const asked = await window.onePending(threadId);
    endGrowing = await growFrom(join(folders.dataDir, "countersign.db"), window);
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
    endGrowing();
    await host.close();
    unmount();
  }
});

it("a checkpoint that finds the disk full ends its run with a sentence, not the host, and the run goes on when there is room", async (test) => {
  const folders = await makeFolders();
  test.onTestFinished(() => removeFolders(folders));
  const disk = join(folders.root, "disk");
  await mkdir(folders.dataDir);
  const unmount = mountSmallDisk(disk, "size=4m", test);
  // The memory of the agents alone is on it: what the console writes still can be written.
  symlinkSync(join(disk, "checkpoints.db"), join(folders.dataDir, "checkpoints.db"));
  const host = await openHost(folders);
  let endGrowing = () => {};
  try {
    const window = host.console;
    const bystander = await window.start("run touch bystander");
    const waiting = await window.onePending(bystander);
    endGrowing = await growFrom(join(disk, "checkpoints.db"), window);
    // The second call keeps the step open, so that LangGraph does not look at the writes of the first.
    const threadId = await window.start(
      "run until test -e go; do sleep 0.05; done; echo once >> effect\nrun touch second",
    );
    const asked = await window.untilPending(threadId, 2);
    const first = (one: Approval) => JSON.stringify(one.subject).includes("once");
    await window.approve(asked.find(first)!);
    await window.until(() => existsSync(join(disk, "checkpoints.db-wal")), "the memory is open");
    const filler = join(disk, "filler");
    expect(() => writeFileSync(filler, Buffer.alloc(8_000_000))).toThrow(/ENOSPC/);
    writeFileSync(join(folders.workspace, "go"), "");
    const failed = await window.untilStatus(threadId, "failed");
    expect(failed.problem).toMatch(/disk is full/);
    expect(window.pending(bystander).map(({ id }) => id)).toEqual([waiting.id]);
    rmSync(filler);
    await window.client.call("threads.resume", { commandId: newCommandId(), threadId });
    await window.approve(await window.onePending(threadId));
    await window.untilStatus(threadId, "done");
    expect(existsSync(join(folders.workspace, "second"))).toBe(true);
    expect(readFileSync(join(folders.workspace, "effect"), "utf8")).toBe("once\n");
    await window.approve(waiting);
    await window.untilStatus(bystander, "done");
  } finally {
    endGrowing();
    await host.close();
    unmount();
  }
});

it("a turn whose end finds the disk full ends as soon as there is room, and its effect happens once", async (test) => {
  const folders = await makeFolders();
  test.onTestFinished(() => removeFolders(folders));
  const unmount = mountSmallDisk(folders.dataDir, "size=4m", test);
  const host = await openHost(folders);
  let endGrowing = () => {};
  try {
    const window = host.console;
    const threadId = await window.start(
      "run touch begun; until test -e go; do sleep 0.05; done; echo once >> effect",
    );
    await window.approve(await window.onePending(threadId));
    // A full disk before its start would keep it from starting.
    await window.until(() => existsSync(join(folders.workspace, "begun")), "the command runs");
    endGrowing = await growFrom(join(folders.dataDir, "countersign.db"), window);
    const filler = join(folders.dataDir, "filler");
    expect(() => writeFileSync(filler, Buffer.alloc(8_000_000))).toThrow(/ENOSPC/);
    writeFileSync(join(folders.workspace, "go"), "");
    await window.until(() => existsSync(join(folders.workspace, "effect")), "the effect is there");
    rmSync(filler);
    const ended = await window.untilStatus(threadId, "failed", "done");
    if (ended.status === "failed") {
      expect(ended.problem).toMatch(/disk is full/);
      await window.client.call("threads.resume", { commandId: newCommandId(), threadId });
      // Where its receipt came after there was room again, it is known to have run, and nobody needs to be asked.
      const isDone = () => window.threads.get(threadId)?.status === "done";
      await window.until(() => window.pending(threadId).length > 0 || isDone(), "it asks, or is done");
      for (const asked of window.pending(threadId)) {
        expect(asked.kind).toBe("recovery");
        await window.decide(asked, { type: "respond", answer: "it ran" });
      }
      await window.untilStatus(threadId, "done");
    }
    expect(readFileSync(join(folders.workspace, "effect"), "utf8")).toBe("once\n");
  } finally {
    endGrowing();
    await host.close();
    unmount();
  }
});

it("a limit on the size of files, met in the middle of a write, refuses what could not be kept, and all goes on without it", async (test) => {
  const folders = await makeFolders();
  test.onTestFinished(() => removeFolders(folders));
  const host = await openHost(folders);
  let endGrowing = () => {};
  const lift = () => limitFileSize("unlimited", test);
  try {
    const window = host.console;
    const threadId = await window.start("run touch once-there-is-room");
    const asked = await window.onePending(threadId);
    endGrowing = await growFrom(join(folders.dataDir, "countersign.db"), window);
    const log = join(folders.dataDir, "countersign.db-wal");
    limitFileSize(`${statSync(log).size + 1_000}`, test);
    test.onTestFinished(lift);
    const refused = { code: "unavailable", message: expect.stringMatching(/disk answered with an error/) };
    await expect(window.send(threadId, `say ${"x".repeat(150_000)}`)).rejects.toMatchObject(refused);
    await expect(window.approve(asked)).rejects.toMatchObject(refused);
    expect(window.pending(threadId).map(({ id }) => id)).toEqual([asked.id]);
    expect(existsSync(join(folders.workspace, "once-there-is-room"))).toBe(false);
    lift();
    await window.approve(asked);
    await window.untilStatus(threadId, "done");
    expect(existsSync(join(folders.workspace, "once-there-is-room"))).toBe(true);
    expect((await window.items(threadId)).filter(({ kind }) => kind === "userMessage")).toHaveLength(1);
  } finally {
    endGrowing();
    lift();
    await host.close();
  }
});
