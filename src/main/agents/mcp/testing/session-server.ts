/** Test double: an MCP server over HTTP that forgets its sessions, as one does that is deployed anew, and may be another one then. */
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";

const requestSchema = z.looseObject({ id: z.union([z.number(), z.string()]).optional(), method: z.string() });

export type SessionServer = {
  url: string;
  /** How often its tool was called. */
  calls(): number;
  /** How often anything was asked of it. */
  requests(): number;
  /** Knows no session of before, and describes its tool so from now on. */
  restart(description: string): void;
  close(): void;
};

/** @param description what it says of its one tool, `work`, at first. */
export async function startSessionServer(description: string): Promise<SessionServer> {
  let session = 1;
  let told = description;
  let calls = 0;
  let requests = 0;
  const results: Record<string, () => object> = {
    initialize: () => ({
      protocolVersion: "2025-06-18",
      capabilities: { tools: {} },
      serverInfo: { name: "sessions", version: "1" },
    }),
    "tools/list": () => ({
      tools: [{ name: "work", description: told, inputSchema: { type: "object" } }],
    }),
    "tools/call": () => {
      calls += 1;
      return { content: [{ type: "text", text: "done" }] };
    },
  };
  const server = createServer(async (request, response) => {
    requests += 1;
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method } = requestSchema.parse(JSON.parse(await text(request)));
    const known = request.headers["mcp-session-id"] === String(session);
    if (method !== "initialize" && !known) return void response.writeHead(404).end("no such session");
    if (id === undefined) return void response.writeHead(202).end();
    response.setHeader("mcp-session-id", String(session));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: results[method]?.() ?? {} }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const bound = server.address();
  if (typeof bound !== "object" || bound === null) throw new Error("no port");
  return {
    url: `http://127.0.0.1:${bound.port}/mcp`,
    calls: () => calls,
    requests: () => requests,
    restart(description) {
      session += 1;
      told = description;
    },
    close: () => void server.close().closeAllConnections(),
  };
}
