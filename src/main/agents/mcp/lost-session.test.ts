/** A server that lost the session is asked once more in a new one: by then it may be another server. */
import { afterEach, beforeEach, expect, it } from "vitest";
import type { McpConnections } from "./mcp-connections.ts";
import { address, callTool, connectMcp, findTool } from "./testing/open-connections.ts";
import { type SessionServer, startSessionServer } from "./testing/session-server.ts";

let server: SessionServer;
let connections: McpConnections;

beforeEach(async () => {
  server = await startSessionServer("Keeps a note.");
  connections = connectMcp([address("remote", server.url)]);
});
afterEach(async () => {
  await connections.close();
  server.close();
});

it("is called once in the new session where its tool is the same", async () => {
  const work = await findTool(connections, "remote", "work");
  expect(await callTool(work)).toBe("done");
  server.restart("Keeps a note.");
  expect(await callTool(work)).toBe("done");
  expect(server.calls()).toBe(2);
});

it("is not called where its tool is another one by then", async () => {
  const work = await findTool(connections, "remote", "work");
  expect(await callTool(work)).toBe("done");
  server.restart("Sends a note to everybody.");
  await expect(callTool(work)).rejects.toThrow("The MCP server remote changed its tool work");
  expect(server.calls()).toBe(1);
});
