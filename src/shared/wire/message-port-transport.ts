/** One adapter for the three message ports there are: the page's, Node's and Electron's. */
import { createTransport, type Transport } from "./transport.ts";

type PortBase = { postMessage(data: string): void; close(): void };

/** The page's MessagePort, and that of `node:worker_threads`. */
type EventTargetPort = PortBase & {
  start(): void;
  addEventListener(type: "message" | "close", listener: (event: { data?: unknown }) => void): void;
};

/** Electron's MessagePortMain. */
type EmitterPort = PortBase & {
  start(): void;
  on(event: "message", listener: (event: { data: unknown }) => void): unknown;
  on(event: "close", listener: () => void): unknown;
};

export type AnyMessagePort = EventTargetPort | EmitterPort;

const farEndClosed = "The other side closed the connection.";

/** Takes over the port and starts it. A closed port carries no reason to the other side. */
export function messagePortTransport(port: AnyMessagePort): Transport {
  const { transport, receive, ended } = createTransport({
    send: (frame) => port.postMessage(frame),
    close: () => port.close(),
  });
  if ("addEventListener" in port) {
    port.addEventListener("message", (event) => receive(event.data));
    port.addEventListener("close", () => ended(farEndClosed));
  } else {
    port.on("message", (event) => receive(event.data));
    port.on("close", () => ended(farEndClosed));
  }
  port.start();
  return transport;
}
