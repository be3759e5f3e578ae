/** Keeps room for new pages: of the connections that have asked for nothing yet, the oldest go first. */
import type { Server } from "node:http";
import type { Socket } from "node:net";

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
