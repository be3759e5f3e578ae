/** Takes a port on 127.0.0.1, and says plainly what to do when it cannot be had (L1). */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** The port is taken or not allowed; the message says what to do. */
export class PortError extends Error {
  override name = "PortError";
  readonly port: number;
  constructor(port: number, message: string) {
    super(message);
    this.port = port;
  }
}

/**
 * Resolves to the port that was taken; 0 takes any free one.
 * @throws PortError when it is no port, or not to be had.
 */
export async function listenOnLoopback(server: Server, port: number): Promise<number> {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new PortError(
      port,
      `${port} is no port number. Give one between 1024 and 65535, or 0 for any free one.`,
    );
  }
  await new Promise<void>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(explain(error, port));
    server.once("error", fail);
    server.listen({ host: "127.0.0.1", port, exclusive: true }, () => {
      server.off("error", fail);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}

function explain(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === "EADDRINUSE") {
    const message = `Port ${port} on 127.0.0.1 is in use by another program. Start with --port 0 for any free port, or stop that program.`;
    return new PortError(port, message);
  }
  if (error.code === "EACCES") {
    const message = `Port ${port} needs rights this program does not have. Start with --port 0 for any free port, or give one above 1023.`;
    return new PortError(port, message);
  }
  return error;
}
