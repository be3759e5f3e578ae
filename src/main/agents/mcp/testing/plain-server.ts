/** Test double: a tiny MCP server whose tools die, hang, talk too much and show what they can see. */
import { createInterface } from "node:readline";
import { z } from "zod";

const requestSchema = z.looseObject({
  id: z.union([z.number(), z.string()]).optional(),
  method: z.string(),
  params: z
    .looseObject({
      name: z.string().optional(),
      arguments: z.looseObject({ size: z.number().optional() }).optional(),
    })
    .optional(),
});

const toolNames = ["pid", "environment", "die", "talk", "wait", "name with spaces", "x".repeat(80)];
const blob = Buffer.from("four").toString("base64");

function answer(name: string, size: number): Record<string, unknown> | undefined {
  const text = (value: string) => ({ content: [{ type: "text", text: value }] });
  if (name === "pid") return text(String(process.pid));
  if (name === "environment") return text(JSON.stringify(process.env));
  if (name === "talk") return text("é".repeat(size / 2));
  if (name === "wait") return undefined;
  if (name === "die") {
    console.error(`out of paper, ${process.env.PRINTER_KEY ?? "no key"}`);
    process.exit(3);
  }
  const link = { type: "resource_link", name: "notes", uri: "file:///notes" };
  const resource = { type: "resource", resource: { uri: "file:///a.bin", mimeType: "image/gif", blob } };
  const sound = { type: "audio", mimeType: "audio/wav", data: blob };
  return { content: [{ type: "text", text: `called ${name}` }, link, resource, sound] };
}

function respond(line: string): void {
  const { id, method, params } = requestSchema.parse(JSON.parse(line));
  const results: Record<string, () => Record<string, unknown> | undefined> = {
    initialize: () => ({
      protocolVersion: "2025-06-18",
      capabilities: { tools: {} },
      serverInfo: { name: "test", version: "1" },
    }),
    "tools/list": () => ({ tools: toolNames.map((name) => ({ name, inputSchema: { type: "object" } })) }),
    "tools/call": () => answer(params?.name ?? "", params?.arguments?.size ?? 0),
  };
  const result = results[method]?.();
  if (result) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
}

createInterface({ input: process.stdin }).on("line", respond);
