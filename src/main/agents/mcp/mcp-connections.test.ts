import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { McpServer } from "../../../shared/contract/agents.ts";
import type { McpConnections, McpConnectionsOptions } from "./mcp-connections.ts";
import { startBreakingServer } from "./testing/breaking-server.ts";
import { startEndlessServer } from "./testing/endless-server.ts";
import {
  address,
  callNamed,
  callTool,
  connectMcp,
  findTool,
  program,
  testServerPath,
} from "./testing/open-connections.ts";
import { startSessionServer } from "./testing/session-server.ts";

const used: McpConnections[] = [];
afterEach(async () => {
  await Promise.all(used.splice(0).map((one) => one.close()));
});

function connect(servers: McpServer[], options: Partial<McpConnectionsOptions> = {}): McpConnections {
  const connections = connectMcp(servers, options);
  used.push(connections);
  return connections;
}

const testServer = (env: Record<string, string> = {}) => program("test", [testServerPath], env);
const broken = (script: string) => program("broken", ["-e", script]);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function untilGone(pid: number): Promise<void> {
  await expect.poll(() => isAlive(pid), { interval: 20 }).toBe(false);
}

describe("a server that is not well", () => {
  it("explains a program that is not there, and does not take the other servers' tools away", async () => {
    const missing = { ...program("missing", []), command: "no-such-program-here" } as McpServer;
    const { tools, problems } = await connect([missing, testServer()]).toolsOf(["missing", "test"]);
    expect(tools.length).toBeGreaterThan(0);
    expect(problems).toEqual([
      {
        server: "missing",
        message: expect.stringMatching(/the program no-such-program-here .* was not found/),
      },
    ]);
  });

  it("quotes what a program wrote before it ended", async () => {
    const { problem } = await connect([]).test(broken("console.error('set API_URL first'); process.exit(1)"));
    expect(problem).toMatch(/ended before it answered.*set API_URL first/);
  });

  it("gives up on a program that never answers, and leaves it not running", async () => {
    const connections = connect([], { startTimeoutMs: 300 });
    const script =
      "console.error('pid=' + process.pid); process.on('SIGTERM', () => process.exit()); setInterval(() => {}, 1000)";
    const { problem } = await connections.test(broken(script));
    expect(problem).toContain("did not answer within 0.3 seconds");
    await untilGone(Number(/pid=(\d+)/.exec(problem ?? "")?.[1]));
  });

  it("ends a program that is still starting when the host closes", async () => {
    const folder = await mkdtemp(join(tmpdir(), "countersign-mcp-"));
    const file = join(folder, "pid");
    const script = `require("node:fs").writeFileSync(${JSON.stringify(file)}, String(process.pid)); process.stdin.on("end", () => process.exit()).resume()`;
    const connections = connect([broken(script)]);
    const starting = connections.toolsOf(["broken"]);
    await expect.poll(() => readFile(file, "utf8").catch(() => "")).not.toBe("");
    await connections.close();
    expect(isAlive(Number(await readFile(file, "utf8")))).toBe(false);
    expect((await starting).problems).toHaveLength(1);
    await rm(folder, { recursive: true });
  });

  it("tells the model when the server dies under a call, and starts it again at the next one", async () => {
    const connections = connect([testServer()]);
    const pid = await findTool(connections, "test", "pid");
    const die = await findTool(connections, "test", "die");
    const first = await callTool(pid);
    await expect(callTool(die)).rejects.toThrow(
      /ended while it worked on this call, so whether it finished is unknown.*out of paper/,
    );
    const second = await callTool(pid);
    expect(second).not.toBe(first);
    process.kill(Number(second), "SIGKILL");
    await untilGone(Number(second));
    expect(await callTool(pid)).toMatch(/^\d+$/);
  });

  it("does not wait for an answer that broke off in the middle with its server", async () => {
    const url = await startBreakingServer();
    const connections = connect([address("breaking", url)]);
    await expect(callNamed(connections, "breaking", "work")).rejects.toThrow(
      `The MCP server breaking at ${url} went away while it worked on this call, so whether it finished is unknown. Check that it runs; the next call connects again.`,
    );
    const { connected, problem } = connections.stateOf(address("breaking", url));
    expect({ connected, problem }).toEqual({ connected: false, problem: expect.stringContaining(url) });
  });

  it.each(["application/json", "text/event-stream"])(
    "reads no more than 10 MB of a result in %s that does not end",
    async (type) => {
      const { url, sent } = await startEndlessServer(type);
      await expect(callNamed(connect([address("endless", url)]), "endless", "talk")).rejects.toThrow(
        /more than 10 MB in one message|went away while it worked/,
      );
      expect(sent()).toBeLessThan(40 * 1024 * 1024);
    },
  );

  it.each([302, 307, 308])("asks nothing of another address that it is sent to with %i", async (status) => {
    const elsewhere = await startSessionServer("Keeps a note.");
    const asked: string[] = [];
    const sending = createServer((request, response) => {
      asked.push(request.method ?? "");
      response.writeHead(status, { location: elsewhere.url }).end();
    });
    sending.listen(0, "127.0.0.1");
    await once(sending, "listening");
    const { port } = sending.address() as AddressInfo;
    const server = { ...address("moved", `http://127.0.0.1:${port}/mcp`), headers: { "X-Key": "secret-1" } };
    const { problem, tools } = await connect([]).test(server as McpServer);
    expect([tools, elsewhere.requests()]).toEqual([[], 0]);
    expect(problem).toMatch(/^The MCP server moved .*(?:address|HTTP 30)/);
    expect(problem).not.toContain("secret-1");
    expect(asked).toContain("POST");
    sending.close().closeAllConnections();
    elsewhere.close();
  });

  it.each([
    ["at once", (stop: () => void) => stop()],
    ["while it works", (stop: () => void) => void setImmediate(stop)],
  ])("stops waiting for a call stopped %s, and does not take that for an answer", async (_when, act) => {
    const connections = connect([testServer()]);
    for (const why of ["You stopped the turn.", "the thread is being deleted"]) {
      const stopper = new AbortController();
      const waiting = callTool(await findTool(connections, "test", "wait"), {}, stopper.signal);
      act(() => stopper.abort(new Error(why)));
      const said = await waiting.then(String, String);
      expect(said).toContain(why);
      expect(said).not.toContain("answered");
    }
    expect(await callNamed(connections, "test", "pid")).toMatch(/^\d+$/);
  });

  it("gives up on a call that stays silent too long", async () => {
    const connections = connect([testServer()], { callTimeoutMs: 200 });
    await expect(callNamed(connections, "test", "wait")).rejects.toThrow(/timed out/i);
  });
});

describe("what reaches a server and what comes back", () => {
  it("shows a program nothing of the host's environment but what it is given", async () => {
    process.env.COUNTERSIGN_TEST_SECRET = "hidden";
    try {
      const server = testServer({ PRINTER_KEY: "paper-key" });
      const seen = JSON.parse(await callNamed(connect([server]), "test", "environment"));
      expect(seen).toMatchObject({ PRINTER_KEY: "paper-key" });
      expect(seen).not.toHaveProperty("COUNTERSIGN_TEST_SECRET");
    } finally {
      delete process.env.COUNTERSIGN_TEST_SECRET;
    }
  });

  it("keeps configured secrets out of the words it quotes", async () => {
    const server = testServer({ PRINTER_KEY: "paper-key" });
    await expect(callNamed(connect([server]), "test", "die")).rejects.toThrow(/out of paper, •••/);
  });

  it("does not start a program whose environment is refused", async () => {
    const environment = () => {
      throw new Error("The variable NODE_OPTIONS can make other programs run code.");
    };
    const { problem } = await connect([], { environment }).test(testServer());
    expect(problem).toContain("NODE_OPTIONS");
  });

  it("cuts a result above 100 KB between two characters and says how much is missing", async () => {
    const connections = connect([testServer()]);
    const text = await callNamed(connections, "test", "talk", { size: 150 * 1024 });
    expect(Buffer.byteLength(text)).toBeLessThan(101 * 1024);
    expect(text).toMatch(/é\n\[cut here: 50 KB of this result are left out/);
    expect(await callNamed(connections, "test", "talk", { size: 100 * 1024 })).not.toContain("cut here");
  });

  it("gives tools with names that no provider accepts a name that all accept, and still calls the right one", async () => {
    const { tools } = await connect([testServer()]).toolsOf(["test"]);
    expect(tools.every((tool) => /^[\w-]{1,64}$/.test(tool.name))).toBe(true);
    expect(new Set(tools.map((tool) => tool.name)).size).toBe(tools.length);
    const spaced = tools.find((tool) => tool.name.startsWith("mcp__test__name_with"))!;
    expect(await callTool(spaced, {})).toBe(
      [
        "called name with spaces",
        "[a link to notes: file:///notes]",
        "[the resource file:///a.bin (image/gif, 6 bytes), which cannot be shown here]",
        "[a sound (audio/wav, 6 bytes), which cannot be played here]",
      ].join("\n"),
    );
  });
});

describe("the life of a connection", () => {
  it("starts a server once, when it is first needed, and ends it with the host", async () => {
    const connections = connect([testServer()]);
    const pids = await Promise.all([
      callNamed(connections, "test", "pid"),
      callNamed(connections, "test", "pid"),
    ]);
    expect(pids[0]).toBe(pids[1]);
    await connections.close();
    expect(isAlive(Number(pids[0]))).toBe(false);
  });

  it("uses the changed configuration at the next call, also for tools an agent already holds", async () => {
    const servers = [testServer()];
    const connections = connect([], { servers: () => servers });
    const pid = await findTool(connections, "test", "pid");
    const before = await callTool(pid, {});
    servers[0] = { ...servers[0], env: { CHANGED: "1" } } as McpServer;
    expect(await callTool(pid, {})).not.toBe(before);
    await untilGone(Number(before));
    servers[0] = { ...servers[0], enabled: false } as McpServer;
    await expect(callTool(pid, {})).rejects.toThrow(/is turned off/);
  });

  it("names the servers that are unknown or turned off", async () => {
    const off = { ...program("off", []), enabled: false } as McpServer;
    const { tools, problems } = await connect([off]).toolsOf(["off", "unknown"]);
    expect(tools).toEqual([]);
    expect(problems).toEqual([
      { server: "off", message: expect.stringContaining("turned off") },
      { server: "unknown", message: expect.stringContaining("no MCP server named unknown") },
    ]);
  });

  it("tests a server on its own, lists its tools by the names agents use, and leaves nothing running", async () => {
    const server = broken(
      `process.stderr.write("pid=" + process.pid); require("node:readline").createInterface(process.stdin).on("line", (line) => {
        const { id, method } = JSON.parse(line);
        const result = method === "initialize"
          ? { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: String(process.pid), version: "1" } }
          : { tools: [{ name: "pid-" + process.pid, description: "Says it", inputSchema: { type: "object" } }] };
        if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
      })`,
    );
    const { tools, problem } = await connect([]).test(server);
    expect(problem).toBeUndefined();
    expect(tools).toMatchObject([
      { name: expect.stringMatching(/^mcp__broken__pid-\d+$/), description: "Says it" },
    ]);
    expect(isAlive(Number(tools[0]!.name.split("-")[1]))).toBe(false);
  });
});

describe("what is known of a server without asking it", () => {
  const server = testServer();
  const name = "mcp__test__pid";

  it("is nothing before its first use, then that it is connected and its tools, then how it ended", async () => {
    const connections = connect([server]);
    expect(connections.stateOf(server)).toEqual({ connected: false, tools: [] });
    const pid = Number(await callNamed(connections, "test", "pid"));
    const { connected, tools, problem } = connections.stateOf(server);
    expect({ connected, problem }).toEqual({ connected: true, problem: undefined });
    expect(tools[0]).toMatchObject({ name, description: "" });
    process.kill(pid, "SIGKILL");
    await expect.poll(() => connections.stateOf(server).connected).toBe(false);
    expect(connections.stateOf(server)).toMatchObject({
      tools: [{ name }, ...tools.slice(1)],
      problem: "The MCP server test ended. It is started again when it is next needed.",
    });
    await callNamed(connections, "test", "pid");
    expect(connections.stateOf(server)).toEqual({ connected: true, tools });
  });

  it("is how its last test went, until its configuration changes", async () => {
    const connections = connect([server]);
    await connections.test(server);
    expect(connections.stateOf(server)).toMatchObject({
      connected: false,
      tools: [{ name }, ...Array(6).fill({})],
    });
    const other = testServer({ CHANGED: "1" });
    expect(connections.stateOf(other)).toEqual({ connected: false, tools: [] });
    const missing = { ...server, command: "no-such-program-here" } as McpServer;
    await connections.test(missing);
    expect(connections.stateOf(missing).problem).toContain("was not found");
  });

  it("is that it is not connected as soon as it was turned off or removed, and its program has ended", async () => {
    const servers = [server];
    const connections = connect([], { servers: () => servers });
    const pid = Number(await callNamed(connections, "test", "pid"));
    connections.endOutdated();
    expect(connections.stateOf(server).connected).toBe(true);
    servers[0] = { ...server, enabled: false } as McpServer;
    connections.endOutdated();
    expect(connections.stateOf(servers[0]).connected).toBe(false);
    await untilGone(pid);
  });
});
