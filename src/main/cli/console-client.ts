/** The way from the command line to the console that runs on a data directory. */
import { readFileSync, realpathSync, statSync } from "node:fs";
import { connect } from "node:net";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import type { Approval } from "../../shared/contract/approvals.ts";
import type { ThreadSummary } from "../../shared/contract/threads.ts";
import { type Client, createClient } from "../../shared/wire/client.ts";
import { socketTransport } from "../base/private-socket.ts";
import { addressFile } from "../console/command-line-door.ts";

/** No console answers; the message says what to do. */
export class NoConsoleError extends Error {
  override name = "NoConsoleError";
}

/** Runs `use` with a client of that console and hangs up. @throws NoConsoleError */
export async function withConsole<T>(dataDir: string, use: (client: Client) => Promise<T>): Promise<T> {
  const socket = connect(readAddress(dataDir));
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once("connect", resolve);
      socket.once("error", () => reject(noConsole(dataDir)));
    });
    return await use(createClient(socketTransport(socket)));
  } finally {
    socket.destroy();
  }
}

function readAddress(dataDir: string): string {
  try {
    const content: unknown = JSON.parse(readFileSync(addressFile(dataDir), "utf8"));
    const { address } = z.strictObject({ address: z.string().min(1) }).parse(content);
    return process.platform === "win32" ? address : ownSocket(address, dataDir);
  } catch {
    throw noConsole(dataDir);
  }
}

/**
 * By a path that no link leads from any more. @throws Error for a socket in the folder of another user: once a console
 * was killed and its folder for sockets is gone, somebody else can listen at the same place.
 */
function ownSocket(address: string, dataDir: string): string {
  const folder = realpathSync(dirname(address));
  if (statSync(folder).uid !== statSync(dataDir).uid)
    throw new Error("This folder belongs to somebody else.");
  return join(folder, basename(address));
}

function noConsole(dataDir: string): NoConsoleError {
  return new NoConsoleError(
    `No console answers for the data folder ${dataDir}. Start Countersign on it, and switch on “Answers from the command line” in its settings.`,
  );
}

/** @throws ContractError when the console hangs up before all of it came. */
export async function takeSnapshot(
  client: Client,
): Promise<{ threads: ThreadSummary[]; approvals: Approval[] }> {
  const threads: ThreadSummary[] = [];
  const approvals: Approval[] = [];
  for await (const item of client.watch("console.watch", {})) {
    if (item.kind === "threads") threads.push(...item.threads);
    if (item.kind === "approvals") approvals.push(...item.approvals);
    if (item.kind === "ready") break;
  }
  return { threads, approvals: approvals.filter(({ status }) => status === "pending") };
}
