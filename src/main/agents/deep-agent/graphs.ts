/** Builds the graphs threads run on, one for all threads that work alike; the agent packages are loaded by the first one, if not before. */
import { createHash } from "node:crypto";
import type { StructuredTool } from "@langchain/core/tools";
import type { Agent } from "../../../shared/contract/agents.ts";
import type { Settings } from "../../../shared/contract/console.ts";
import type { ModelRef } from "../../../shared/contract/models.ts";
import { waitForTurn } from "../../base/give-way.ts";
import type { Journal } from "../../gate/journal.ts";
import { keysForModels } from "../../models/keys-for-models.ts";
import type { ModelStore } from "../../models/model-store.ts";
import type { KeyStore } from "../../settings/key-store.ts";
import type { LinearSqliteSaver } from "../../storage/checkpointer/linear-sqlite-saver.ts";
import type { ThreadRow } from "../../threads/thread-store.ts";
import type { ModelSlots } from "../model-slots.ts";
import type { AgentParts } from "./build-agent.ts";
import type { OverflowOf } from "./overflow-backend.ts";
import type { Graph } from "./run-turn.ts";
import type { WorkspaceBackend } from "./workspace-backend.ts";

export type GraphsParts = {
  /** Where a thread's large tool results and moved history go. */
  overflowOf: OverflowOf;
  settings(): Settings;
  agentOf(thread: ThreadRow): Agent;
  models: ModelStore;
  keys: KeyStore;
  slots: ModelSlots;
  journal: Journal;
  backendOf(workspace: string): WorkspaceBackend;
  checkpointer(): Promise<LinearSqliteSaver>;
  /**
   * Web tools and the tools of the agent's MCP servers; a server that does not answer is told to the person. Two sets of
   * tools with the same names, descriptions and schemas do the same, so that threads can share a graph.
   */
  toolsOf(agent: Agent, thread: ThreadRow): Promise<StructuredTool[]>;
  /** What reads the commands, such as "bash 5.2". */
  shellTitle(): Promise<string>;
  /** Whether commands are confined here, as far as is known. */
  mayConfine(): boolean;
  contextOf(workspace: string): Promise<AgentParts["memory"]>;
};

/** A compiled graph takes about 300 KB, so those that no thread asked for lately are let go. */
const keptGraphs = 16;

/** @returns the graph for a thread as it is configured now; a changed setting takes effect with the thread's next run. */
export function createGraphs(parts: GraphsParts): (thread: ThreadRow) => Promise<Graph> {
  const built = new Map<string, Promise<Graph>>();

  function keep(key: string, graph: Promise<Graph>): Promise<Graph> {
    built.delete(key);
    built.set(key, graph);
    for (const oldest of [...built.keys()].slice(0, -keptGraphs)) built.delete(oldest);
    graph.catch(() => built.delete(key));
    return graph;
  }

  return async (thread) => {
    const agent = parts.agentOf(thread);
    const shape = {
      agent,
      model: thread.model,
      workspace: thread.workspace,
      memory: await parts.contextOf(thread.workspace),
      modelCallLimit: parts.settings().modelCallLimit,
      surroundings: {
        platform: process.platform,
        shell: await parts.shellTitle(),
        mayConfine: parts.mayConfine(),
      },
    };
    const tools = await parts.toolsOf(agent, thread);
    await parts.keys.open(modelsOf(shape).map(({ provider }) => provider));
    const key = keyOf(parts, shape, tools);
    return keep(key, built.get(key) ?? build(parts, shape, tools));
  };
}

type Shape = {
  agent: Agent;
  model: ModelRef;
  workspace: string;
  memory: AgentParts["memory"];
  modelCallLimit: number;
  surroundings: AgentParts["surroundings"];
};

function modelsOf({ agent, model }: Shape): ModelRef[] {
  return [model, ...agent.subAgents.flatMap((one) => one.model ?? [])];
}

/** Everything that would make another graph; as a digest, since keys of providers are part of it. */
function keyOf({ models, keys }: GraphsParts, shape: Shape, tools: StructuredTool[]): string {
  const used = modelsOf(shape).map((ref) => [models.withBaseUrl(ref), keys.find(ref.provider) ?? null]);
  const offered = tools.map(({ name, description, schema }) => [
    name,
    description,
    "_zod" in schema ? null : schema,
  ]);
  return createHash("sha256")
    .update(JSON.stringify([shape, used, offered]))
    .digest("base64");
}

/** The code that builds a graph: most of what a first turn loads. */
export const loadBuilders = () =>
  Promise.all([
    import("./build-agent.ts"),
    import("../../models/create-chat-model.ts"),
    import("./tools/own-tools.ts"),
  ]);

async function build(parts: GraphsParts, shape: Shape, tools: StructuredTool[]): Promise<Graph> {
  const [{ buildAgent }, { createChatModel }, { createOwnTools }] = await loadBuilders();
  const backend = parts.backendOf(shape.workspace);
  const checkpointer = await parts.checkpointer();
  await waitForTurn();
  const graph = await buildAgent({
    ...shape,
    chatModel: (ref) => createChatModel(parts.models.withBaseUrl(ref), keysForModels(parts.keys)),
    tools: [...createOwnTools(backend), ...tools],
    backend,
    overflowOf: parts.overflowOf,
    checkpointer,
    slots: parts.slots,
    journal: parts.journal,
  });
  await waitForTurn();
  return graph;
}
