/** Where the shell host's process begins: as a child of plain Node, or as a utility process of Electron. */

import { type HostChannel, serveShellHost } from "./shell-host.ts";
import type { ToShellHost } from "./shell-messages.ts";

/** What a utility process of Electron has in place of `process.send`. */
type ParentPort = {
  on(event: "message", listener: (event: { data: ToShellHost }) => void): unknown;
  postMessage(message: unknown): void;
};

function channelToNode(): HostChannel {
  return {
    // When the host is gone, `onClose` tells; what was still to be said is said to nobody.
    send: (message) => void process.send?.(message, undefined, undefined, () => undefined),
    onMessage: (listener) => void process.on("message", listener),
    onClose: (listener) => void process.once("disconnect", listener),
  };
}

/** A utility process ends with its main process, so there is no close to hear of. */
function channelToElectron(port: ParentPort): HostChannel {
  return {
    send: (message) => port.postMessage(message),
    onMessage: (listener) => void port.on("message", ({ data }) => listener(data)),
    onClose: () => undefined,
  };
}

// Ctrl+C, a closed terminal and a service manager reach the whole group: the host decides what becomes of commands.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);

const { parentPort } = process as typeof process & { parentPort?: ParentPort };
serveShellHost(parentPort === undefined ? channelToNode() : channelToElectron(parentPort), () =>
  process.exit(),
);
