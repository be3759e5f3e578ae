/**
 * The door for the command line: a socket that only this user can open, and only while the person allows it. Whoever
 * runs as this user may answer approvals through it, an agent's command outside of the sandbox too.
 */
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { contract } from "../../shared/contract/contract.ts";
import { ContractError } from "../../shared/contract/errors.ts";
import type { Handlers } from "../../shared/wire/serve-contract.ts";
import type { Transport } from "../../shared/wire/transport.ts";
import { listenPrivately, socketPath, socketTransport } from "../base/private-socket.ts";
import { writeAtomically } from "../settings/settings-store.ts";

/** What a command line may ask for; nothing that widens what agents may do. */
const allowed = [
  "console.watch",
  "approvals.get",
  "approvals.decide",
  "threads.send",
  "threads.stop",
  "threads.resume",
  "threads.watch",
  "threads.page",
  "threads.item",
  "deepagents.threads",
  "deepagents.import",
  "remoteServers.list",
  "remoteServers.assistants",
  "remoteServers.start",
  "undo.preview",
  "undo.carryOut",
  "undo.reverse",
  "home.preview",
  "home.file",
  "home.conflict",
  "home.putBack",
  "home.bring",
];

/** In the data directory: where the socket is. On Windows its name is only to be found here, and nobody else reads it. */
export const addressFile = (dataDir: string): string => join(dataDir, "command-line.json");

const maxConnections = 8;

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
  let shut: (() => void) | undefined;

  function close(): void {
    if (shut === undefined) return;
    shut();
    shut = undefined;
    rmSync(addressFile(dataDir), { force: true });
  }

  function listen(): void {
    const isPipe = process.platform === "win32";
    const address = isPipe ? `\\\\.\\pipe\\countersign-${randomUUID()}` : socketPath(dataDir, "command-line");
    const server = createServer((socket) => connect(socketTransport(socket)));
    server.maxConnections = maxConnections;
    shut = listenPrivately(
      server,
      { address, dataDir },
      {
        onOpen: () => writeAtomically(addressFile(dataDir), `${JSON.stringify({ address })}\n`),
        onProblem(why) {
          onProblem(`The command line cannot reach this console: ${why}`);
          close();
        },
      },
    );
  }

  return {
    update(isAllowed) {
      if (isAllowed && shut === undefined) listen();
      if (!isAllowed) close();
    },
    close,
  };
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
