/** Drops connections whose far end is gone without a word, so that they do not hold one of the few places. */
import type { WebSocket, WebSocketServer } from "ws";

/** Pings every connection each `everyMs` and drops those that left the previous ping unanswered. Returns its stop. */
export function keepAlive(sockets: WebSocketServer, everyMs: number): () => void {
  const unanswered = new WeakSet<WebSocket>();
  const timer = setInterval(() => {
    for (const client of sockets.clients) {
      if (unanswered.has(client)) {
        client.terminate();
        continue;
      }
      unanswered.add(client);
      client.once("pong", () => unanswered.delete(client));
      client.ping();
    }
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
