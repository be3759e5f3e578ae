/** Names an MCP tool so that it can never stand in for a built-in one, and so that every provider accepts it. */
import { createHash } from "node:crypto";
import { serversToolPrefix } from "../../../shared/tools/tools.ts";

/** The shortest limit among the model providers. */
const maxNameChars = 64;

/** `mcp__<server>__<tool>`; what no provider accepts in a name is replaced, and a hash keeps changed names apart. */
export function mcpToolName(server: string, tool: string): string {
  const plain = `${serversToolPrefix}${server}__${tool}`;
  if (plain.length <= maxNameChars && /^[\w-]+$/.test(plain)) return plain;
  const mark = `_${createHash("sha256").update(plain).digest("hex").slice(0, 8)}`;
  return plain.replaceAll(/[^\w-]/g, "_").slice(0, maxNameChars - mark.length) + mark;
}
