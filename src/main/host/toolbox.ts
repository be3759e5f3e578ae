/** The agents a person made, and the tools they get besides their backend: the web, and the MCP servers they name. */
import type { StructuredTool } from "@langchain/core/tools";
import type { Agent, McpServer } from "../../shared/contract/agents.ts";
import type { Output } from "../../shared/contract/contract.ts";
import { ContractError } from "../../shared/contract/errors.ts";
import type { AgentId } from "../../shared/ids.ts";
import { createAgentStore } from "../agent-files/agent-store.ts";
import { defaultAgent } from "../agent-files/default-agent.ts";
import { AgentFileError } from "../agent-files/file-problem.ts";
import { createMcpStore, redact } from "../agent-files/mcp-store.ts";
import { findWorkspaceContext } from "../agent-files/workspace-context.ts";
import type { McpConnections } from "../agents/mcp/mcp-connections.ts";
import type { ThreadRow } from "../threads/thread-store.ts";
import { classifyAddress } from "../web/address-class.ts";
import type { WebSearchConfig } from "../web/web-search.ts";
import type { Stores } from "./stores.ts";

export type Toolbox = {
  defaultAgentId(): AgentId;
  /** The built-in agent when the thread's own was removed. */
  agentOf(id: AgentId): Agent;
  agents: { list(): Agent[]; save(agent: Agent): Agent; remove(id: AgentId): void };
  /** Values of environments and headers never leave the host. */
  servers: {
    list(): McpServer[];
    save(server: McpServer): Promise<Output<"mcp.save">>;
    test(server: McpServer): Promise<Output<"mcp.test">>;
    remove(name: string): void;
  };
  knownTools(): Output<"agents.list">["tools"];
  /** A server that does not answer is left out and told to the thread; the others still work. */
  toolsOf(agent: Agent, thread: ThreadRow): Promise<StructuredTool[]>;
  classifyUrl(url: string): Promise<"public" | "private" | "unresolvable">;
  /** AGENTS.md and skills of a trusted workspace. */
  contextOf(workspace: string): { files: string[]; skills: string[] };
  /** Files of agents and servers that could not be used, in sentences. */
  problems(): string[];
  close(): Promise<void>;
};

export type ToolboxParts = { dataDir: string; version: string; stores: Stores };

export function createToolbox({ dataDir, version, stores }: ToolboxParts): Toolbox {
  const agents = createAgentStore(dataDir);
  const mcp = createMcpStore(dataDir);
  let connections: Promise<McpConnections> | undefined;
  const connect = () => {
    connections ??= import("../agents/mcp/mcp-connections.ts").then(({ createMcpConnections }) =>
      createMcpConnections({
        servers: () => mcp.list().servers,
        environment: mcpEnvironment,
        cwd: dataDir,
      }),
    );
    return connections;
  };

  async function testServer(server: McpServer): Promise<Output<"mcp.test">> {
    const { tools, problem } = await (await connect()).test(server);
    return { server: redact(server), tools, problem };
  }

  return {
    defaultAgentId: () => defaultAgent.id,
    agentOf: (id) => agents.get(id) ?? defaultAgent,
    agents: {
      list: () => agents.list().agents,
      save: (agent) => named(() => agents.save(agent)),
      remove: (id) => named(() => agents.remove(id)),
    },
    servers: {
      list: () => mcp.list().servers.map(redact),
      save: async (server) => testServer(named(() => mcp.save(server))),
      test: async (server) => testServer(named(() => mcp.fillIn(server))),
      remove: (name) => named(() => mcp.remove(name)),
    },
    knownTools: () => knownTools,
    async toolsOf(agent, thread) {
      const web = await createWeb(version, searchConfig(stores));
      if (agent.mcpServers.length === 0) return web;
      const { tools, problems } = await (await connect()).toolsOf(agent.mcpServers);
      for (const { message } of problems)
        stores.log.append(thread.id, [
          {
            type: "notice.added",
            itemId: `mcp:${thread.id}:${stores.log.lastSeq(thread.id)}`,
            level: "warning",
            text: message,
          },
        ]);
      return [...web, ...tools];
    },
    classifyUrl: (url) => classifyAddress(url).catch(() => "unresolvable" as const),
    contextOf: (workspace) => findWorkspaceContext(workspace, stores.workspaces.isTrusted(workspace)),
    problems: () =>
      [...agents.list().problems, ...mcp.list().problems].map(
        ({ file, field, message }) => `${file}, ${field}: ${message}`,
      ),
    close: async () => (await connections)?.close(),
  };
}

/** File errors name their field; the contract carries it on. */
function named<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof AgentFileError)
      throw new ContractError("invalid-input", error.message, { field: error.problem.field });
    throw error;
  }
}

async function createWeb(version: string, config: WebSearchConfig): Promise<StructuredTool[]> {
  const [{ createWebTools }, { fetchUrl }, { webSearch }] = await Promise.all([
    import("../agents/tools/web-tools.ts"),
    import("../web/fetch-url.ts"),
    import("../web/web-search.ts"),
  ]);
  return createWebTools({
    fetch: (url, allowPrivate, signal) => fetchUrl(url, { version, allowPrivate, signal }),
    search:
      config.provider === "off"
        ? undefined
        : (query, signal) => webSearch(query, config, { version, signal }),
  });
}

/** Off also when the key that the service needs is missing. */
function searchConfig(stores: Stores): WebSearchConfig {
  const chosen = stores.settings.get().webSearch;
  if (chosen.provider !== "tavily") return chosen;
  const apiKey = stores.keys.find("tavily");
  return apiKey ? { provider: "tavily", apiKey } : { provider: "off" };
}

/** Server programs need to be found and to find their home; they get no keys but those configured for them. */
const passedOn = [
  "PATH",
  "HOME",
  "LANG",
  "USER",
  "LOGNAME",
  "SHELL",
  "TMPDIR",
  "TEMP",
  "TMP",
  "SystemRoot",
  "APPDATA",
  "LOCALAPPDATA",
  "USERPROFILE",
  "PATHEXT",
  "ComSpec",
];

function mcpEnvironment({ env }: { env: Record<string, string> }): Record<string, string> {
  const base = Object.fromEntries(
    passedOn.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
  return { ...base, ...env };
}

const knownTools: Output<"agents.list">["tools"] = [
  { name: "execute", description: "Run a command in the workspace", askedByDefault: true },
  { name: "write_file", description: "Write a file", askedByDefault: true },
  { name: "edit_file", description: "Change part of a file", askedByDefault: true },
  { name: "delete", description: "Delete a file or folder", askedByDefault: true },
  { name: "fetch_url", description: "Read a web page", askedByDefault: true },
  { name: "web_search", description: "Search the web, when a service is set up", askedByDefault: true },
  { name: "task", description: "Hand work to a sub-agent", askedByDefault: false },
  { name: "ask_human", description: "Ask the person a question", askedByDefault: false },
  { name: "write_todos", description: "Keep a plan", askedByDefault: false },
  { name: "ls", description: "List a folder", askedByDefault: false },
  { name: "read_file", description: "Read a file", askedByDefault: false },
  { name: "glob", description: "Find files by name", askedByDefault: false },
  { name: "grep", description: "Find text in files", askedByDefault: false },
];
