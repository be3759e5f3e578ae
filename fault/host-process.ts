/** A real host in a process of its own, reached through its door as a browser would, and killable at any moment. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import WebSocket from "ws";
import { newCommandId } from "../src/main/base/command-id.ts";
import { exchangeAddress } from "../src/main/serve/testing/exchange-address.ts";
import type { Approval } from "../src/shared/contract/approvals.ts";
import type { Decision } from "../src/shared/contract/decisions.ts";
import type { ThreadSummary } from "../src/shared/contract/threads.ts";
import type { ApprovalId, ThreadId } from "../src/shared/ids.ts";
import { hangGuardMs } from "../src/shared/testing/hang-guard.ts";
import { type Client, createClient } from "../src/shared/wire/client.ts";
import { webSocketTransport } from "../src/shared/wire/web-socket-transport.ts";

/** The built host, as `npm run build` makes it. */
const builtEntry = join(import.meta.dirname, "../out/main/serve.js");

export class HostProcess {
  readonly client: Client;
  readonly approvals = new Map<ApprovalId, Approval>();
  readonly threads = new Map<ThreadId, ThreadSummary>();
  /** Whether all that waited at its start was told. */
  isReady = false;
  /** Resolves with the signal or code when the process is gone. */
  readonly exited: Promise<string>;
  readonly #child: ChildProcess;
  readonly #socket: WebSocket;
  readonly #listeners = new Set<() => void>();

  constructor(child: ChildProcess, socket: WebSocket, exited: Promise<string>) {
    this.#child = child;
    this.#socket = socket;
    this.exited = exited;
    this.client = createClient(
      webSocketTransport(socket as unknown as Parameters<typeof webSocketTransport>[0]),
    );
    void this.#follow();
  }

  get pid(): number {
    return this.#child.pid!;
  }

  kill(): Promise<string> {
    this.#child.kill("SIGKILL");
    return this.exited;
  }

  async stop(): Promise<void> {
    this.#child.kill("SIGTERM");
    await this.exited;
    this.#socket.close();
  }

  /** Resolves when the condition holds for what the console shows; rejects when the host is gone first. */
  async until(condition: (host: HostProcess) => boolean, what: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => reject(new Error(`Never came: ${what}`)), hangGuardMs);
    const look = () => {
      if (condition(this)) resolve();
    };
    this.#listeners.add(look);
    void this.exited.then((how) => reject(new HostGone(how)));
    look();
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      this.#listeners.delete(look);
    }
  }

  pending(): Approval[] {
    return [...this.approvals.values()].filter((approval) => approval.status === "pending");
  }

  async decide({ id, digest }: Approval, decision: Decision) {
    const input = { commandId: newCommandId(), items: [{ id, digest }], decision };
    return (await this.client.call("approvals.decide", input)).outcomes[0]!;
  }

  async #follow(): Promise<void> {
    try {
      for await (const item of this.client.watch("console.watch", {})) {
        if (item.kind === "threads" || item.kind === "changes")
          for (const thread of item.threads) this.threads.set(thread.id, thread);
        if (item.kind === "approvals" || item.kind === "changes")
          for (const approval of item.approvals) this.approvals.set(approval.id, approval);
        if (item.kind === "ready") this.isReady = true;
        for (const listener of this.#listeners) listener();
      }
    } catch {
      // The host is gone; whoever waits hears it from `exited`.
    }
  }
}

export class HostGone extends Error {
  override name = "HostGone";
}

/** Starts a host on the folders. @throws Error with the host's own words when it does not become ready. */
export async function startHost(
  folders: { dataDir: string; workspace: string },
  env: Record<string, string> = {},
  entry = builtEntry,
): Promise<HostProcess> {
  const args = [
    entry,
    "--data-dir",
    folders.dataDir,
    "--workspace",
    folders.workspace,
    "--port",
    "0",
    "--no-open",
    "--json",
  ];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  const exited = new Promise<string>((resolve) =>
    child.once("close", (code, signal) => resolve(signal ?? `code ${code}`)),
  );
  const line = new Promise<string>((resolve) =>
    createInterface({ input: child.stdout! }).once("line", resolve),
  );
  const first = await Promise.race([
    line,
    exited.then((how) => Promise.reject(new HostGone(`${how}\n${said}`))),
  ]);
  const url = new URL((JSON.parse(first) as { url: string }).url);
  const token = await exchangeAddress(url.href);
  const socket = new WebSocket(`ws://${url.host}/wire`, ["console.v1", `auth.${token}`], {
    origin: url.origin,
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("open", () => resolve());
    socket.once("error", reject);
  });
  return new HostProcess(child, socket, exited);
}
