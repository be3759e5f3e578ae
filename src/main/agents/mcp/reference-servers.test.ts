import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { McpConnections } from "./mcp-connections.ts";
import { address, callNamed, callTool, connectMcp, findTool, program } from "./testing/open-connections.ts";
import {
  type EverythingServer,
  everythingPath,
  filesystemPath,
  freePort,
  startEverything,
} from "./testing/reference-servers.ts";

describe("the reference servers over standard input and output", () => {
  let folder: string;
  let connections: McpConnections;
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "countersign-mcp-")));
    connections = connectMcp([
      program("everything", [everythingPath]),
      program("files", [filesystemPath, folder]),
    ]);
  });
  afterAll(async () => {
    await connections.close();
    await rm(folder, { recursive: true });
  });

  it("reads and writes real files through server-filesystem", async () => {
    await writeFile(join(folder, "a.txt"), "from disk");
    expect(await callNamed(connections, "files", "read_text_file", { path: join(folder, "a.txt") })).toBe(
      "from disk",
    );
    await expect(
      callNamed(connections, "files", "read_text_file", { path: "/etc/hostname" }),
    ).rejects.toThrow(/Access denied/);
  });

  it("lists the tools of server-everything by names no built-in tool has, and calls them", async () => {
    const { tools, problems } = await connections.toolsOf(["everything"]);
    expect(problems).toEqual([]);
    expect(tools.length).toBeGreaterThan(5);
    expect(tools.every((tool) => tool.name.startsWith("mcp__everything__"))).toBe(true);
    expect(await callNamed(connections, "everything", "echo", { message: "hello" })).toBe("Echo: hello");
    expect(await callNamed(connections, "everything", "get-sum", { a: 2, b: 40 })).toContain("42");
  });

  it("turns images and resources into notes a model can read", async () => {
    const image = await callNamed(connections, "everything", "get-tiny-image");
    expect(image).toMatch(/\[an image \(image\/png, \d+ KB\), which cannot be shown here\]/);
    const resource = await callNamed(connections, "everything", "get-resource-reference", {
      resourceType: "Text",
      resourceId: 1,
    });
    expect(resource).toMatch(/\[the resource demo:\/\/resource\/dynamic\/text\/1\]\n/);
  });

  it("refuses arguments that do not fit the tool before anything is sent", async () => {
    await expect(callNamed(connections, "everything", "get-sum", { a: "two" })).rejects.toThrow(/schema/);
  });
});

describe("the reference server over HTTP", () => {
  let server: EverythingServer;
  let connections: McpConnections;

  afterEach(async () => {
    await server.kill();
    await connections.close();
  });

  it("is used over streamable HTTP, and again after it was restarted and lost the session", async () => {
    const port = await freePort();
    server = await startEverything("streamableHttp", port);
    connections = connectMcp([address("remote", `http://127.0.0.1:${port}/mcp`)]);
    const echo = await findTool(connections, "remote", "echo");
    expect(await callTool(echo, { message: "one" })).toBe("Echo: one");
    await server.kill();
    await expect(callTool(echo, { message: "two" })).rejects.toThrow(/MCP server remote/);
    server = await startEverything("streamableHttp", port);
    expect(await callTool(echo, { message: "three" })).toBe("Echo: three");
  });

  it("fails a call at once when the server dies in the middle of it, and works again when it is back", async () => {
    const port = await freePort();
    server = await startEverything("streamableHttp", port);
    const remote = address("remote", `http://127.0.0.1:${port}/mcp`);
    connections = connectMcp([remote]);
    const slow = await findTool(connections, "remote", "trigger-long-running-operation");
    // The handshake takes two requests and the list of tools one; the next is the call.
    await server.said("POST", 3);
    const lost = expect(callTool(slow, { duration: 600, steps: 1 })).rejects.toThrow(
      /MCP server remote at .* went away while it worked on this call, so whether it finished is unknown\. Check that it runs/,
    );
    await server.said("POST");
    await server.kill();
    await lost;
    expect(connections.stateOf(remote)).toMatchObject({
      connected: false,
      problem: expect.stringContaining("remote"),
    });
    server = await startEverything("streamableHttp", port);
    expect(await callNamed(connections, "remote", "echo", { message: "back" })).toBe("Echo: back");
    const { connected, problem } = connections.stateOf(remote);
    expect({ connected, problem }).toEqual({ connected: true, problem: undefined });
  });

  it("falls back to the event stream of an older server", async () => {
    const port = await freePort();
    server = await startEverything("sse", port);
    connections = connectMcp([address("older", `http://127.0.0.1:${port}/sse`)]);
    expect(await callNamed(connections, "older", "echo", { message: "old" })).toBe("Echo: old");
  });

  it("says that nothing is there when the path or the port is wrong", async () => {
    const port = await freePort();
    server = await startEverything("streamableHttp", port);
    connections = connectMcp([]);
    const wrongPath = await connections.test(address("a", `http://127.0.0.1:${port}/nowhere`));
    expect(wrongPath.problem).toContain("answered with HTTP 404, so there is no MCP server at");
    await server.kill();
    const wrongPort = await connections.test(address("b", `http://127.0.0.1:${port}/mcp`));
    expect(wrongPort.problem).toContain(`nothing listens at http://127.0.0.1:${port}/mcp`);
  });
});
