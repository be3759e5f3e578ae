/** Opens the connection to one MCP server, or says in plain words why it cannot be opened. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import type { McpServer } from "../../../shared/contract/agents.ts";
import { messageOf } from "../../../shared/message-of.ts";
import { explainStart, hideSecrets, httpStatusOf, isTimeout, McpServerError } from "./mcp-server-error.ts";

type StdioServer = Extract<McpServer, { transport: "stdio" }>;
type HttpServer = Extract<McpServer, { transport: "http" }>;

export type ClientOptions = {
  /** The whole environment of a server that is a program; throws with a sentence when a variable may not be set. */
  environment(server: StdioServer): Record<string, string>;
  /** The folder in which such a program starts. */
  cwd: string;
  startTimeoutMs: number;
};

export type ClientEvents = { onClosed(lastWords: string): void; onToolsChanged(): void };

export type OpenClient = { client: Client; close(): Promise<void> };

const lastWordsChars = 2_000;

/**
 * Starts the program or reaches the address, and shakes hands with it.
 * @param signal ends the attempt, and with it the program, when the server is no longer wanted.
 * @throws McpServerError with a sentence that says what to do. Nothing is left running then.
 */
export async function openClient(
  server: McpServer,
  options: ClientOptions,
  events: ClientEvents,
  signal: AbortSignal,
): Promise<OpenClient> {
  if (server.transport === "stdio") return openProgram(server, options, events, signal);
  try {
    return await shakeHands(streamable(server), options, events, signal, () => "");
  } catch (cause) {
    if (!isOlderServer(cause)) throw explainStart(server, cause, "", options.startTimeoutMs);
  }
  try {
    return await shakeHands(eventStream(server), options, events, signal, () => "");
  } catch (cause) {
    throw explainStart(server, cause, "", options.startTimeoutMs);
  }
}

async function openProgram(
  server: StdioServer,
  options: ClientOptions,
  events: ClientEvents,
  signal: AbortSignal,
): Promise<OpenClient> {
  const { command, args } = server;
  const env = environmentOf(server, options);
  const transport = new StdioClientTransport({ command, args, env, cwd: options.cwd, stderr: "pipe" });
  const lastWords = keepLastWords(server, transport);
  try {
    return await shakeHands(transport, options, events, signal, lastWords);
  } catch (cause) {
    throw explainStart(server, cause, lastWords(), options.startTimeoutMs);
  }
}

function environmentOf(server: StdioServer, options: ClientOptions): Record<string, string> {
  try {
    return options.environment(server);
  } catch (cause) {
    throw new McpServerError(server.name, messageOf(cause), { cause });
  }
}

async function shakeHands(
  transport: Transport,
  options: ClientOptions,
  events: ClientEvents,
  signal: AbortSignal,
  lastWords: () => string,
): Promise<OpenClient> {
  const client = new Client({ name: "countersign", version: "1.0.0" });
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => events.onToolsChanged());
  const { promise: ended, resolve: noteEnd } = Promise.withResolvers<void>();
  transport.onclose = noteEnd;
  try {
    await client.connect(transport, { timeout: options.startTimeoutMs, signal });
    signal.throwIfAborted();
  } catch (cause) {
    await transport.close();
    await bounded(ended, endingMs);
    throw cause;
  }
  client.onclose = () => events.onClosed(lastWords());
  if (!(transport instanceof StdioClientTransport)) endWhenGone(client, options.startTimeoutMs);
  const close = async () => {
    client.onclose = undefined;
    // A session on a remote server is ended politely, but nobody waits for a server that is gone.
    if (transport instanceof StreamableHTTPClientTransport)
      await bounded(transport.terminateSession(), politeMs);
    await client.close();
  };
  return { client, close };
}

/**
 * When the stream of an answer breaks off, nothing tells the call that waits for it. So at any trouble the server is
 * asked for a sign of life; one that is gone, or that lost the session, ends the connection and with it the waiting.
 */
function endWhenGone(client: Client, timeout: number): void {
  let asking = false;
  client.onerror = async () => {
    if (asking) return;
    asking = true;
    try {
      await client.ping({ timeout });
    } catch (cause) {
      // A server that is slow is still there.
      if (!isTimeout(cause)) await client.close();
    } finally {
      asking = false;
    }
  };
}

function streamable(server: HttpServer): StreamableHTTPClientTransport {
  const transport: StreamableHTTPClientTransport = new StreamableHTTPClientTransport(new URL(server.url), {
    ...optionsFor(server, () => void transport.close()),
  });
  return transport;
}

function eventStream(server: HttpServer): SSEClientTransport {
  const transport: SSEClientTransport = new SSEClientTransport(new URL(server.url), {
    ...optionsFor(server, () => void transport.close()),
  });
  return transport;
}

const optionsFor = ({ headers }: HttpServer, end: () => void) => ({
  requestInit: { headers },
  fetch: boundedFetch(end),
});

/** As much as a program may say in one message. */
const longestMessage = 10 * 1024 * 1024;
const newline = 10;

/**
 * A message is held whole before anything looks at it, so of one without an end no more is read than this.
 * @param end closes the connection: of a stream of events that broke off nobody tells the call that waits for it
 */
function boundedFetch(end: () => void): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.ok || response.body === null) return response;
    const isOfEvents = response.headers.get("content-type")?.includes("event-stream") === true;
    let bytes = 0;
    const counting = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        // What ends an event is a line end.
        bytes = isOfEvents && chunk.includes(newline) ? chunk.length : bytes + chunk.length;
        if (bytes <= longestMessage) return controller.enqueue(chunk);
        controller.error(new Error("it said more than 10 MB in one message"));
        end();
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(counting), { status, statusText, headers });
  };
}

/** Servers from before 2025 refuse the first request with one of these and speak over an event stream instead. */
function isOlderServer(cause: unknown): boolean {
  return [400, 404, 405].includes(httpStatusOf(cause) ?? 0);
}

/** Reads what the program writes to its error output, so that it never blocks on it and its end can be explained. */
function keepLastWords(server: StdioServer, transport: StdioClientTransport): () => string {
  let text = "";
  transport.stderr?.on("data", (bytes: Buffer) => {
    text = (text + bytes.toString("utf8")).slice(-lastWordsChars);
  });
  return () => hideSecrets(server, text.trim());
}

const politeMs = 1_000;
/** A program is asked to end, then told to, then made to; that takes four seconds at most. */
const endingMs = 5_000;

async function bounded(work: Promise<void>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work.catch(() => {}), timeout]);
  clearTimeout(timer);
}
