/** Kills a real host at named points and checks the promise: nothing lost, nothing twice, every thread goes on. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isLongRun } from "../src/main/base/testing/long-run.ts";
import { startHost } from "./host-process.ts";
import { driveToEnd, killAndGoOn, ledgerExecutions, openScene, type Scene, send } from "./scene.ts";

let scene: Scene;

beforeEach(async () => {
  scene = await openScene();
});

afterEach(() => scene.close());

describe("a host killed while approvals wait", () => {
  it("shows the same approvals with the same ids after the start, and an approved command runs once", async () => {
    const first = await scene.start();
    const threads = await Promise.all(Array.from({ length: 10 }, () => scene.newThread(first)));
    for (const [i, threadId] of threads.entries()) await send(first, threadId, `run echo x >> ran-${i}`);
    await first.until((on) => on.pending().length === 10, "ten approvals wait");
    const before = first
      .pending()
      .map((approval) => [approval.id, approval.digest])
      .sort();
    await first.kill();

    const second = await scene.start();
    await second.until((on) => on.pending().length === 10, "the same ten wait again");
    expect(
      second
        .pending()
        .map((approval) => [approval.id, approval.digest])
        .sort(),
    ).toEqual(before);
    await driveToEnd(second, threads);
    for (const i of threads.keys()) expect(await scene.runsOf(`ran-${i}`)).toBe(1);
    for (const threadId of threads) expect(second.threads.get(threadId)?.status).toBe("done");
  });
});

const barriers = [
  "message-sent",
  "mid-stream",
  "approval-asked",
  "approval-decided",
  "execution-started",
  "effect-done",
] as const;

const works: [name: string, text: string, files: string[]][] = [
  ["one command", "run echo x >> ran", ["ran"]],
  ["parallel commands", "run echo x >> ran\nrun echo x >> ran-too", ["ran", "ran-too"]],
  ["a command in a sub-agent", "delegate general-purpose: run echo x >> ran", ["ran"]],
  [
    "parallel sub-agents",
    "delegate general-purpose: run echo x >> ran\ndelegate general-purpose: run echo x >> ran-too",
    ["ran", "ran-too"],
  ],
];

/** The short run kills one work at each point, so that every point and every work has its turn. */
const killedAt = (point: number) => works.filter((_, work) => isLongRun || work === point % works.length);

describe.each(barriers.map((barrier, point) => ({ barrier, point })))(
  "a host killed at the point $barrier",
  ({ barrier, point }) => {
    it.each(killedAt(point))("loses no message and runs no effect twice: %s", async (_name, text, files) => {
      const { second, threadId } = await killAndGoOn(scene, { COUNTERSIGN_KILL_AT: barrier }, text);
      const { items } = await second.client.call("threads.page", { threadId, limit: 100 });
      expect(items.filter((item) => item.kind === "userMessage").map((item) => item.text)).toEqual([text]);
      for (const file of files) expect(await scene.runsOf(file)).toBeLessThanOrEqual(1);
      // Only a crash between start and receipt may leave an effect undone, since the person marked it as done. On a slow
      // disk several have started by then; whatever did not happen was asked about.
      const unknown = [...second.approvals.values()].flatMap(({ subject }) =>
        subject.kind === "recovery" ? [subject.what] : [],
      );
      for (const file of files)
        if ((await scene.runsOf(file)) === 0) expect(unknown).toContain(`echo x >> ${file}`);
      if (barrier !== "execution-started" && barrier !== "effect-done") expect(unknown).toEqual([]);
      const executions = await ledgerExecutions(second);
      expect(new Set(executions).size).toBe(executions.length);
    });
  },
);

describe("an effect whose outcome a crash left unknown", () => {
  it("is asked about, and runs again only when the person says so", async () => {
    const first = await scene.start({ COUNTERSIGN_KILL_AT: "effect-done" });
    const threadId = await scene.newThread(first);
    await send(first, threadId, "run echo x >> ran; echo shown");
    await first.until((on) => on.pending().length === 1, "the command waits");
    await first.decide(first.pending()[0]!, { type: "approve" });
    await first.exited;
    expect(await scene.runsOf("ran")).toBe(1);

    const second = await scene.start();
    await second.until(
      (on) => on.pending().some((approval) => approval.kind === "recovery"),
      "the queue asks about it",
    );
    const [asked] = second.pending();
    expect(asked?.subject).toMatchObject({ kind: "recovery", output: expect.stringContaining("shown") });
    await second.decide(asked!, { type: "approve" });
    await second.until((on) => on.threads.get(threadId)?.status === "done", "the thread is done");
    expect(await scene.runsOf("ran")).toBe(2);
  });
});

describe.each(["approval-decided", "execution-started", "effect-done"])(
  "a file change cut off at the point %s",
  (barrier) => {
    it("overwrites nothing that a person wrote since, unless they saw the difference", async () => {
      const first = await scene.start({ COUNTERSIGN_KILL_AT: barrier });
      const threadId = await scene.newThread(first);
      await send(first, threadId, "write cut wanted");
      await first.until((on) => on.pending().length === 1, "the change waits");
      await first.decide(first.pending()[0]!, { type: "approve" }).catch(() => undefined);
      await first.exited;
      const path = join(scene.folders.workspace, "cut");
      await writeFile(path, "a person's own");

      const second = await scene.start();
      await second.until((on) => on.pending().length === 1, "it is asked about");
      const [asked] = second.pending();
      expect(await readFile(path, "utf8")).toBe("a person's own");
      const { approval, diff } = await second.client.call("approvals.get", { id: asked!.id });
      expect([diff?.before, diff?.after]).toEqual(["a person's own", "wanted"]);
      await second.decide(approval, { type: "approve" });
      await second.until((on) => on.threads.get(threadId)?.status === "done", "the thread is done");
      expect(await readFile(path, "utf8")).toBe("wanted");
    });
  },
);

describe("a host killed while it changes its own data", () => {
  it("makes its first database again when it died in the middle of that", async () => {
    await expect(startHost(scene.folders, { COUNTERSIGN_KILL_AT: "migration" })).rejects.toThrow(/SIGKILL/);
    const second = await scene.start();
    const threadId = await scene.newThread(second);
    await send(second, threadId, "say hello");
    await driveToEnd(second, [threadId]);
    expect(second.threads.get(threadId)?.status).toBe("done");
  });

  it("keeps the whole history when it died in the middle of pruning", async () => {
    const first = await scene.start({ COUNTERSIGN_KILL_AT: "prune" });
    const threadId = await scene.newThread(first);
    await send(first, threadId, "run echo one\n\nrun echo two\n\nrun echo three");
    await driveToEnd(first, [threadId]);
    const prune = { threadId, keepTurns: 1, preview: true };
    const before = await first.client.call("threads.prune", prune);
    await first.client.call("threads.prune", { ...prune, preview: false }).catch(() => undefined);
    expect(await first.exited).toBe("SIGKILL");

    const second = await scene.start();
    expect(await second.client.call("threads.prune", prune)).toEqual(before);
    await send(second, threadId, "run echo x >> ran");
    await second.until((on) => on.pending().length === 1, "the thread goes on");
    await driveToEnd(second, [threadId]);
    expect(await scene.runsOf("ran")).toBe(1);
  });
});

describe("the data directory", () => {
  it("refuses a second host and says what to do", async () => {
    await scene.start();
    await expect(startHost(scene.folders)).rejects.toThrow(/already running.*--data-dir/s);
  });

  it("sets a damaged database aside, says so and restores the newest backup", async () => {
    const first = await scene.start();
    const threadId = await scene.newThread(first);
    await first.client.call("host.backup", {});
    await first.stop();
    const database = join(scene.folders.dataDir, "countersign.db");
    const content = await readFile(database);
    content.fill(0xa5, 0, 4096);
    await writeFile(database, content);
    const second = await scene.start();
    await second.until((on) => on.threads.has(threadId), "the thread of the backup is there");
    expect((await second.client.call("host.info", {})).warnings.join(" ")).toMatch(
      /damaged.*set aside.*backup/s,
    );
  });

  it("is left alone when a newer version wrote it", async () => {
    const first = await scene.start();
    await first.stop();
    const database = new Database(join(scene.folders.dataDir, "countersign.db"));
    database.pragma("user_version = 9999");
    database.close();
    await expect(startHost(scene.folders)).rejects.toThrow(/newer version/);
  });

  it("keeps working with broken settings, and keeps the broken file", async () => {
    await writeFile(join(scene.folders.dataDir, "settings.json"), '{"fontSize": "large"}');
    const on = await scene.start();
    expect((await on.client.call("host.info", {})).warnings.join(" ")).toMatch(/fontSize/);
    expect(await readFile(join(scene.folders.dataDir, "settings.json.broken"), "utf8")).toContain("large");
  });
});
