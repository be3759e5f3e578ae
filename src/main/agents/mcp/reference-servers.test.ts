import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { McpConnections } from "./mcp-connections.ts";
import {
  address,
  callNamed,
  callTool,
  connectMcp,
  everythingPath,
  filesystemPath,
  findTool,
  program,
} from "./mcp-fixture.ts";

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
  let server: ChildProcess;
  let connections: McpConnections;

  async function freePort(): Promise<number> {
    const probe = createServer().listen(0, "127.0.0.1");
    await once(probe, "listening");
    const bound = probe.address();
    probe.close();
    await once(probe, "close");
    if (typeof bound !== "object" || bound === null) throw new Error("no port");
    return bound.port;
  }

  async function listen(kind: "streamableHttp" | "sse", port: number): Promise<ChildProcess> {
    const env = { ...process.env, PORT: String(port) };
    const child = spawn(process.execPath, [everythingPath, kind], { env, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) stream.resume();
    await new Promise<void>((resolve, reject) => {
      for (const input of [child.stdout, child.stderr])
        createInterface({ input }).on("line", (line) => line.includes(String(port)) && resolve());
      child.once("exit", () => reject(new Error("the server did not start")));
    });
    return child;
  }

  async function stop(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  }

  afterEach(async () => {
    await stop(server);
    await connections.close();
  });

  it("is used over streamable HTTP, and again after it was restarted and lost the session", async () => {
    const port = await freePort();
    server = await listen("streamableHttp", port);
    connections = connectMcp([address("remote", `http://127.0.0.1:${port}/mcp`)]);
    const echo = await findTool(connections, "remote", "echo");
    expect(await callTool(echo, { message: "one" })).toBe("Echo: one");
    await stop(server);
    await expect(callTool(echo, { message: "two" })).rejects.toThrow(/MCP server remote/);
    server = await listen("streamableHttp", port);
    expect(await callTool(echo, { message: "three" })).toBe("Echo: three");
  });

  it("falls back to the event stream of an older server", async () => {
    const port = await freePort();
    server = await listen("sse", port);
    connections = connectMcp([address("older", `http://127.0.0.1:${port}/sse`)]);
    expect(await callNamed(connections, "older", "echo", { message: "old" })).toBe("Echo: old");
  });

  it("says that nothing is there when the path or the port is wrong", async () => {
    const port = await freePort();
    server = await listen("streamableHttp", port);
    connections = connectMcp([]);
    const wrongPath = await connections.test(address("a", `http://127.0.0.1:${port}/nowhere`));
    expect(wrongPath.problem).toContain("answered with HTTP 404, so there is no MCP server at");
    await stop(server);
    const wrongPort = await connections.test(address("b", `http://127.0.0.1:${port}/mcp`));
    expect(wrongPort.problem).toContain(`nothing listens at http://127.0.0.1:${port}/mcp`);
  });
});
