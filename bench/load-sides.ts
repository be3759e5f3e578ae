/** The two sides of the load bench behind one form: the real host through its door, and the floor. */
import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { newCommandId } from "../src/main/base/command-id.ts";
import { wallClock } from "../src/main/base/wall-clock.ts";
import type { Approval } from "../src/shared/contract/approvals.ts";
import type { ApprovalId, ThreadId } from "../src/shared/ids.ts";
import { type Client, createClient } from "../src/shared/wire/client.ts";
import { webSocketTransport } from "../src/shared/wire/web-socket-transport.ts";
import { maxActiveRuns, readBegin, streaming, streamingMessage } from "./load-plan.ts";
import { type LoadProcess, startLoadProcess } from "./load-process.ts";
import { openSocket } from "./served-host.ts";

export type Side = {
  process: LoadProcess;
  /** Makes threads, sends each the text and answers their names. */
  begin(count: number, text: string): Promise<string[]>;
  waiting(): Promise<number>;
  /** Approves the oldest call that waits in a thread. @returns false when none does. */
  decide(thread: string): Promise<boolean>;
  /** Milliseconds from each decision to the moment its command began; each is told once. */
  startDelays(): Promise<number[]>;
  end(): Promise<void>;
};

export type HostSide = Side & { client: Client; connect(): Promise<{ client: Client; close(): void }> };

/** A folder to work in, with the file that agents look through. */
export function makeWorkspace(folder: string): string {
  const workspace = join(folder, "workspace");
  mkdirSync(workspace);
  writeFileSync(join(workspace, "notes.txt"), "name\nother\n".repeat(500));
  return workspace;
}

/** One by one, so that the threads do not act in step for the rest of the run. */
export async function startStreams(side: Side): Promise<void> {
  for (let started = 0; started < streaming; started += 1) {
    await side.begin(1, streamingMessage());
    await wait(staggerMs);
  }
}

export async function untilWaiting(side: Side, count: number): Promise<void> {
  while ((await side.waiting()) < count) await wait(50);
}

const staggerMs = 25;
/** How many threads a person has in view; each is a stream that the host serves. */
const watchedThreads = 4;

export async function startHostSide(
  folder: string,
  workspace: string,
  execArgv: string[] = [],
): Promise<HostSide> {
  const process = await startLoadProcess("load-host.ts", [join(folder, "data"), workspace], execArgv);
  const connect = async () => {
    const socket = await openSocket(await process.ask<string>("address"));
    const client = createClient(
      webSocketTransport(socket as unknown as Parameters<typeof webSocketTransport>[0]),
    );
    return { client, close: () => socket.close() };
  };
  const { client, close } = await connect();
  await client.call("settings.update", { maxActiveRuns });
  const approvals = new Map<ApprovalId, Approval>();
  const watching = new AbortController();
  void followConsole(client, approvals, watching.signal);
  const decided = new Map<string, { threadId: ThreadId; at: number }>();
  let watched = 0;
  const pending = () => [...approvals.values()].filter((approval) => !decided.has(approval.itemId));
  return {
    process,
    client,
    connect,
    async begin(count, text) {
      const threads: ThreadId[] = [];
      // One after the other: the wire refuses a client that has too much under way.
      while (threads.length < count) threads.push(await createThread(client, workspace));
      for (const threadId of threads.slice(0, watchedThreads - watched)) {
        watched += 1;
        void drain(client, threadId, watching.signal);
      }
      for (const threadId of threads)
        await client.call("threads.send", { commandId: newCommandId(), threadId, text });
      return threads;
    },
    waiting: async () => pending().length,
    async decide(thread) {
      const oldest = pending().find((approval) => approval.threadId === thread);
      if (!oldest) return false;
      const { id, digest, itemId, threadId } = oldest;
      decided.set(itemId, { threadId, at: wallClock() });
      await client.call("approvals.decide", {
        commandId: newCommandId(),
        items: [{ id, digest }],
        decision: { type: "approve" },
      });
      return true;
    },
    startDelays: () => readStartDelays(client, decided),
    async end() {
      watching.abort();
      close();
      await process.end();
    },
  };
}

export async function startFloorSide(folder: string, workspace: string): Promise<Side> {
  const own = join(folder, "floor");
  mkdirSync(own, { recursive: true });
  const process = await startLoadProcess("load-floor.ts", [own, workspace]);
  return {
    process,
    async begin(count, text) {
      const threads = Array.from({ length: count }, () => `thread-${randomUUID()}`);
      await process.ask("send", { threads, text });
      return threads;
    },
    waiting: () => process.ask<number>("waiting"),
    decide: (threadId) => process.ask<boolean>("decide", { threadId, at: wallClock() }),
    startDelays: () => process.ask<number[]>("startDelays"),
    end: () => process.end(),
  };
}

async function followConsole(
  client: Client,
  approvals: Map<ApprovalId, Approval>,
  signal: AbortSignal,
): Promise<void> {
  for await (const item of client.watch("console.watch", {}, { signal })) {
    if (item.kind !== "approvals" && item.kind !== "changes") continue;
    for (const approval of item.approvals) {
      if (approval.status === "pending") approvals.set(approval.id, approval);
      else approvals.delete(approval.id);
    }
  }
}

async function drain(client: Client, threadId: ThreadId, signal: AbortSignal): Promise<void> {
  for await (const _item of client.watch("threads.watch", { threadId }, { signal }));
}

async function createThread(client: Client, workspace: string): Promise<ThreadId> {
  return (await client.call("threads.create", { commandId: newCommandId(), workspace })).id;
}

/** The command's own clock is in its result, so the transcripts are read once the load is over. */
async function readStartDelays(
  client: Client,
  decided: Map<string, { threadId: ThreadId; at: number }>,
): Promise<number[]> {
  const delays: number[] = [];
  for (const threadId of new Set([...decided.values()].map((one) => one.threadId))) {
    const { items } = await client.call("threads.page", { threadId, limit: 200 });
    for (const item of items) {
      const began = item.kind === "toolCall" ? readBegin(item.result ?? "") : undefined;
      const at = decided.get(item.id)?.at;
      if (began !== undefined && at !== undefined) delays.push(began - at);
    }
  }
  return delays;
}
