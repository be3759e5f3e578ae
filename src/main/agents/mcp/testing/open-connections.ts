/** What the tests of this folder share: servers to connect to, and calls made the way an agent makes them. */
import { join } from "node:path";
import { ToolMessage } from "@langchain/core/messages";
import type { StructuredTool } from "@langchain/core/tools";
import { type McpServer, mcpServerSchema } from "../../../../shared/contract/agents.ts";
import { createMcpConnections, type McpConnections, type McpConnectionsOptions } from "../mcp-connections.ts";

export const testServerPath = join(import.meta.dirname, "plain-server.ts");

/** A server that is a Node program. */
export function program(name: string, args: string[], env: Record<string, string> = {}): McpServer {
  return mcpServerSchema.parse({ transport: "stdio", name, command: process.execPath, args, env });
}

export function address(name: string, url: string): McpServer {
  return mcpServerSchema.parse({ transport: "http", name, url });
}

/** Connections whose programs see PATH and what is configured for them. */
export function connectMcp(
  servers: McpServer[],
  options: Partial<McpConnectionsOptions> = {},
): McpConnections {
  return createMcpConnections({
    servers: () => servers,
    environment: ({ env }) => ({ PATH: process.env.PATH ?? "", ...env }),
    cwd: import.meta.dirname,
    ...options,
  });
}

/** Calls a tool as an agent does. @returns the text of its message; rejects where the gate would write an error message. */
export async function callTool(
  tool: StructuredTool,
  args: object = {},
  signal?: AbortSignal,
): Promise<string> {
  const message: unknown = await tool.invoke(
    { type: "tool_call", id: "c1", name: tool.name, args },
    { signal },
  );
  if (!ToolMessage.isInstance(message)) throw new Error("A tool answers with a message.");
  return message.text;
}

/** Finds a tool of a server and calls it. */
export async function callNamed(
  connections: McpConnections,
  server: string,
  name: string,
  args: object = {},
) {
  return callTool(await findTool(connections, server, name), args);
}

export async function findTool(connections: McpConnections, server: string, name: string) {
  const { tools, problems } = await connections.toolsOf([server]);
  const tool = tools.find((one) => one.name === `mcp__${server}__${name}`);
  if (!tool) throw new Error(`No tool ${name}: ${JSON.stringify(problems)}`);
  return tool;
}
