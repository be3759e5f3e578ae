/** Agents written as projects for LangGraph servers, onto a real disk; `real-server.servers.test.ts` runs one. */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { agentSchema, type McpServer } from "../../../shared/contract/agents.ts";
import { toProject } from "./project.ts";
import { ProjectFolderError, writeProject } from "./write-project.ts";

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(realpathSync(tmpdir()), "countersign-project-"));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const model = { provider: "anthropic" as const, model: "claude" };
const agent = agentSchema.parse({
  id: "careful",
  name: "Careful",
  prompt: "You review.",
  tools: ["execute", "read_file"],
  mcpServers: ["files"],
  interruptOn: {
    read_file: { allowedDecisions: ["respond"], argsSchema: {}, when: { args: { path: { matches: "x" } } } },
    ls: { allowedDecisions: ["approve", "respond"] },
  },
});
const read = (name: string) => readFileSync(join(place, "p", name), "utf8");

it("is a folder of its own, with names of keys and never a key, and nothing is ever written over", () => {
  const project = toProject(agent, model, []);
  writeProject(join(place, "p"), project);
  expect(readdirSync(join(place, "p")).sort()).toEqual(project.files.map(({ name }) => name).sort());
  expect(read(".env")).toContain("MODEL=anthropic:claude\n# ANTHROPIC_API_KEY=\n");
  if (process.platform !== "win32") expect(statSync(join(place, "p", ".env")).mode & 0o777).toBe(0o600);
  expect(JSON.parse(read("langgraph.json")).graphs).toEqual({ careful: "./agent.mjs:graph" });
  for (const folder of [join(place, "p"), join(place, "no", "p"), "p"])
    expect(() => writeProject(folder, project)).toThrow(ProjectFolderError);
  const half = { files: [...project.files, { name: "no/such", text: "" }], lost: [] };
  expect(() => writeProject(join(place, "half"), half)).toThrow(ProjectFolderError);
  expect(readdirSync(place)).toEqual(["p"]);
});

it("names the very packages that were run on a real server, since others do not install beside each other", () => {
  const list = fileURLToPath(new URL("../servers/testing/real-server.json", import.meta.url));
  const ran: string[] = JSON.parse(readFileSync(list, "utf8"));
  writeProject(join(place, "p"), toProject(agent, model, []));
  const { dependencies } = JSON.parse(read("package.json"));
  const named = Object.entries(dependencies).map((one) => one.join("@"));
  const own = ["@langchain/anthropic@1.5.11", "@langchain/langgraph-cli@1.4.5"];
  // Its own program is started in another way there.
  expect(named.sort()).toEqual([...ran.filter((one) => !one.startsWith("@hono/")), ...own].sort());
});

it("never turns a rule that takes no yes into one that does", () => {
  writeProject(join(place, "p"), toProject(agent, model, []));
  const { interruptOn } = JSON.parse(read("agent.json"));
  expect([interruptOn.read_file.allowedDecisions, interruptOn.ls.allowedDecisions]).toEqual([
    ["reject"],
    ["approve"],
  ]);
});

it("writes no password of an address, no line of a model's name, and sends no sub-agent to another's address", () => {
  const local = { provider: "openai-compatible" as const, model: "m", baseUrl: "http://localhost:1234/v1" };
  const sub = (name: string, of: object) => ({ name, description: "d", prompt: "p", model: of });
  const withSubs = agentSchema.parse({
    ...agent,
    subAgents: [
      sub("here", local),
      sub("there", { provider: "openai", model: "gpt" }),
      sub("far", { provider: "anthropic", model: "claude" }),
    ],
  });
  const { lost, files } = toProject(withSubs, local, []);
  const text = (name: string, all = files) => all.find((one) => one.name === name)!.text;
  const modelsIn = (all = files) =>
    JSON.parse(text("agent.json", all)).subAgents.map((one: { model?: string }) => one.model);
  expect(modelsIn()).toEqual(["openai:m", undefined, "anthropic:claude"]);
  expect(text(".env")).toContain("OPENAI_BASE_URL=http://localhost:1234/v1\n");
  expect(lost.join("\n")).toContain("The models of there:");
  expect(modelsIn(toProject(withSubs, model, []).files)).toEqual([
    undefined,
    "openai:gpt",
    "anthropic:claude",
  ]);
  const secret = { ...local, model: "m\nEVIL=1", baseUrl: "https://me:secret@llm.example/v1?key=secret" };
  const hostile = toProject(agent, secret, []);
  expect(JSON.stringify(hostile)).not.toMatch(/secret|EVIL/);
  expect(hostile.lost.join("\n")).toMatch(/hold a password.*\n.*Names of models/);
});

it("takes MCP servers along by their addresses and the names of their keys, and says which stay", () => {
  const http = (name: string, url: string, headers = {}) =>
    ({ transport: "http", name, url, headers, enabled: name !== "off" }) as const;
  const servers: McpServer[] = [
    http("a", "https://mcp.example/a", { "B-C": "secret-1", b_c: "secret-2" }),
    http("a-b", "https://mcp.example/b", { C: "secret-3" }),
    http("near", "http://[::1]:3000/mcp"),
    http("off", "https://mcp.example/off"),
    http("inside", "https://me:secret-4@mcp.example/"),
    http("asked", "https://mcp.example/?key=secret-5"),
    {
      transport: "stdio",
      name: "program",
      command: "npx",
      args: ["secret-6"],
      env: { KEY: "secret-7" },
      enabled: true,
    },
  ];
  const names = [...servers.map(({ name }) => name), "nobody"];
  const tools = ["mcp__a__read", "mcp__program__run"];
  const project = toProject({ ...agent, tools, mcpServers: names }, model, servers);
  writeProject(join(place, "p"), project);
  expect(JSON.stringify(project)).not.toContain("secret-");
  const { mcpServers } = JSON.parse(read("agent.json"));
  expect(mcpServers).toEqual({
    a: { url: "https://mcp.example/a", headers: { "B-C": "MCP_A_B_C", b_c: "MCP_A_B_C_1" } },
    "a-b": { url: "https://mcp.example/b", headers: { C: "MCP_A_B_C_2" } },
    near: { url: "http://[::1]:3000/mcp", headers: {} },
  });
  expect(read(".env")).toContain("# MCP_A_B_C=\n# MCP_A_B_C_1=\n# MCP_A_B_C_2=\n");
  expect(JSON.parse(read("package.json")).dependencies).toHaveProperty("@langchain/mcp-adapters");
  const lost = project.lost.join("\n");
  for (const told of [
    "(off, inside, asked, program, nobody)",
    "servers near:",
    "are not there: mcp__program__run.",
  ])
    expect(lost).toContain(told);
});

it("says all that does not come along", () => {
  const { lost } = toProject(agent, { provider: "demo", model: "demo" }, []);
  for (const part of ["The gate", "execute", "files", "Respond", "schema", "demo model", "AGENTS.md"])
    expect(lost.join("\n")).toContain(part);
  expect(
    toProject({ ...agent, tools: undefined, mcpServers: [], interruptOn: {} }, model, []).lost,
  ).toHaveLength(4);
});
