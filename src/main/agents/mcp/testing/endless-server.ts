/** Test double: an MCP server over HTTP whose one tool gives a result without an end. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { z } from "zod";

const request = z.looseObject({ id: z.number().optional(), method: z.string() });
const results: Record<string, object> = {
  initialize: {
    protocolVersion: "2025-06-18",
    capabilities: { tools: {} },
    serverInfo: { name: "endless", version: "1" },
  },
  "tools/list": { tools: [{ name: "talk", inputSchema: { type: "object" } }] },
  ping: {},
};
const piece = Buffer.alloc(256 * 1024, "x");

/** @param type of the result; all else comes as JSON. @returns how many bytes of it were taken, too. */
export async function startEndlessServer(type: string): Promise<{ url: string; sent: () => number }> {
  let sent = 0;
  const server = createServer(async (incoming, response) => {
    if (incoming.method !== "POST") return void response.writeHead(405).end();
    const { id, method } = request.parse(JSON.parse(await text(incoming)));
    if (id === undefined) return void response.writeHead(202).end();
    if (method !== "tools/call") {
      response.setHeader("content-type", "application/json");
      return void response.end(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] ?? {} }));
    }
    response.setHeader("content-type", type);
    const open = `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`;
    response.write(type === "text/event-stream" ? `data: ${open}` : open);
    const more = () => {
      do sent += piece.length;
      while (response.write(piece));
    };
    response.on("drain", more);
    more();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, sent: () => sent };
}
