/** The agents a person made, the tools they get besides their backend, the web and the MCP servers they name, and what they are told besides their prompt. */
import { join } from "node:path";
import type { StructuredTool } from "@langchain/core/tools";
import type { Agent } from "../../shared/contract/agents.ts";
import type { Output } from "../../shared/contract/contract.ts";
import { ContractError } from "../../shared/contract/errors.ts";
import type { AgentId, ThreadId } from "../../shared/ids.ts";
import { tools } from "../../shared/tools/tools.ts";
import { type AgentStore, createAgentStore, defaultAgent } from "../agent-files/agent-store.ts";
import { AgentFileError, describeFileProblem } from "../agent-files/file-problem.ts";
import type { KeyStore } from "../settings/key-store.ts";
import type { SettingsStore } from "../settings/settings-store.ts";
import type { EventLog } from "../threads/event-log.ts";
import type { ThreadRow, ThreadStore } from "../threads/thread-store.ts";
import type { WebSearchConfig } from "../web/web-search.ts";
import { createMcpServers, type McpServers } from "./mcp-servers.ts";
import {
  type AgentContext,
  createToldContext,
  type ToldContext,
  type ToldContextStores,
} from "./told-context.ts";

/** What it reads of what is kept on disk. */
type ToolboxStores = ToldContextStores & {
  threads: ThreadStore;
  log: EventLog;
  settings: SettingsStore;
  keys: KeyStore;
};

export type Toolbox = {
  defaultAgentId(): AgentId;
  /** The built-in agent when the thread's own was removed or its file is refused; `toolsOf` tells the thread. */
  agentOf(id: AgentId): Agent;
  agents: {
    list(): Output<"agents.list">;
    save(agent: Agent): Agent;
    remove(id: AgentId): void;
    /** What a thread's agent is told by its workspace, or would be if that were trusted. */
    context(threadId: ThreadId): Promise<Output<"agents.context">>;
    /** What a message to it can begin with. */
    commands(threadId: ThreadId): Promise<Output<"agents.commands">>;
  };
  servers: Pick<McpServers, "list" | "save" | "test" | "remove" | "classOf" | "setToolClass">;
  /**
   * A server that does not answer is left out and told to the thread; the others still work.
   * @throws AgentFileError when the agent's file is refused: without it nobody knows what it is to ask about.
   */
  toolsOf(agent: Agent, thread: ThreadRow): Promise<StructuredTool[]>;
  /** The web and the tools of these servers; a server that does not answer is left out and told to the thread. */
  toolsBeside(servers: readonly string[], thread: ThreadRow): Promise<StructuredTool[]>;
  /** AGENTS.md and skills of a trusted workspace, and the person's own instructions with what they say. */
  contextOf(workspace: string): Promise<AgentContext>;
  isLookedAt: ToldContext["isLookedAt"];
  /** Files of agents and servers that could not be used, in sentences. */
  problems(): string[];
  close(): Promise<void>;
};

export type ToolboxParts = {
  dataDir: string;
  version: string;
  stores: ToolboxStores;
  /** Resolves once this process has the PATH that servers are to be found in. */
  pathKnown: Promise<void>;
  /** As `~/.deepagents`. */
  deepagentsFolder: string;
};

/** Starts no server; the first agent that needs one does. */
export function createToolbox({
  dataDir,
  version,
  stores,
  pathKnown,
  deepagentsFolder,
}: ToolboxParts): Toolbox {
  const agents = createAgentStore(dataDir);
  const told = createToldContext(stores);
  const mcp = createMcpServers(dataDir, pathKnown, join(deepagentsFolder, ".mcp.json"));

  async function toolsBeside(servers: readonly string[], thread: ThreadRow): Promise<StructuredTool[]> {
    if (stores.settings.get().webSearch.provider === "tavily") await stores.keys.open(["tavily"]);
    const web = await createWeb(version, () => searchConfig(stores));
    const { tools, problems } = await mcp.toolsOf(servers);
    for (const { message } of problems)
      warn(stores, thread, `mcp:${thread.id}:${stores.log.lastSeq(thread.id)}`, message);
    return [...web, ...tools];
  }

  return {
    defaultAgentId: () => defaultAgent.id,
    agentOf: (id) => agents.get(id) ?? defaultAgent,
    agents: {
      list: () => ({ ...agents.list(), tools: knownTools }),
      save: (agent) => named(() => agents.save(agent)),
      remove: (id) => named(() => agents.remove(id)),
      context: (threadId) => told.context(stores.threads.get(threadId).workspace),
      commands: (threadId) => told.commands(stores.threads.get(threadId).workspace),
    },
    servers: {
      list: mcp.list,
      classOf: mcp.classOf,
      setToolClass: mcp.setToolClass,
      save: (server) => named(() => mcp.save(server)),
      test: (server) => named(() => mcp.test(server)),
      remove: (name) => named(() => mcp.remove(name)),
    },
    async toolsOf(agent, thread) {
      checkAgent(agents, stores, agent, thread);
      for (const { itemId, text } of await told.heldBack(thread)) warn(stores, thread, itemId, text);
      return toolsBeside(agent.mcpServers, thread);
    },
    toolsBeside,
    contextOf: told.contextOf,
    isLookedAt: told.isLookedAt,
    problems: () => [...agents.list().problems, ...mcp.problems()].map(describeFileProblem),
    close: mcp.close,
  };
}

/** Tells the thread, once under each id. */
function warn({ log }: ToolboxStores, thread: ThreadRow, itemId: string, text: string): void {
  if (log.item(thread.id, itemId)) return;
  log.append(thread.id, [{ type: "notice.added", itemId, level: "warning", text }]);
}

/** Nobody goes on with other rules than they chose without being told. @throws AgentFileError */
function checkAgent(agents: AgentStore, stores: ToolboxStores, agent: Agent, thread: ThreadRow): void {
  if (agent.id === thread.agentId) return;
  const [problem] = agents.problemsOf(thread.agentId);
  if (problem)
    throw new AgentFileError(
      "",
      `The agent of this thread cannot be used: ${describeFileProblem(problem)} Mend its file, then resume.`,
    );
  const itemId = `agent-gone:${thread.id}`;
  const text = `The agent ${thread.agentId} of this thread is not there any more. The thread goes on with the built-in agent ${agent.name}, its prompt and its rules about asking.`;
  warn(stores, thread, itemId, text);
}

/** File errors name their field; the contract carries it on. */
function named<T>(act: () => T): T {
  const rename = (error: unknown): never => {
    throw error instanceof AgentFileError
      ? new ContractError("invalid-input", error.message, { field: error.field })
      : error;
  };
  try {
    const answer = act();
    return answer instanceof Promise ? (answer.catch(rename) as T) : answer;
  } catch (error) {
    return rename(error);
  }
}

/** @param config read at each call, so that a setting that changed holds for tools that were made before. */
async function createWeb(version: string, config: () => WebSearchConfig): Promise<StructuredTool[]> {
  const [{ createWebTools }, { fetchUrl }, { webSearch }] = await Promise.all([
    import("./deep-agent/tools/web-tools.ts"),
    import("../web/fetch-url.ts"),
    import("../web/web-search.ts"),
  ]);
  return createWebTools({
    fetch: (url, allowPrivate, signal) => fetchUrl(url, { version, allowPrivate, signal }),
    search:
      config().provider === "off"
        ? undefined
        : (query, signal) => webSearch(query, config(), { version, signal }),
  });
}

/** Off also when the key that the service needs is missing. */
function searchConfig(stores: ToolboxStores): WebSearchConfig {
  const chosen = stores.settings.get().webSearch;
  if (chosen.provider !== "tavily") return chosen;
  const apiKey = stores.keys.find("tavily");
  return apiKey ? { provider: "tavily", apiKey } : { provider: "off" };
}

const knownTools: Output<"agents.list">["tools"] = Object.entries(tools).map(([name, { does, asks }]) => ({
  name,
  description: does,
  askedByDefault: asks,
}));
