/** Agents written as projects for LangGraph servers, onto a real disk; `real-server.servers.test.ts` runs one. */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { agentSchema } from "../../../shared/contract/agents.ts";
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
  const project = toProject(agent, model);
  writeProject(join(place, "p"), project);
  expect(readdirSync(join(place, "p")).sort()).toEqual(project.files.map(({ name }) => name).sort());
  expect(read(".env")).toContain("MODEL=anthropic:claude\n# ANTHROPIC_API_KEY=\n");
  expect(JSON.parse(read("langgraph.json")).graphs).toEqual({ careful: "./agent.mjs:graph" });
  for (const folder of [join(place, "p"), join(place, "no", "p"), "p"])
    expect(() => writeProject(folder, project)).toThrow(ProjectFolderError);
});

it("never turns a rule that takes no yes into one that does", () => {
  writeProject(join(place, "p"), toProject(agent, model));
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
    subAgents: [sub("here", local), sub("there", { provider: "openai", model: "gpt" })],
  });
  const { lost, files } = toProject(withSubs, local);
  const text = (name: string, all = files) => all.find((one) => one.name === name)!.text;
  const modelsIn = (all = files) =>
    JSON.parse(text("agent.json", all)).subAgents.map((one: { model?: string }) => one.model);
  expect(modelsIn()).toEqual(["openai:m", undefined]);
  expect(text(".env")).toContain("OPENAI_BASE_URL=http://localhost:1234/v1\n");
  expect(lost.join("\n")).toContain("The models of there:");
  expect(modelsIn(toProject(withSubs, model).files)).toEqual([undefined, "openai:gpt"]);
  const secret = { ...local, model: "m\nEVIL=1", baseUrl: "https://me:secret@llm.example/v1?key=secret" };
  const hostile = toProject(agent, secret);
  expect(JSON.stringify(hostile)).not.toMatch(/secret|EVIL/);
  expect(hostile.lost.join("\n")).toMatch(/hold a password.*\n.*Names of models/);
});

it("says all that does not come along", () => {
  const { lost } = toProject(agent, { provider: "demo", model: "demo" });
  for (const part of ["The gate", "execute", "files", "Respond", "schema", "demo model", "AGENTS.md"])
    expect(lost.join("\n")).toContain(part);
  expect(toProject({ ...agent, tools: undefined, mcpServers: [], interruptOn: {} }, model).lost).toHaveLength(
    4,
  );
});
