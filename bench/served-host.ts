/** Starts the built host in a process of its own and reaches it through its door, as a browser does. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import WebSocket from "ws";
import { exchangeAddress } from "../src/main/serve/testing/exchange-address.ts";
import { type Client, createClient } from "../src/shared/wire/client.ts";
import { webSocketTransport } from "../src/shared/wire/web-socket-transport.ts";

const root = join(import.meta.dirname, "..");

export type ServedHost = {
  client: Client;
  /** Milliseconds from the spawn until the host said its address. */
  listeningAfterMs: number;
  /** `performance.now()` of the spawn. */
  startedAt: number;
  pid: number;
  stop(): Promise<void>;
};

/** Builds into out/ when the sources changed since the last build. @throws Error when the build fails. */
export async function buildHost(): Promise<void> {
  const script = join(root, "scripts", "setup", "build.mjs");
  const { ensureBuilt } = (await import(script)) as { ensureBuilt(): Promise<void> };
  await ensureBuilt();
}

type Start = { args: string[]; env: NodeJS.ProcessEnv };

/** A host as `npm run serve` starts it. */
async function asServed(flags: string[]): Promise<Start> {
  const script = join(root, "scripts", "setup", "serve-host.mjs");
  const { hostArguments, hostEnvironment } = (await import(script)) as {
    hostArguments(args: string[]): string[];
    hostEnvironment: Record<string, string>;
  };
  return { args: hostArguments(flags), env: { ...process.env, ...hostEnvironment } };
}

/**
 * @param isPlain starts it with Node's own settings instead of those of `npm run serve`
 * @throws Error with the host's own words when it ends before it is ready.
 */
export async function serveHost(dataDir: string, workspace: string, isPlain = false): Promise<ServedHost> {
  const flags = ["--data-dir", dataDir, "--workspace", workspace, "--port", "0", "--no-open", "--json"];
  const plain: Start = { args: [join(root, "out", "main", "serve.js"), ...flags], env: process.env };
  const { args, env } = isPlain ? plain : await asServed(flags);
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  const exited = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const line = new Promise<string>((resolve) =>
    createInterface({ input: child.stdout }).once("line", resolve),
  );
  const first = await Promise.race([
    line,
    exited.then(() => Promise.reject(new Error(`The host ended before it was ready:\n${said}`))),
  ]);
  const listeningAfterMs = performance.now() - startedAt;
  const socket = await openSocket((JSON.parse(first) as { url: string }).url);
  return {
    client: createClient(webSocketTransport(socket as unknown as Parameters<typeof webSocketTransport>[0])),
    listeningAfterMs,
    startedAt,
    pid: child.pid!,
    async stop() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}

/** @param address as the host prints it: it works once. */
export async function openSocket(address: string): Promise<WebSocket> {
  const url = new URL(address);
  const token = await exchangeAddress(address);
  const socket = new WebSocket(`ws://${url.host}/wire`, ["console.v1", `auth.${token}`], {
    origin: url.origin,
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("open", () => resolve());
    socket.once("error", reject);
  });
  return socket;
}
