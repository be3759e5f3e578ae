/** A socket in the data directory that only this user can open, while it is open. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import type { Server, Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { maxFrameBytes } from "../../shared/wire/frames.ts";
import { createTransport, type Transport } from "../../shared/wire/transport.ts";

/** What the names of sockets in the data directory end with. */
export const socketEnding = ".sock";

/** Longer paths are no socket's on some systems. */
const longestSocketPath = 100;

/**
 * Lets `server` listen at `address` and closes it with all its guests.
 * @param onProblem hears why it could not be opened; it is closed then.
 * @returns what closes it and removes the socket.
 */
export function listenPrivately(
  server: Server,
  { address, dataDir }: { address: string; dataDir: string },
  { onOpen, onProblem }: { onOpen(): void; onProblem(why: string): void },
): () => void {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    if (process.platform !== "win32") removeSocket(dataDir, address);
  };
  server.on("error", ({ message }) => onProblem(message));
  server.listen(address, () => {
    if (process.platform !== "win32") chmodSync(address, 0o600);
    onOpen();
  });
  return close;
}

/** @returns where a socket of this name may be, on a system that has sockets as files. */
export function socketPath(dataDir: string, name: string): string {
  const near = join(dataDir, `${name}${socketEnding}`);
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

/** Takes over an open socket. A line that is longer than a frame may be hangs up. */
export function socketTransport(socket: Socket): Transport {
  const decoder = new StringDecoder("utf8");
  let begun: string[] = [];
  let length = 0;
  const { transport, receive, ended } = createTransport({
    send: (frame) => socket.write(`${frame}\n`),
    close: () => socket.end(),
  });
  socket.on("data", (bytes: Buffer) => {
    const [rest, ...lines] = decoder.write(bytes).split("\n");
    begun.push(rest!);
    length += rest!.length;
    for (const line of lines) {
      if (length <= maxFrameBytes) receive(begun.join(""));
      begun = [line];
      length = length <= maxFrameBytes ? line.length : length;
    }
    if (length > maxFrameBytes) socket.destroy();
  });
  // An error closes the socket as well.
  socket.on("error", () => {});
  socket.on("close", () => ended("The other side closed the connection."));
  return transport;
}
