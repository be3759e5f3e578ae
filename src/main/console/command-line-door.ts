/**
 * The door for the command line: a socket that only this user can open, and only while the person allows it. Whoever
 * runs as this user may answer approvals through it, an agent's command outside of the sandbox too.
 */
import { randomUUID } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { contract } from "../../shared/contract/contract.ts";
import { ContractError } from "../../shared/contract/errors.ts";
import type { Handlers } from "../../shared/wire/serve-contract.ts";
import type { Transport } from "../../shared/wire/transport.ts";
import { socketTransport } from "../base/socket-transport.ts";
import { writeAtomically } from "../settings/settings-store.ts";

/** What a command line may ask for; nothing that widens what agents may do. */
const allowed = ["console.watch", "approvals.get", "approvals.decide", "threads.send", "threads.watch"];

/** In the data directory: where the socket is. On Windows its name is only to be found here, and nobody else reads it. */
export const addressFile = (dataDir: string): string => join(dataDir, "command-line.json");

const maxConnections = 8;
/** Longer paths are no socket's on some systems. */
const longestSocketPath = 100;

export type CommandLineDoor = {
  /** Opens or closes it, as the person allows it now. */
  update(isAllowed: boolean): void;
  close(): void;
};

/** @param onProblem hears, in a sentence, that it could not be opened. */
export function createCommandLineDoor(
  dataDir: string,
  connect: (transport: Transport) => void,
  onProblem: (sentence: string) => void,
): CommandLineDoor {
  let open: { server: Server; sockets: Set<Socket>; address: string } | undefined;

  function close(): void {
    if (open === undefined) return;
    const { server, sockets, address } = open;
    open = undefined;
    server.close();
    for (const socket of sockets) socket.destroy();
    rmSync(addressFile(dataDir), { force: true });
    if (process.platform !== "win32") removeSocket(dataDir, address);
  }

  function listen(): void {
    const address = chooseAddress(dataDir);
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
      connect(socketTransport(socket));
    });
    server.maxConnections = maxConnections;
    open = { server, sockets, address };
    server.on("error", ({ message }) => {
      onProblem(`The command line cannot reach this console: ${message}`);
      close();
    });
    server.listen(address, () => {
      if (process.platform !== "win32") chmodSync(address, 0o600);
      writeAtomically(addressFile(dataDir), `${JSON.stringify({ address })}\n`);
    });
  }

  return {
    update(isAllowed) {
      if (isAllowed && open === undefined) listen();
      if (!isAllowed) close();
    },
    close,
  };
}

function chooseAddress(dataDir: string): string {
  if (process.platform === "win32") return `\\\\.\\pipe\\countersign-${randomUUID()}`;
  const near = join(dataDir, "command-line.sock");
  if (Buffer.byteLength(near) > longestSocketPath)
    return join(mkdtempSync(join(tmpdir(), "countersign-")), "socket");
  // A host that was killed leaves it; this one holds the lock of the folder.
  rmSync(near, { force: true });
  return near;
}

function removeSocket(dataDir: string, address: string): void {
  const folder = dirname(address);
  rmSync(folder === dataDir ? address : folder, { recursive: true, force: true });
}

/** The same answers as a window gets, to what a command line may ask. */
export function forCommandLine(handlers: Handlers): Handlers {
  const refuse = () => {
    throw new ContractError("forbidden", "The command line may not ask for this. Use the window.");
  };
  const names = Object.keys(contract) as (keyof Handlers)[];
  return Object.fromEntries(
    names.map((name) => [name, allowed.includes(name) ? handlers[name] : refuse]),
  ) as unknown as Handlers;
}
