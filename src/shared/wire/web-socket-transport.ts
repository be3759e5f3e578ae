/** One adapter for the browser's WebSocket and the `ws` package's, which share the shape of their events. */
import { createTransport, type Transport } from "./transport.ts";

/** The members used of an open WebSocket. */
export type AnyWebSocket = {
  send(data: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: "message", listener: (event: { data: unknown }) => void): void;
  addEventListener(type: "close", listener: (event: { reason: string }) => void): void;
};

/** Close code of a deliberate hang-up; 4000 to 4999 are the application's own. */
const hungUpCode = 4000;
/** A close reason may be 123 bytes long; a character takes at most three. */
const maxReasonLength = 41;

/** Takes over an open socket. A socket that is not open yet must not be passed. @param beforeSend is told of each frame. */
export function webSocketTransport(socket: AnyWebSocket, beforeSend?: () => void): Transport {
  const { transport, receive, ended } = createTransport({
    send: (frame) => {
      beforeSend?.();
      socket.send(frame);
    },
    close: (reason) => socket.close(hungUpCode, reason.slice(0, maxReasonLength)),
  });
  socket.addEventListener("message", (event) => receive(event.data));
  socket.addEventListener("close", (event) => ended(event.reason || "The other side closed the connection."));
  return transport;
}
