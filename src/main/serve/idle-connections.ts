/** Keeps the few places for connections that are in use: what asks for nothing and what is gone without a word makes room. */
import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { WebSocket, WebSocketServer } from "ws";

/** A page asks as soon as it is connected; so many that do not ask at once are no pages. */
const mostHalfOpen = 100;

/** Whoever opens more connections than that without a whole request loses the oldest of them, and nobody else does. */
export function boundHalfOpen(server: Server): void {
  const halfOpen = new Set<Socket>();
  server.on("connection", (socket) => {
    halfOpen.add(socket);
    socket.once("close", () => halfOpen.delete(socket));
    if (halfOpen.size <= mostHalfOpen) return;
    const [oldest] = halfOpen;
    oldest?.destroy();
  });
  server.on("request", ({ socket }) => void halfOpen.delete(socket));
  server.on("upgrade", ({ socket }) => void halfOpen.delete(socket));
}

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
