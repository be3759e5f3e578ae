import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { McpServer } from "../../shared/contract/agents.ts";
import type { AgentId, ThreadId } from "../../shared/ids.ts";
import { console, folders, withHost } from "../host/testing/host-fixture.ts";
import { isAlive } from "../shell/testing/open-shell.ts";
import { address, program, testServerPath } from "./mcp/testing/open-connections.ts";
import {
  type EverythingServer,
  everythingPath,
  filesystemPath,
  freePort,
  startEverything,
} from "./mcp/testing/reference-servers.ts";

withHost("test");

/** An agent that may use these servers, each set up as a person would. */
async function saveAgent(...servers: McpServer[]): Promise<AgentId> {
  for (const server of servers) await console.client.call("mcp.save", server);
  const id = "worker" as AgentId;
  const mcpServers = servers.map(({ name }) => name);
  await console.client.call("agents.save", { id, name: "Worker", prompt: "Work.", mcpServers });
  return id;
}

/** Sends a message and approves whatever it asks about. @returns what the agent said in the end. */
async function runApproved(threadId: ThreadId, text: string): Promise<string> {
  const { turnId } = await console.send(threadId, text);
  let ended = false;
  const end = console.untilTurnEnd(threadId, turnId).finally(() => {
    ended = true;
  });
  for (;;) {
    const asked = console.until(() => console.pending(threadId).length > 0, "it asks").catch(() => {});
    await Promise.race([end, asked]);
    if (ended) return console.lastWords(threadId);
    for (const one of console.pending(threadId)) await console.approve(one, 0);
  }
}

const call = (tool: string, args: object = {}) => `call ${tool} ${JSON.stringify(args)}`;

async function stateOf(name: string) {
  const { servers } = await console.client.call("mcp.list", {});
  return servers.find(({ server }) => server.name === name);
}

describe("a thread whose agent uses an MCP server", () => {
  it("asks before anything reaches the server, and a rejected call never does", async () => {
    const agentId = await saveAgent(program("files", [filesystemPath, folders.workspace]));
    const path = join(folders.workspace, "made.txt");
    const write = (content: string) => call("mcp__files__write_file", { path, content });
    const threadId = await console.start(write("no"), { agentId });
    const asked = await console.onePending(threadId);
    expect(asked).toMatchObject({ tool: "mcp__files__write_file", verdict: { verdict: "new" } });
    await console.decide(asked, { type: "reject", message: "not there" });
    await console.untilRest(threadId);
    await expect(readFile(path)).rejects.toThrow(/ENOENT/);
    expect(await console.lastWords(threadId)).toContain("not there");

    expect(await runApproved(threadId, write("yes"))).toContain("1 of 1 step worked");
    expect(await readFile(path, "utf8")).toBe("yes");
    const ledger = await console.ledger(threadId);
    expect(ledger.map(({ decision }) => decision.type)).toEqual(["reject", "approve"]);
  });

  it("runs a tool without asking only where its agent was told so", async () => {
    await console.client.call("mcp.save", program("everything", [everythingPath]));
    const id = "trusting" as AgentId;
    await console.client.call("agents.save", {
      id,
      name: "Trusting",
      prompt: "Work.",
      mcpServers: ["everything"],
      interruptOn: { mcp__everything__echo: false },
    });
    const threadId = await console.start(undefined, { agentId: id });
    await console.run(threadId, call("mcp__everything__echo", { message: "hello" }));
    expect(await console.lastWords(threadId)).toContain("Echo: hello");
  });

  it("hears which server died under a call and what to do, and reaches it again with the next call", async () => {
    const agentId = await saveAgent(program("test", [testServerPath]));
    const threadId = await console.start(undefined, { agentId });
    const words = await runApproved(threadId, `${call("mcp__test__die")}\n\n${call("mcp__test__pid")}`);
    expect(words).toContain("1 of 2 steps worked");
    const [died, pid] = await console.toolCalls(threadId);
    expect(died).toMatchObject({ outcome: "failed" });
    expect(died?.result).toMatch(
      /The MCP server test ended while it worked on this call, so whether it finished is unknown\. It is started again at the next call\. It wrote: out of paper/,
    );
    expect(pid).toMatchObject({ outcome: "ok", result: expect.stringMatching(/^\d+$/) });
    expect(await stateOf("test")).toMatchObject({ connected: true });
  });

  it("is told which server cannot be used, and works without its tools", async () => {
    const missing = { ...program("missing", []), command: "no-such-program-here" } as McpServer;
    const agentId = await saveAgent(missing);
    const threadId = await console.start(undefined, { agentId });
    await console.run(threadId, call("mcp__missing__echo"));
    expect(await console.lastWords(threadId)).toContain("there is no tool mcp__missing__echo here");
    const [notice] = await console.notices(threadId);
    expect(notice?.text).toMatch(/MCP server missing could not be started: .* was not found\. Install it/);
    expect((await stateOf("missing"))?.problem).toContain("was not found");
  });
});

describe("a thread whose agent uses an MCP server at an address", () => {
  let server: EverythingServer;
  afterEach(() => server.kill());

  it("fails a call when the server dies in the middle of it, and reaches it again when it is back", async () => {
    const port = await freePort();
    server = await startEverything("streamableHttp", port);
    const agentId = await saveAgent(address("remote", `http://127.0.0.1:${port}/mcp`));
    const threadId = await console.start(undefined, { agentId });
    expect(await runApproved(threadId, call("mcp__remote__echo", { message: "one" }))).toContain("Echo: one");
    expect(await stateOf("remote")).toMatchObject({ connected: true });

    const { turnId } = await console.send(
      threadId,
      call("mcp__remote__trigger-long-running-operation", { duration: 600, steps: 1 }),
    );
    const asked = await console.onePending(threadId);
    // Three requests each for the test when it was saved and for the agent, and one call so far; the next is the slow one.
    await server.said("POST", 7);
    await console.approve(asked, 0);
    await server.said("POST");
    await server.kill();
    await console.untilTurnEnd(threadId, turnId);
    const lost = (await console.toolCalls(threadId)).at(-1);
    expect(lost).toMatchObject({
      outcome: "failed",
      result: expect.stringMatching(/MCP server remote at http.* went away .* Check that it runs/),
    });
    expect(await stateOf("remote")).toMatchObject({
      connected: false,
      problem: expect.stringContaining("Check that it runs"),
    });

    server = await startEverything("streamableHttp", port);
    const words = await runApproved(threadId, call("mcp__remote__echo", { message: "two" }));
    expect(words).toContain("Echo: two");
    expect(await stateOf("remote")).toMatchObject({ connected: true });
  });
});

describe("the list of servers", () => {
  it("starts nothing, keeps what a test found out, and never carries a secret", async () => {
    const env = { PRINTER_KEY: "paper-key" };
    const config = program("test", [testServerPath], env);
    await writeFile(
      join(folders.dataDir, "mcp.json"),
      JSON.stringify({ mcpServers: { test: { command: process.execPath, args: [testServerPath], env } } }),
    );
    expect(await stateOf("test")).toMatchObject({ connected: false, tools: [] });
    const shown = { ...config, env: { PRINTER_KEY: "•••" } };
    const { tools } = await console.client.call("mcp.test", shown);
    expect(tools[0]?.name).toBe("mcp__test__pid");
    expect(await stateOf("test")).toEqual({ server: shown, connected: false, tools });
  });

  it("ends the program of a server that is turned off, and does not start it to say so", async () => {
    const config = program("test", [testServerPath]);
    const agentId = await saveAgent(config);
    const threadId = await console.start(undefined, { agentId });
    await runApproved(threadId, call("mcp__test__pid"));
    const pid = Number((await console.toolCalls(threadId))[0]?.result);
    await console.client.call("mcp.save", { ...config, enabled: false });
    expect(await stateOf("test")).toMatchObject({ connected: false });
    await expect.poll(() => isAlive(pid), { interval: 20 }).toBe(false);
  });

  it("says in which line of the file which field is wrong", async () => {
    const text = '{\n  "mcpServers": {\n    "bad": {\n      "command": 7\n    }\n  }\n}\n';
    await writeFile(join(folders.dataDir, "mcp.json"), text);
    const { servers, problems } = await console.client.call("mcp.list", {});
    expect(servers).toEqual([]);
    expect(problems).toMatchObject([{ line: 4, field: "mcpServers.bad.command" }]);
  });
});
