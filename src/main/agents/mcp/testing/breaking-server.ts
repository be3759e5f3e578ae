/** Test double: an MCP server over HTTP that begins to answer its one tool and is gone in the middle of the answer. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";

const requestSchema = z.looseObject({ id: z.union([z.number(), z.string()]).optional(), method: z.string() });

const results: Record<string, object> = {
  initialize: {
    protocolVersion: "2025-06-18",
    capabilities: { tools: {} },
    serverInfo: { name: "breaking", version: "1" },
  },
  "tools/list": { tools: [{ name: "work", inputSchema: { type: "object" } }] },
};

/** @returns the address it listens at until its tool is called. */
export async function startBreakingServer(): Promise<string> {
  const server = createServer(async (request, response) => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method } = requestSchema.parse(JSON.parse(await text(request)));
    if (method === "tools/call") return breakOff(response, () => server.close());
    if (id === undefined) return void response.writeHead(202).end();
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] ?? {} }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const bound = server.address();
  if (typeof bound !== "object" || bound === null) throw new Error("no port");
  return `http://127.0.0.1:${bound.port}/mcp`;
}

/** Nobody is listening any more when the other side notices that the answer has stopped. */
function breakOff(response: ServerResponse, stopListening: () => void): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(": working\n\n", () => {
    stopListening();
    response.socket?.destroySoon();
  });
}
