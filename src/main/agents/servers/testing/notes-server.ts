/** A real MCP server over HTTP for exported agents, with one tool that keeps notes for whoever has its key. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { z } from "zod";

/** What has to stand in the header `authorization`. */
export const notesKey = "Bearer notes-key-1234";

export class NotesServer {
  readonly notes: string[] = [];
  readonly #server: Server = createServer((request, response) => void this.#serve(request, response));

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`;
  }

  async start(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.headers.authorization !== notesKey) {
      response.writeHead(401).end();
      return;
    }
    const transport = new StreamableHTTPServerTransport();
    await this.#describe().connect(transport as Transport);
    await transport.handleRequest(request, response);
  }

  #describe(): McpServer {
    const server = new McpServer({ name: "notes", version: "1" });
    server.registerTool(
      "note",
      { description: "Keeps a note", inputSchema: { text: z.string() } },
      ({ text }) => {
        this.notes.push(text);
        return { content: [{ type: "text", text: `noted ${text}` }] };
      },
    );
    return server;
  }
}
