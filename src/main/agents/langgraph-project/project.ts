/** An agent of this console as a LangGraph project: the files that a server loads as they are, and all that does not come along. */
import type { Agent, InterruptOn, McpServer } from "../../../shared/contract/agents.ts";
import type { ModelRef, ProviderId } from "../../../shared/contract/models.ts";
import type { ToolName } from "../../../shared/tools/tools.ts";
import { projectAgent } from "./project-agent.ts";
import { isToolOf, type ProjectServers, toProjectServers } from "./project-servers.ts";

export type Project = {
  files: { name: string; text: string }[];
  /** What the agent loses with this console, each in a sentence. */
  lost: string[];
};

/** They were run together, and others that fit by their own word do not install; each server installs exactly these. */
const packages = {
  "@langchain/core": "1.2.13",
  "@langchain/langgraph": "1.4.13",
  "@langchain/langgraph-api": "1.4.5",
  "@langchain/langgraph-checkpoint": "1.1.5",
  "@langchain/langgraph-cli": "1.4.5",
  "@langchain/langgraph-sdk": "1.10.2",
  deepagents: "1.14.1",
  langchain: "1.5.14",
  langsmith: "0.7.17",
  typescript: "5.9.3",
  zod: "4.6.7",
};
const adapterPackages = { "@langchain/mcp-adapters": "1.1.4" };

/** How LangChain names a provider, its package, and where it looks for the key. */
const providers: Record<
  Exclude<ProviderId, "demo">,
  { name: string; package: string; version: string; key?: string }
> = {
  anthropic: {
    name: "anthropic",
    package: "@langchain/anthropic",
    version: "1.5.11",
    key: "ANTHROPIC_API_KEY",
  },
  openai: { name: "openai", package: "@langchain/openai", version: "1.6.0", key: "OPENAI_API_KEY" },
  google: {
    name: "google-genai",
    package: "@langchain/google-genai",
    version: "2.3.2",
    key: "GOOGLE_API_KEY",
  },
  ollama: { name: "ollama", package: "@langchain/ollama", version: "1.3.0" },
  "openai-compatible": {
    name: "openai",
    package: "@langchain/openai",
    version: "1.6.0",
    key: "OPENAI_API_KEY",
  },
};

/** What an agent of Deep Agents has on a server, where its files are part of the thread. */
const isThere: Record<ToolName, boolean> = {
  ls: true,
  read_file: true,
  write_file: true,
  edit_file: true,
  glob: true,
  grep: true,
  task: true,
  write_todos: true,
  delete: false,
  move_file: false,
  execute: false,
  fetch_url: false,
  web_search: false,
  ask_human: false,
};
const toolsThere = new Set<string>(Object.keys(isThere).filter((name) => isThere[name as ToolName]));

/**
 * @param model what it works with where the agent itself names none
 * @param servers what is set up here. Keys stay here: their names alone are written
 */
export function toProject(agent: Agent, model: ModelRef, servers: readonly McpServer[]): Project {
  const mcp = toProjectServers(agent.mcpServers, servers);
  const own = agent.model ?? model;
  const subAgents = agent.subAgents.map((sub) => ({ ...sub, model: placedAs(own, sub.model) }));
  const models = [own, ...subAgents.flatMap((sub) => sub.model ?? [])];
  const used = models.flatMap(({ provider }) => (provider === "demo" ? [] : providers[provider]));
  const installed = Object.fromEntries(used.map(({ package: name, version }) => [name, version]));
  const manifest = {
    name: agent.id,
    private: true,
    type: "module",
    scripts: { start: "langgraphjs dev --no-browser" },
    dependencies: { ...packages, ...(agent.mcpServers.length > 0 && adapterPackages), ...installed },
  };
  const described = {
    node_version: "24",
    dependencies: ["."],
    graphs: { [agent.id]: "./agent.mjs:graph" },
    env: ".env",
  };
  return {
    files: [
      { name: "langgraph.json", text: toJson(described) },
      { name: "package.json", text: toJson(manifest) },
      {
        name: "agent.json",
        text: toJson({ ...toAgentFile({ ...agent, subAgents }), mcpServers: mcp.byName }),
      },
      { name: "agent.mjs", text: projectAgent },
      { name: ".env", text: toEnvironment(own, [...used.flatMap(({ key }) => key ?? []), ...mcp.variables]) },
      { name: ".gitignore", text: ".env\nnode_modules/\n.langgraph_api/\n" },
    ],
    lost: lostWith(agent, models, mcp),
  };
}

const toJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** What is read as it stands by whatever reads the file, and by whoever looks at it. */
const plain = /^[\w./:@+~-]+$/;

const nameOf = ({ provider, model }: ModelRef) =>
  provider === "demo" || !plain.test(model) ? undefined : `${providers[provider].name}:${model}`;

/** Names alone: who is let in by an address stands in it, too. */
function addressOf({ baseUrl }: ModelRef): string | undefined {
  const url = URL.parse(baseUrl ?? "");
  const isPlain = url && !url.username && !url.password && !url.search && !url.hash && plain.test(url.href);
  return isPlain ? url.href : undefined;
}

const takesAddress = ({ provider }: ModelRef) => provider === "openai" || provider === "openai-compatible";

/**
 * All that speak as OpenAI does have one address and one key there: a model of another address would get the conversation
 * and the key of this one.
 * @returns nothing where the sub-agent has to work with its agent's model
 */
function placedAs(own: ModelRef, model: ModelRef | undefined): ModelRef | undefined {
  if (model === undefined || !takesAddress(model)) return model;
  const isElsewhere = takesAddress(own) ? model.baseUrl !== own.baseUrl : model.baseUrl !== undefined;
  const isNowhere = model.provider === "openai-compatible" && model.baseUrl === undefined;
  return isElsewhere || isNowhere ? undefined : model;
}

function toAgentFile({ prompt, tools, subAgents, interruptOn }: Agent) {
  return {
    prompt,
    tools,
    interruptOn: toRules(interruptOn),
    subAgents: subAgents.map((sub) => ({
      name: sub.name,
      description: sub.description,
      prompt: sub.prompt,
      model: sub.model && nameOf(sub.model),
      tools: sub.tools,
      interruptOn: sub.interruptOn && toRules(sub.interruptOn),
    })),
  };
}

/** A rule that leaves nothing but an answer of a person leaves the no: a yes was never among it. */
function toRules(interruptOn: InterruptOn) {
  return Object.fromEntries(
    Object.entries(interruptOn).map(([tool, rule]) => {
      if (typeof rule === "boolean") return [tool, rule];
      const there = rule.allowedDecisions.filter((decision) => decision !== "respond");
      const { description, when } = rule;
      return [tool, { allowedDecisions: there.length > 0 ? there : ["reject"], description, when }];
    }),
  );
}

/** @param keys the names of the variables that hold one */
function toEnvironment(model: ModelRef, keys: readonly string[]): string {
  const name = nameOf(model);
  return [
    "# What the agent thinks with; its keys were not written here.",
    name === undefined ? "# MODEL=anthropic:…" : `MODEL=${name}`,
    ...[...new Set(keys)].map((key) => `# ${key}=`),
    ...(takesAddress(model) && model.baseUrl !== undefined
      ? [addressOf(model) === undefined ? "# OPENAI_BASE_URL=" : `OPENAI_BASE_URL=${addressOf(model)}`]
      : []),
    "",
  ].join("\n");
}

function lostWith(agent: Agent, models: readonly ModelRef[], mcp: ProjectServers): string[] {
  const { tools, subAgents } = agent;
  const lists = [tools, ...subAgents.map((sub) => sub.tools)];
  const missing = [...new Set(lists.flatMap((list) => list ?? []))].filter(
    (name) => !toolsThere.has(name) && !isToolOf(mcp, name),
  );
  const rules = [agent.interruptOn, ...subAgents.map((sub) => sub.interruptOn ?? {})]
    .flatMap((all) => Object.values(all))
    .filter((rule) => typeof rule === "object");
  const withAddress = models.some((one) => one.baseUrl && (!takesAddress(one) || !addressOf(one)));
  const moved = subAgents.filter(({ model }) => model !== placedAs(models[0]!, model));
  return [
    "The gate: policy, rules, auto-approve, exactly-once effects, undo and the record of effects. There the agent's own middleware asks, and what it does is not seen here.",
    "Commands, the web, moving and deleting files, and questions to you: the server has no shell, and its files are part of each thread.",
    "Your folder. What the agent has to know of it, copy into the project, knowingly: context/AGENTS.md, and skills as context/skills/NAME/SKILL.md.",
    "Your keys: their names alone stand in .env.",
    ...(missing.length > 0 ? [`These tools, which are not there: ${missing.join(", ")}.`] : []),
    ...mcp.lost,
    ...(rules.some((rule) => rule.allowedDecisions.includes("respond"))
      ? ["Respond as a decision: LangChain in JavaScript has none."]
      : []),
    ...(rules.some((rule) => rule.argsSchema) ? ["The check of edited arguments against a schema."] : []),
    ...(withAddress
      ? ["Addresses of models that are not the provider's own, or that hold a password: add them in .env."]
      : []),
    ...(moved.length > 0
      ? [
          `The models of ${moved.map(({ name }) => name).join(", ")}: their address is not the one of the agent's model, which they work with there.`,
        ]
      : []),
    ...(models.some((one) => one.provider !== "demo" && nameOf(one) === undefined)
      ? ["Names of models with blanks or signs that mean something in .env: write them there."]
      : []),
    ...(models.some(({ provider }) => provider === "demo")
      ? ["The demo model: name a real one in .env."]
      : []),
  ];
}
