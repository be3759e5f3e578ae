/** The way from the command line to the console that runs on a data directory. */
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { z } from "zod";
import { type Client, createClient } from "../../shared/wire/client.ts";
import { socketTransport } from "../base/socket-transport.ts";
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
    return z.strictObject({ address: z.string().min(1) }).parse(content).address;
  } catch {
    throw noConsole(dataDir);
  }
}

function noConsole(dataDir: string): NoConsoleError {
  return new NoConsoleError(
    `No console answers for the data folder ${dataDir}. Start Countersign on it, and switch on “Answers from the command line” in its settings.`,
  );
}
