/** Makes LangChain tools of an MCP server's tools, with the words of what they give back; each call goes to the server as it is connected at that moment. */
import { createHash } from "node:crypto";
import type { StructuredTool } from "@langchain/core/tools";
import { loadMcpTools } from "@langchain/mcp-adapters";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { RequestOptions } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { CallToolResult, Tool } from "@modelcontextprotocol/sdk/types.js";
import { serversToolPrefix } from "../../../shared/tools/tools.ts";
import { currentExecution } from "../../gate/run-context.ts";
import { type ToolFace, toFace } from "../../gate/tool-face.ts";
import { McpServerError, shortMessageOf } from "./mcp-server-error.ts";
import type { ServerConnection } from "./server-connection.ts";

/** The two things the adapter asks of a client; ours outlives the connection behind it. */
type ToolSource = {
  listTools(): Promise<{ tools: Tool[] }>;
  callTool(
    params: { name: string; arguments?: Record<string, unknown> },
    schema: undefined,
    options?: RequestOptions,
  ): Promise<CallToolResult>;
};

/** The adapter hands on errors of this name as they are and puts its own words around all others. */
class ToolFailure extends Error {
  override name = "ToolException";
}

/**
 * @param connection asked at every call, so that a tool an agent holds survives a restart or a change of its server.
 * @throws McpServerError when the server cannot be started or its tools cannot be listed.
 */
export async function loadServerTools(
  server: string,
  connection: () => ServerConnection,
): Promise<StructuredTool[]> {
  const listed = await connection().listTools();
  const ownNames = new Map(listed.map((tool) => [mcpToolName(server, tool.name), tool.name]));
  // Of two with one name the first counts, as it does when the call is made.
  const offered = new Map(listed.toReversed().map((tool) => [mcpToolName(server, tool.name), toFace(tool)]));
  const source: ToolSource = {
    listTools: async () => ({
      tools: [...ownNames].flatMap(([name, ownName]) => {
        const tool = listed.find((one) => one.name === ownName);
        // The adapter writes into the schemas it is given.
        return tool ? [{ ...structuredClone(tool), name }] : [];
      }),
    }),
    async callTool({ name, arguments: args }, _schema, options) {
      const ownName = ownNames.get(name);
      if (ownName === undefined) throw new Error(`The MCP server ${server} has no tool ${name}.`);
      try {
        const confirm = (listed: readonly Tool[]) =>
          requireSameTool(server, ownName, offered.get(name), listed);
        const result = await connection().callTool(ownName, args, options ?? {}, confirm);
        return { isError: result.isError, content: [{ type: "text", text: toResultText(result) }] };
      } catch (cause) {
        throw new ToolFailure(shortMessageOf(cause), { cause });
      }
    },
  };
  // One tool with a schema nobody can use must not take the others away.
  const tools = await loadMcpTools(server, source as unknown as Client, { throwOnLoadError: false });
  for (const tool of tools) tool.metadata = { ...tool.metadata, face: offered.get(tool.name) };
  return tools;
}

/**
 * A server may be started again, or change its tools while it runs: under the same name there may be another tool.
 * @throws McpServerError, with the execution marked as stale, when the tool is not the one that was shown or offered.
 */
function requireSameTool(
  server: string,
  ownName: string,
  offered: ToolFace | undefined,
  listed: readonly Tool[],
): void {
  const execution = currentExecution();
  const tool = listed.find(({ name }) => name === ownName);
  if (!tool)
    throw new McpServerError(
      server,
      `The MCP server ${server} has no tool ${ownName} any more. Go on without it.`,
    );
  const now = toFace(tool);
  if (now.digest === (execution?.toolDigest ?? offered?.digest)) return;
  if (execution) Object.assign(execution, { stale: true, faceNow: now });
  throw new McpServerError(
    server,
    `The MCP server ${server} changed its tool ${ownName}, so it was not called.`,
  );
}

/** The shortest limit among the model providers. */
const maxNameChars = 64;

/** `mcp__<server>__<tool>`; what no provider accepts in a name is replaced, and a hash keeps changed names apart. */
export function mcpToolName(server: string, tool: string): string {
  const plain = `${serversToolPrefix}${server}__${tool}`;
  if (plain.length <= maxNameChars && /^[\w-]+$/.test(plain)) return plain;
  const mark = `_${createHash("sha256").update(plain).digest("hex").slice(0, 8)}`;
  return plain.replaceAll(/[^\w-]/g, "_").slice(0, maxNameChars - mark.length) + mark;
}

const maxResultBytes = 100 * 1024;

/**
 * Text stays as it is; images, sounds and files become a note that names them; above 100 KB the rest is cut, with a
 * note that says how much is missing.
 */
function toResultText(result: CallToolResult): string {
  const parts = result.content.map(describeBlock);
  if (parts.length === 0 && result.structuredContent) parts.push(JSON.stringify(result.structuredContent));
  return cutText(parts.join("\n"));
}

type Block = CallToolResult["content"][number];

function describeBlock(block: Block): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
      return `[an image (${block.mimeType}, ${sizeOf(block.data)}), which cannot be shown here]`;
    case "audio":
      return `[a sound (${block.mimeType}, ${sizeOf(block.data)}), which cannot be played here]`;
    case "resource_link":
      return `[a link to ${block.name}: ${block.uri}]`;
    case "resource": {
      const { resource } = block;
      if ("text" in resource) return `[the resource ${resource.uri}]\n${resource.text}`;
      const type = resource.mimeType ?? "of unknown type";
      return `[the resource ${resource.uri} (${type}, ${sizeOf(resource.blob)}), which cannot be shown here]`;
    }
  }
}

function sizeOf(base64: string): string {
  const bytes = Math.floor((base64.length * 3) / 4);
  return bytes < 1_024 ? `${bytes} bytes` : `${Math.round(bytes / 1_024)} KB`;
}

function cutText(text: string): string {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxResultBytes) return text;
  // Streaming keeps back a character that the cut went through.
  const head = new TextDecoder().decode(Buffer.from(text).subarray(0, maxResultBytes), { stream: true });
  const missing = Math.ceil((bytes - maxResultBytes) / 1_024);
  return `${head}\n[cut here: ${missing} KB of this result are left out. Ask the tool for less, for example a part or a filter.]`;
}
