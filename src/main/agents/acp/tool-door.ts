/**
 * The door through which a governed agent reaches our tools: a socket that only this user can open, and a program of shell
 * and curl that is its MCP server. There is no secret to be read in an argument list: who cannot open the file cannot ask.
 */
import { mkdirSync, rmSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type RequestId,
} from "@modelcontextprotocol/sdk/types.js";
import { http } from "../../base/node-http.ts";
import { parseJson } from "../../base/parse-json.ts";
import { listenPrivately, socketPath } from "../../base/private-socket.ts";
import { readBody } from "../../base/read-body.ts";
import { shellWord } from "../../base/shell-word.ts";
import { writeAtomically } from "../../settings/settings-store.ts";
import { doorFolder, newDoorName } from "./door-files.ts";
import type { ToolProgram } from "./governing.ts";

export type DoorPlace = {
  dataDir: string;
  /** Its whole path: by its name another one could be found where the agent stands. */
  curl: string;
};

export type ToolDoor = {
  /** What the agent starts as its server. */
  program: ToolProgram;
  /** What that needs to be seen. */
  files: readonly string[];
  close(): void;
};

/** Agents that start their server anew, or several at once; more is a program gone wild. */
const mostLinks = 16;
/** One message; a file that is larger is written by no agent. */
const mostMessageBytes = 4 * 1024 * 1024;
/** Answers that nobody has fetched, and bytes that nobody reads. */
const mostWaiting = 1_000;
const mostUnreadBytes = 32 * 1024 * 1024;
/** Of one request; most are numbers. */
const longestId = 200;

/**
 * @param serve is given each link that the agent opens; a link whose reader is gone is closed.
 * @throws Error when the socket cannot be opened
 */
export async function openToolDoor(
  { dataDir, curl }: DoorPlace,
  serve: (link: Transport) => void,
): Promise<ToolDoor> {
  const name = newDoorName();
  const address = socketPath(dataDir, name);
  const folder = doorFolder(dataDir);
  const script = join(folder, name);
  const links = new Map<string, Link>();
  const linkOf = (id: string): Link | undefined => {
    const known = links.get(id);
    if (known || links.size >= mostLinks) return known;
    const link = new Link(() => links.delete(id));
    links.set(id, link);
    serve(link);
    return link;
  };
  const server = http.createServer((request, response) => {
    answer(linkOf, request, response).catch(() => response.destroy());
  });
  const { promise: opened, resolve, reject } = Promise.withResolvers<void>();
  const shut = listenPrivately(
    server,
    { address, dataDir },
    { onOpen: resolve, onProblem: (why) => reject(new Error(why)) },
  );
  const close = () => {
    shut();
    for (const link of [...links.values()]) void link.close();
    rmSync(script, { force: true });
  };
  try {
    await opened;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeAtomically(script, bridgeScript(address, curl));
  } catch (error) {
    close();
    throw error;
  }
  return { program: { command: "/bin/sh", args: [script] }, files: [script, address], close };
}

async function answer(
  linkOf: (id: string) => Link | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, id, way] = /^\/(\d{1,10})\/(in|out)$/.exec(request.url ?? "") ?? [];
  const link = id === undefined ? undefined : linkOf(id);
  if (link === undefined) return void response.writeHead(404).end();
  if (way === "out" && request.method === "GET") return link.readBy(response);
  if (way !== "in" || request.method !== "POST") return void response.writeHead(405).end();
  link.hear(await readBody(request, mostMessageBytes));
  response.writeHead(202).end();
}

/** One MCP connection: what the agent says comes line by line, what it is told is fetched by one reader. */
class Link implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #onGone: () => void;
  readonly #waiting: string[] = [];
  /** Requests that were not answered. */
  readonly #open = new Set<RequestId>();
  #reader: ServerResponse | undefined;
  #isClosed = false;

  constructor(onGone: () => void) {
    this.#onGone = onGone;
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  readBy(reader: ServerResponse): void {
    this.#reader?.end();
    this.#reader = reader;
    reader.on("close", () => void (this.#reader === reader && this.close()));
    reader.writeHead(200);
    reader.flushHeaders();
    for (const line of this.#waiting.splice(0)) reader.write(line);
  }

  /**
   * What is no message of the protocol is not answered. One id for two requests ends the link: whoever gives up one of them
   * or goes would leave the other behind.
   */
  hear(line: string): void {
    const { data: message } = JSONRPCMessageSchema.safeParse(parseJson(line));
    if (message === undefined) return;
    if (isJSONRPCRequest(message)) {
      const { id } = message;
      if (this.#open.has(id) || String(id).length > longestId) return void this.close();
      this.#open.add(id);
    }
    this.onmessage?.(message);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if ("id" in message && message.id !== undefined) this.#open.delete(message.id);
    const line = `${JSON.stringify(message)}\n`;
    if (this.#reader && this.#reader.writableLength < mostUnreadBytes) this.#reader.write(line);
    else if (this.#reader) await this.close();
    else if (this.#waiting.length < mostWaiting) this.#waiting.push(line);
    else await this.close();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#onGone();
    this.#reader?.end();
    this.onclose?.();
  }
}

/** A server over standard input and output for any POSIX shell: what it reads it sends, and one curl prints what comes. */
function bridgeScript(socket: string, program: string): string {
  const curl = `"$curl" -q -sfN --noproxy '*' --unix-socket "$socket"`;
  return `#!/bin/sh
# Written by Countersign: an agent that works on a thread starts it as its server of tools, and it goes with that agent.
socket=${shellWord(socket)}
curl=${shellWord(program)}
${curl} "http://countersign/$$/out" &
reader=$!
trap 'kill "$reader" 2>/dev/null' EXIT
trap 'exit 0' TERM INT HUP
while IFS= read -r line; do
  printf '%s\\n' "$line" | ${curl} --data-binary @- "http://countersign/$$/in" || exit 1
done
`;
}
