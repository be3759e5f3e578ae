/** A connected pair of each kind of transport, so that one suite can hold all of them to the same behaviour. */
import { EventEmitter, once } from "node:events";
import { MessageChannel } from "node:worker_threads";
import { connectInProcess } from "../../../shared/wire/in-process.ts";
import { messagePortTransport } from "../../../shared/wire/message-port-transport.ts";
import type { Transport } from "../../../shared/wire/transport.ts";
import { webSocketTransport } from "../../../shared/wire/web-socket-transport.ts";
import { createAccess } from "../access.ts";
import { createDoor } from "../door.ts";
import { openSocket } from "./open-socket.ts";

export type WirePair = { host: Transport; client: Transport; dispose(): Promise<void> };

export const wirePairs: Record<string, () => Promise<WirePair>> = {
  "in process": async () => {
    const [host, client] = connectInProcess();
    return { host, client, dispose: async () => client.close() };
  },
  MessageChannel: async () => {
    const { port1, port2 } = new MessageChannel();
    const client = messagePortTransport(port2);
    return { host: messagePortTransport(port1), client, dispose: async () => client.close() };
  },
  "Electron's MessagePortMain": async () => {
    const [left, right] = createElectronPorts();
    const client = messagePortTransport(right);
    return { host: messagePortTransport(left), client, dispose: async () => client.close() };
  },
  WebSocket: async () => {
    const accepted = Promise.withResolvers<Transport>();
    const access = createAccess();
    const door = await createDoor({ files: new Map(), port: 0, access, onTransport: accepted.resolve });
    const socket = openSocket({ port: door.port, access });
    await once(socket, "open");
    return { host: await accepted.promise, client: webSocketTransport(socket), dispose: door.close };
  },
};

type FakePort = EventEmitter & { start(): void; postMessage(data: unknown): void; close(): void };

/** Ports of Electron's shape: events with `data`, nothing delivered before `start`, structured clone, close on both ends. */
function createElectronPorts(): [FakePort, FakePort] {
  const makePort = (farEnd: () => Inner): Inner => {
    const waiting: unknown[] = [];
    let started = false;
    const port: Inner = Object.assign(new EventEmitter(), {
      start: () => {
        started = true;
        for (const data of waiting.splice(0)) port.emit("message", { data, ports: [] });
      },
      receive: (data: unknown) => {
        if (started) port.emit("message", { data, ports: [] });
        else waiting.push(data);
      },
      postMessage: (data: unknown) => {
        const copy = structuredClone(data);
        setImmediate(() => farEnd().receive(copy));
      },
      close: () => {
        setImmediate(() => {
          port.emit("close");
          farEnd().emit("close");
        });
      },
    });
    return port;
  };
  type Inner = FakePort & { receive(data: unknown): void };
  const left: Inner = makePort(() => right);
  const right: Inner = makePort(() => left);
  return [left, right];
}
