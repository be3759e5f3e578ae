/** The program of an exported agent, as it stands in the project's `agent.mjs`: it builds what `agent.json` says. */

/** Reads no file but its own, and asks about every change of a file unless the agent's rules say otherwise. */
export const projectAgent = `/** An agent exported from Countersign. What it is stands in agent.json; this builds it for a LangGraph server. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ToolMessage } from "@langchain/core/messages";
import { CompositeBackend, createDeepAgent, FilesystemBackend, StateBackend } from "deepagents";
import { createMiddleware } from "langchain";

const agent = JSON.parse(readFileSync(new URL("./agent.json", import.meta.url), "utf8"));
/** MODEL is "provider:model"; MODEL_MODULE is a file of your own that exports \`model\`. */
const { MODEL, MODEL_MODULE } = process.env;
const model = MODEL_MODULE ? (await import(new URL(MODEL_MODULE, import.meta.url).href)).model : MODEL;
if (!model) throw new Error("Set MODEL in .env, such as MODEL=anthropic:claude-sonnet-4-5");

const textOf = (value) => (typeof value === "string" ? value : JSON.stringify(value ?? null));

function holds({ matches, equals, not = false }, value) {
  const fits = matches === undefined || new RegExp(matches, "u").test(textOf(value));
  const same = equals === undefined || JSON.stringify(value) === JSON.stringify(equals);
  return (fits && same) !== not;
}

function toRule(rule) {
  if (typeof rule === "boolean") return rule;
  const { allowedDecisions, description, when } = rule;
  return {
    allowedDecisions,
    ...(description && {
      description: ({ args }) =>
        description.replaceAll(/\\{(\\w+)\\}/g, (whole, name) => (args[name] === undefined ? whole : textOf(args[name]))),
    }),
    ...(when && {
      when: ({ toolCall }) =>
        Object.entries(when.args).every(([name, condition]) => holds(condition, toolCall.args[name])),
    }),
  };
}

const toRules = (rules = {}) =>
  Object.fromEntries(Object.entries(rules).map(([tool, rule]) => [tool, toRule(rule)]));

/** What Countersign's policy would judge is asked about here. */
const always = { write_file: true, edit_file: true, delete: true, execute: true };

/** The tools of the agent's MCP servers, by the names that they had in Countersign. */
async function toolsOf(name, { url, headers: variables }) {
  const { MultiServerMCPClient } = await import("@langchain/mcp-adapters");
  const named = Object.entries(variables).map(([header, variable]) => [header, process.env[variable]]);
  const missing = named.filter(([, value]) => !value).map(([header]) => variables[header]);
  if (missing.length > 0) return withoutServer(name, \`Set \${missing.join(", ")} in .env.\`);
  try {
    const client = new MultiServerMCPClient({
      mcpServers: { [name]: { url, headers: Object.fromEntries(named) } },
      prefixToolNameWithServerName: true,
      additionalToolNamePrefix: "mcp",
    });
    return (await client.getTools()).filter((tool) => /^[\\w-]{1,64}$/.test(tool.name));
  } catch (error) {
    return withoutServer(name, error.message);
  }
}

/** The others work on. */
function withoutServer(name, why) {
  console.error(\`The agent goes on without the MCP server \${name}: \${why}\`);
  return [];
}

const tools = (
  await Promise.all(Object.entries(agent.mcpServers).map(([name, server]) => toolsOf(name, server)))
).flat();
const interruptOn = {
  ...always,
  ...Object.fromEntries(tools.map(({ name }) => [name, true])),
  ...toRules(agent.interruptOn),
};

/** What you put into the folder context beside this file: AGENTS.md, and skills/NAME/SKILL.md. The agent reads it and writes none of it. */
const context = fileURLToPath(new URL("./context/", import.meta.url));
const has = (name) => existsSync(new URL(\`./context/\${name}\`, import.meta.url));
const skills = has("skills") ? ["/context/skills/"] : undefined;
const backend = (config) =>
  new CompositeBackend(new StateBackend(config), {
    "/context/": new FilesystemBackend({ rootDir: context, virtualMode: true }),
  });

/** An agent that was given some tools has no others here. */
const onlyTools = (names) =>
  createMiddleware({
    name: "OnlyTools",
    wrapModelCall: (request, handler) =>
      handler({ ...request, tools: request.tools.filter(({ name }) => names.includes(name)) }),
    wrapToolCall(request, handler) {
      const { id, name } = request.toolCall;
      if (names.includes(name)) return handler(request);
      return new ToolMessage({ content: \`There is no tool \${name}.\`, tool_call_id: id, name, status: "error" });
    },
  });
const within = (names) => (names ? [onlyTools(names)] : []);
/** No sub-agent has a tool that its agent does not have. */
const narrowed = (names) => (agent.tools && names ? names.filter((one) => agent.tools.includes(one)) : (names ?? agent.tools));

const general = {
  name: "general-purpose",
  description: "Does a self-contained piece of work with the same tools and reports back what it found or did.",
  prompt: "You do one task that another agent gives you, on your own, and answer with a complete report.",
};
const declared = agent.subAgents.some(({ name }) => name === general.name)
  ? agent.subAgents
  : [general, ...agent.subAgents];

export const graph = createDeepAgent({
  model,
  systemPrompt: agent.prompt,
  interruptOn,
  tools,
  ...(existsSync(context) && { backend, permissions: [{ operations: ["write"], paths: ["/context/**"], mode: "deny" }] }),
  ...(has("AGENTS.md") && { memory: ["/context/AGENTS.md"] }),
  ...(skills && { skills }),
  middleware: within(agent.tools),
  subagents: declared.map((sub) => ({
    name: sub.name,
    description: sub.description,
    systemPrompt: sub.prompt,
    ...(sub.model && { model: sub.model }),
    ...(skills && { skills }),
    interruptOn: { ...interruptOn, ...toRules(sub.interruptOn) },
    middleware: within(narrowed(sub.tools)),
  })),
});
`;
