/** The browser's door: the built pages and one WebSocket, on the loopback address and nowhere else (L1 to L9). */
import { randomBytes } from "node:crypto";
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { securityHeaders } from "../../shared/security-headers.ts";
import { maxFrameBytes } from "../../shared/wire/frames.ts";
import type { Transport } from "../../shared/wire/transport.ts";
import { webSocketTransport } from "../../shared/wire/web-socket-transport.ts";
import { type Admission, admit, wireProtocol } from "./admit.ts";
import { keepAlive } from "./keep-alive.ts";
import { listenOnLoopback } from "./listen.ts";
import type { StaticFiles } from "./static-files.ts";

const maxSockets = 8;
const closeGraceMs = 500;

export type DoorOptions = {
  files: StaticFiles;
  /** 0 takes any free port. */
  port: number;
  /** At least 43 characters of base64url (256 bits); absent makes a new one. */
  token?: string;
  /** Called once for every browser page that came through, with its open connection. */
  onTransport(transport: Transport): void;
  /** How often an idle connection is checked; one that does not answer until the next check is dropped. */
  pingEveryMs?: number;
  /** How long a client may take to send its request. */
  requestTimeoutMs?: number;
};

export type Door = {
  /** Carries the token in its fragment; print it once and write it nowhere else. */
  url: string;
  port: number;
  /** Hangs up on every page and frees the port. */
  close(): Promise<void>;
};

type Opened = { server: Server; sockets: WebSocketServer; token: string; port: number; options: DoorOptions };

/** Throws PortError when the port cannot be had. */
export async function createDoor(options: DoorOptions): Promise<Door> {
  const {
    token = randomBytes(32).toString("base64url"),
    pingEveryMs = 20_000,
    requestTimeoutMs = 5_000,
  } = options;
  if (!/^[A-Za-z0-9_-]{43,128}$/.test(token)) {
    throw new Error(
      "The door's token must be 43 to 128 characters of base64url. Leave it out to have one made.",
    );
  }
  const server = createServer({
    joinDuplicateHeaders: true,
    headersTimeout: requestTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: Math.min(requestTimeoutMs, 1_000),
  });
  server.maxConnections = 128;
  const port = await listenOnLoopback(server, options.port);
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
    handleProtocols: () => wireProtocol,
  });
  const opened: Opened = { server, sockets, token, port, options };
  server.on("request", (request, response) => respond(opened, request, response));
  server.on("upgrade", (request, socket, head) => upgrade(opened, request, socket, head));
  const stopPings = keepAlive(sockets, pingEveryMs);
  let closing: Promise<void> | undefined;
  return {
    url: `http://127.0.0.1:${port}/#token=${token}`,
    port,
    close: () => {
      stopPings();
      closing ??= closeDoor(opened);
      return closing;
    },
  };
}

function respond({ options, token, port }: Opened, request: IncomingMessage, response: ServerResponse): void {
  const { method, url, headers } = request;
  const admission = admit({ method, url, headers, port }, token);
  const file = admission.as === "file" ? options.files.get(admission.path) : undefined;
  if (file === undefined) {
    const { status, reason } = refusalOf(admission);
    response.writeHead(status, { ...securityHeaders, "Content-Type": "text/plain; charset=utf-8" });
    response.end(method === "HEAD" ? undefined : `${reason}\n`);
    return;
  }
  response.writeHead(200, {
    ...securityHeaders,
    "Content-Type": file.type,
    "Content-Length": file.body.length,
    "Cache-Control": "no-cache",
  });
  response.end(method === "HEAD" ? undefined : file.body);
}

function upgrade(opened: Opened, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { sockets, options, token, port } = opened;
  socket.on("error", () => socket.destroy());
  const { method, url, headers } = request;
  const admission = admit({ method, url, headers, port }, token);
  if (admission.as !== "wire") {
    refuseUpgrade(socket, refusalOf(admission).status);
  } else if (sockets.clients.size >= maxSockets) {
    refuseUpgrade(socket, 503);
  } else {
    sockets.handleUpgrade(request, socket, head, (client) => accept(client, options));
  }
}

function accept(client: WebSocket, options: DoorOptions): void {
  // A protocol error also closes the socket, which is all there is to do about it.
  client.on("error", () => {});
  options.onTransport(webSocketTransport(client));
}

function refuseUpgrade(socket: Duplex, status: number): void {
  const headers = Object.entries(securityHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n`;
  socket.end(`${head}${headers.join("")}\r\n`, () => socket.destroy());
}

function refusalOf(admission: Admission): { status: number; reason: string } {
  return admission.as === "refused" ? admission : { status: 404, reason: "Nothing is here." };
}

async function closeDoor({ server, sockets }: Opened): Promise<void> {
  for (const client of sockets.clients) client.close(1001, "Countersign is stopping.");
  const impatience = setTimeout(() => {
    for (const client of sockets.clients) client.terminate();
  }, closeGraceMs);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
  clearTimeout(impatience);
}
