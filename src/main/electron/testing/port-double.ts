/** Doubles of Electron's message ports over real ones, so that structured clone is enforced on every frame. */
import { MessageChannel, type MessagePort } from "node:worker_threads";
import type * as Electron from "electron";
import { StrictEmitter, surface } from "./strict.ts";

type PortMethods = Pick<Electron.MessagePortMain, "start" | "close" | "postMessage">;

export const portSurface = surface<Electron.MessagePortMain>(
  "MessagePortMain",
  ["start", "close", "postMessage"],
  ["message", "close"],
);

/** The main process's kind of port: silent until started, and an emitter rather than an event target. */
class MessagePortMainDouble extends StrictEmitter implements PortMethods {
  readonly #port: MessagePort;
  /** The port itself, for the test to hand to the page. */
  readonly transferred: MessagePort;
  constructor(port: MessagePort) {
    super(portSurface);
    this.#port = port;
    this.transferred = port;
  }
  start(): void {
    this.#port.on("message", (data: unknown) => this.emit("message", { data, ports: [] }));
    this.#port.on("close", () => this.emit("close"));
  }
  close(): void {
    this.#port.close();
  }
  postMessage(message: unknown): void {
    this.#port.postMessage(message);
  }
}

/** `port1` and `port2` as in Electron. */
export class MessageChannelMainDouble {
  readonly port1: MessagePortMainDouble;
  readonly port2: MessagePortMainDouble;
  constructor() {
    const channel = new MessageChannel();
    this.port1 = new MessagePortMainDouble(channel.port1);
    this.port2 = new MessagePortMainDouble(channel.port2);
  }
}

/** What `WebFrameMain.postMessage` gives the page: a clone of the message and the transferred ports. */
export type Delivery = { channel: string; message: unknown; ports: MessagePort[] };

/** Delivers like Electron does: the message is cloned, and only message ports can be transferred. */
export function deliver(channel: string, message: unknown, transfer: unknown[] = []): Delivery {
  const ports = transfer.map((item) => {
    if (!(item instanceof MessagePortMainDouble))
      throw new TypeError("Only message ports can be transferred.");
    return item.transferred;
  });
  return { channel, message: structuredClone(message), ports };
}
