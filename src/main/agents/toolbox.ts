/** The agents a person made, the tools they get besides their backend, the web and the MCP servers they name, and what they are told besides their prompt. */
import { homedir } from "node:os";
import { join } from "node:path";
import type { StructuredTool } from "@langchain/core/tools";
import type { Agent } from "../../shared/contract/agents.ts";
import type { Output } from "../../shared/contract/contract.ts";
import { ContractError } from "../../shared/contract/errors.ts";
import { ownPlace } from "../../shared/contract/workspaces.ts";
import type { AgentId, ThreadId } from "../../shared/ids.ts";
import { tools } from "../../shared/tools/tools.ts";
import { type AgentStore, createAgentStore } from "../agent-files/agent-store.ts";
import { type HeardText, isCommand, readCommands } from "../agent-files/command-files.ts";
import { defaultAgent } from "../agent-files/default-agent.ts";
import { AgentFileError, describeFileProblem } from "../agent-files/file-problem.ts";
import { realPathOf } from "../agent-files/inside-folder.ts";
import { isInstructions } from "../agent-files/own-files.ts";
import { findWorkspaceContext, listContextPaths, sizesOf } from "../agent-files/workspace-context.ts";
import type { FolderTrust } from "../rules/folder-trust.ts";
import type { KeyStore } from "../settings/key-store.ts";
import type { SettingsStore } from "../settings/settings-store.ts";
import type { WorkspaceStore } from "../settings/workspace-store.ts";
import type { EventLog } from "../threads/event-log.ts";
import type { ThreadRow, ThreadStore } from "../threads/thread-store.ts";
import type { WebSearchConfig } from "../web/web-search.ts";
import { createMcpServers, type McpServers } from "./mcp-servers.ts";

/** What it reads of what is kept on disk. */
type ToolboxStores = {
  threads: ThreadStore;
  log: EventLog;
  workspaces: WorkspaceStore;
  folderTrust: FolderTrust;
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
  /** Files of agents and servers that could not be used, in sentences. */
  problems(): string[];
  close(): Promise<void>;
};

/** What an agent is told besides its prompt. */
export type AgentContext = {
  /** Relative to the workspace. */
  files: string[];
  skills: string[];
  /** From the person's home, as they looked at it. */
  own: HeardText[];
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
      async context(threadId) {
        const { workspace } = stores.threads.get(threadId);
        const trusted = stores.workspaces.isTrusted(workspace);
        const { files: changed } = await stores.folderTrust.lookForChanges(workspace);
        const found = await listContextPaths(workspace);
        return {
          workspace,
          trusted,
          ...(changed.length > 0 && { changed }),
          ...found,
          sizes: sizesOf(workspace, found.files),
          ...(await ownContext(stores.folderTrust)),
        };
      },
      async commands(threadId) {
        const { workspace } = stores.threads.get(threadId);
        const { folderTrust } = stores;
        const commands = readCommands({
          own: await folderTrust.heard(ownPlace),
          folder: await folderTrust.heard(workspace),
        });
        const files = [...(await folderTrust.files(workspace)), ...(await folderTrust.files(ownPlace))];
        const there = files.filter(isCommand);
        return { commands, notOffered: Math.max(0, there.length - commands.length) };
      },
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
      for (const place of [thread.workspace, ownPlace]) await tellHeldBack(stores, thread, place);
      return toolsBeside(agent.mcpServers, thread);
    },
    toolsBeside,
    async contextOf(workspace) {
      const { folderTrust, workspaces } = stores;
      const { files: changed } = await folderTrust.lookForChanges(workspace);
      const found = findWorkspaceContext(workspace, workspaces.isTrusted(workspace), changed);
      // Who works in their home has some of these there already.
      const isThere = (file: string) => workspace === realPathOf(homedir()) && found.files.includes(file);
      const heard = await folderTrust.heard(ownPlace);
      const own = heard.filter(({ file }) => isInstructions(file) && !isThere(file));
      return { ...found, own };
    },
    problems: () => [...agents.list().problems, ...mcp.problems()].map(describeFileProblem),
    close: mcp.close,
  };
}

function warn({ log }: ToolboxStores, thread: ThreadRow, itemId: string, text: string): void {
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
  if (!stores.log.item(thread.id, itemId))
    warn(
      stores,
      thread,
      itemId,
      `The agent ${thread.agentId} of this thread is not there any more. The thread goes on with the built-in agent ${agent.name}, its prompt and its rules about asking.`,
    );
}

/** What says something else than what was trusted is heard again once a person looked. */
async function tellHeldBack(stores: ToolboxStores, thread: ThreadRow, place: string): Promise<void> {
  const { files: changed, digest } = await stores.folderTrust.lookForChanges(place);
  if (changed.length === 0) return;
  const isOwn = place === ownPlace;
  const itemId = `held-back${isOwn ? "-own" : ""}:${thread.id}:${digest.slice(0, 16)}`;
  if (stores.log.item(thread.id, itemId)) return;
  const files = changed.map((file) => (isOwn ? `~/${file}` : file)).join(", ");
  warn(
    stores,
    thread,
    itemId,
    isOwn
      ? `${files} changed since you trusted your own instructions. Until you look at the change in the settings, under folders, agents are told nothing of it.`
      : `${files} changed since you trusted this folder. Until you look at the change in the settings, under folders, no instructions are read from there and the folder's rules only tighten.`,
  );
}

/** The person's own instructions for all folders, whether they are told to agents, and what of them changed. */
async function ownContext(folderTrust: FolderTrust): Promise<Pick<Output<"agents.context">, "own">> {
  const files = (await folderTrust.files(ownPlace)).filter(isInstructions);
  if (files.length === 0) return {};
  const { trusted = false, changed = [] } = (await folderTrust.own()) ?? {};
  return {
    own: { files, sizes: sizesOf(homedir(), files), trusted, changed: changed.filter(isInstructions) },
  };
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
