/** The browser's door: the built pages and one WebSocket, on the loopback address and nowhere else (L1 to L9); what asks for nothing and what is gone without a word makes room. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { securityHeaders } from "../../shared/security-headers.ts";
import { maxFrameBytes } from "../../shared/wire/frames.ts";
import type { Transport } from "../../shared/wire/transport.ts";
import { webSocketTransport } from "../../shared/wire/web-socket-transport.ts";
import { http } from "../base/node-http.ts";
import type { Access, CodeOptions } from "./access.ts";
import { type Admission, admit, wireProtocol } from "./admit.ts";
import { listenOnLoopback } from "./listen.ts";
import type { StaticFiles } from "./static-files.ts";

const maxSockets = 8;
const closeGraceMs = 500;

export type DoorOptions = {
  files: StaticFiles;
  /** 0 takes any free port. */
  port: number;
  access: Access;
  /** Called once for every browser page that came through, with its open connection. */
  onTransport(transport: Transport): void;
  /** How often an idle connection is checked; one that does not answer until the next check is dropped. */
  pingEveryMs?: number;
  /** How long a client may take to send its request. */
  requestTimeoutMs?: number;
};

export type Door = {
  /** A new address that lets one page in, once: its fragment, which is never sent, carries a one-use code. */
  address(options: CodeOptions): string;
  port: number;
  /** Hangs up on every page and frees the port. */
  close(): Promise<void>;
};

type Opened = {
  server: Server;
  sockets: WebSocketServer;
  /** With which token a connected page came. */
  tokens: WeakMap<WebSocket, string>;
  port: number;
  options: DoorOptions;
};

/** @throws PortError when the port cannot be had. */
export async function createDoor(options: DoorOptions): Promise<Door> {
  const { access, pingEveryMs = 20_000, requestTimeoutMs = 5_000 } = options;
  const server = http.createServer({
    joinDuplicateHeaders: true,
    headersTimeout: requestTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: Math.min(requestTimeoutMs, 1_000),
  });
  boundHalfOpen(server);
  server.maxConnections = 512;
  const port = await listenOnLoopback(server, options.port);
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
    handleProtocols: () => wireProtocol,
  });
  const opened: Opened = { server, sockets, tokens: new WeakMap(), port, options };
  server.on("request", (request, response) => void respond(opened, request, response));
  server.on("upgrade", (request, socket, head) => upgrade(opened, request, socket, head));
  access.onWithdrawn((token) => {
    for (const client of sockets.clients)
      if (opened.tokens.get(client) === token) client.close(1008, "Its address was used twice.");
  });
  const stopPings = keepAlive(sockets, pingEveryMs);
  let closing: Promise<void> | undefined;
  return {
    address: (code) => `http://127.0.0.1:${port}/#code=${access.issueCode(code)}`,
    port,
    close: () => {
      stopPings();
      closing ??= closeDoor(opened);
      return closing;
    },
  };
}

/** Never rejects: a page that cannot be read is told like one that is not there. */
async function respond(
  { options, port }: Opened,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method, url, headers } = request;
  const admission = admit({ method, url, headers, port }, options.access.admits);
  if (admission.as === "exchange") {
    answerExchange(options.access, admission.code, response);
    return;
  }
  const file = admission.as === "file" ? options.files.get(admission.path) : undefined;
  const body = await file?.read().catch(() => undefined);
  if (file === undefined || body === undefined) {
    const { status, reason } = refusalOf(admission);
    response.writeHead(status, { ...securityHeaders, "Content-Type": "text/plain; charset=utf-8" });
    response.end(method === "HEAD" ? undefined : `${reason}\n`);
    return;
  }
  response.writeHead(200, {
    ...securityHeaders,
    "Content-Type": file.type,
    "Content-Length": body.length,
    "Cache-Control": "no-cache",
  });
  response.end(method === "HEAD" ? undefined : body);
}

/** The only answer that carries a token: to our own page, for a code that nobody used before. */
function answerExchange(access: Access, code: string, response: ServerResponse): void {
  const token = access.exchange(code);
  response.writeHead(token === undefined ? 401 : 200, {
    ...securityHeaders,
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "no-store",
  });
  response.end(JSON.stringify(token === undefined ? {} : { token }));
}

function upgrade(opened: Opened, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { sockets, tokens, options, port } = opened;
  socket.on("error", () => socket.destroy());
  const { method, url, headers } = request;
  const admission = admit({ method, url, headers, port }, options.access.admits);
  if (admission.as !== "wire") {
    refuseUpgrade(socket, refusalOf(admission).status);
  } else if (sockets.clients.size >= maxSockets) {
    refuseUpgrade(socket, 503);
  } else {
    sockets.handleUpgrade(request, socket, head, (client) => {
      tokens.set(client, admission.token);
      accept(client, socket, options);
    });
  }
}

function accept(client: WebSocket, socket: Duplex, options: DoorOptions): void {
  // A protocol error also closes the socket, which is all there is to do about it.
  client.on("error", () => {});
  options.onTransport(webSocketTransport(client, createGathering(socket)));
}

/** @returns what begins before a frame: those of one turn of the loop leave in one write, which is what each costs. */
function createGathering(socket: Duplex): () => void {
  let isGathering = false;
  return () => {
    if (isGathering) return;
    isGathering = true;
    socket.cork();
    process.nextTick(() => {
      isGathering = false;
      socket.uncork();
    });
  };
}

function refuseUpgrade(socket: Duplex, status: number): void {
  const headers = Object.entries(securityHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n`;
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

/** A page asks as soon as it is connected; so many that do not ask at once are no pages. */
const mostHalfOpen = 100;

/** Whoever opens more connections than that without a whole request loses the oldest of them, and nobody else does. */
function boundHalfOpen(server: Server): void {
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

/** Pings every connection each `everyMs` and drops those that left the previous ping unanswered. @returns its stop. */
function keepAlive(sockets: WebSocketServer, everyMs: number): () => void {
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
