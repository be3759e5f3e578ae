/** Turns what an MCP tool gives back into text a model can read, never more of it than a message should hold. */
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";

const maxResultBytes = 100 * 1024;

/**
 * Text stays as it is; images, sounds and files become a note that names them; above 100 KB the rest is cut, with a
 * note that says how much is missing.
 */
export function toResultText(result: CallToolResult): string {
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
