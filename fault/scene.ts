/** The stage of a fault test: fresh folders, a host that can be killed and started again, and a person who decides. */
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { newCommandId } from "../src/main/base/command-id.ts";
import type { ThreadId } from "../src/shared/ids.ts";
import { type HostProcess, startHost } from "./host-process.ts";

export class Scene {
  readonly folder: string;
  readonly folders: { dataDir: string; workspace: string };
  #host: HostProcess | undefined;

  constructor(folder: string) {
    this.folder = folder;
    this.folders = { dataDir: join(folder, "data"), workspace: join(folder, "work") };
  }

  async start(env: Record<string, string> = {}): Promise<HostProcess> {
    this.#host = await startHost(this.folders, env);
    return this.#host;
  }

  async newThread(on: HostProcess): Promise<ThreadId> {
    const { workspace } = this.folders;
    return (await on.client.call("threads.create", { commandId: newCommandId(), workspace })).id;
  }

  /** How often a command ran that appends one line to this file of the workspace. */
  async runsOf(file: string): Promise<number> {
    const text = await readFile(join(this.folders.workspace, file), "utf8").catch(() => "");
    return text.split("\n").filter(Boolean).length;
  }

  async close(): Promise<void> {
    await this.#host?.kill();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** @param sandbox what a kill leaves behind is looked at where nothing else ends it, so it is off where nothing says otherwise */
export async function openScene({ sandbox = "off" }: { sandbox?: "off" | "auto" } = {}): Promise<Scene> {
  const scene = new Scene(await realpath(await mkdtemp(join(tmpdir(), "countersign-fault-"))));
  await mkdir(scene.folders.workspace);
  await mkdir(scene.folders.dataDir, { mode: 0o700 });
  const settings = join(scene.folders.dataDir, "settings.json");
  await writeFile(settings, JSON.stringify({ sandbox }), { mode: 0o600 });
  return scene;
}

export function send(on: HostProcess, threadId: ThreadId, text: string) {
  return on.client.call("threads.send", { commandId: newCommandId(), threadId, text });
}

/**
 * Sends a message to a host that kills itself where `env` says, and goes on with another until the thread is done.
 * @param newThread makes the thread where it is not one of the built-in agent
 * @returns that other host.
 */
export async function killAndGoOn(
  scene: Scene,
  env: Record<string, string>,
  text: string,
  newThread = (on: HostProcess) => scene.newThread(on),
) {
  const first = await scene.start(env);
  const threadId = await newThread(first);
  const sent = send(first, threadId, text).catch(() => undefined);
  const driven = driveToEnd(first, [threadId]).catch(() => undefined);
  expect(await first.exited).toBe("SIGKILL");
  await Promise.all([sent, driven]);

  const second = await scene.start();
  await second.until((on) => on.threads.has(threadId), "the thread is there");
  await driveToEnd(second, [threadId]);
  expect(second.threads.get(threadId)?.status).toBe("done");
  return { second, threadId };
}

/** Brings every thread to its end: approves what waits, answers what asks, marks unknown outcomes as done, resumes what a crash interrupted. */
export async function driveToEnd(on: HostProcess, threadIds: ThreadId[]): Promise<void> {
  const statusOf = (id: ThreadId) => on.threads.get(id)?.status ?? "";
  const atRest = () => threadIds.every((id) => ["done", "failed", "stopped"].includes(statusOf(id)));
  const stuck = () => threadIds.filter((id) => statusOf(id) === "interrupted");
  while (!atRest()) {
    await on.until(
      () => atRest() || on.pending().length > 0 || stuck().length > 0,
      `threads at rest, now ${threadIds.map(statusOf)}`,
    );
    const waiting = on.pending();
    for (const approval of waiting) {
      if (["tool", "batch", "escalation", "setAside"].includes(approval.kind))
        await on.decide(approval, { type: "approve" });
      else
        await on.decide(approval, {
          type: "respond",
          answer: approval.kind === "interrupt" ? "an answer" : "",
        });
    }
    for (const threadId of stuck()) {
      await on.client.call("threads.resume", { commandId: newCommandId(), threadId });
      await on.until(() => statusOf(threadId) !== "interrupted", "the thread resumed");
    }
    await on.until(
      () => waiting.every(({ id }) => on.approvals.get(id)?.status !== "pending"),
      "decisions arrived",
    );
  }
}

/** Brings a thread towards its end until `kill` does what it does, so long after now. The host is gone then in any case. */
export async function driveUntilKilled(
  host: HostProcess,
  threadId: ThreadId,
  killAfterMs: number,
  kill: () => void,
): Promise<void> {
  const driven = driveToEnd(host, [threadId]).catch(() => undefined);
  const timer = setTimeout(kill, killAfterMs);
  await Promise.race([host.exited, driven]);
  clearTimeout(timer);
  await host.kill();
}

/** The ids of executions in the ledger; every execution must be there exactly once. */
export async function ledgerExecutions(on: HostProcess): Promise<string[]> {
  const ids: string[] = [];
  let before: number | undefined;
  for (;;) {
    const { entries, hasMore } = await on.client.call("approvals.ledger", { limit: 200, before });
    ids.push(...entries.flatMap((entry) => entry.executionId ?? []));
    if (!hasMore) return ids;
    before = entries.at(-1)!.id;
  }
}
