/** Builds the graph of a thread from its agent, its model and its folder; the agent packages are loaded with the first one. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { StructuredTool } from "@langchain/core/tools";
import type { SandboxBackendProtocolV2 } from "deepagents";
import type { Agent } from "../../shared/contract/agents.ts";
import type { Settings } from "../../shared/contract/console.ts";
import type { GatePorts } from "../agents/gate-ports.ts";
import type { ModelSlots } from "../agents/model-slots.ts";
import type { RunContext } from "../agents/run-context.ts";
import type { Graph } from "../agents/run-turn.ts";
import type { LinearSqliteSaver } from "../storage/checkpointer/linear-sqlite-saver.ts";
import type { ThreadRow } from "../threads/thread-store.ts";
import type { KeyStore } from "./key-store.ts";
import type { ModelStore } from "./model-store.ts";

export type GraphsParts = {
  dataDir: string;
  settings(): Settings;
  agentOf(thread: ThreadRow): Agent;
  models: ModelStore;
  keys: KeyStore;
  slots: ModelSlots;
  ports: GatePorts;
  backendOf(thread: ThreadRow): Promise<SandboxBackendProtocolV2>;
  checkpointer(): Promise<LinearSqliteSaver>;
  /** Web tools and the tools of the agent's MCP servers; a server that does not answer is told to the person. */
  toolsOf(agent: Agent, thread: ThreadRow): Promise<StructuredTool[]>;
  contextOf(workspace: string): { files: string[]; skills: string[] };
};

export function createGraphs(
  parts: GraphsParts,
): (thread: ThreadRow, run: () => RunContext) => Promise<Graph> {
  return async (thread, run) => {
    const [{ buildAgent }, { createChatModel }, { askHuman }] = await Promise.all([
      import("../agents/build-agent.ts"),
      import("../agents/models/create-chat-model.ts"),
      import("../agents/tools/ask-human.ts"),
    ]);
    const agent = parts.agentOf(thread);
    const overflow = {
      results: join(parts.dataDir, "results", thread.id),
      history: join(parts.dataDir, "history", thread.id),
    };
    for (const dir of Object.values(overflow)) mkdirSync(dir, { recursive: true, mode: 0o700 });
    return buildAgent({
      agent,
      model: thread.model,
      chatModel: (ref) =>
        createChatModel(parts.models.withBaseUrl(ref), {
          apiKeyFor: (provider) => parts.keys.find(provider),
        }),
      tools: [askHuman as unknown as StructuredTool, ...(await parts.toolsOf(agent, thread))],
      backend: await parts.backendOf(thread),
      overflow,
      workspace: thread.workspace,
      memory: parts.contextOf(thread.workspace),
      checkpointer: await parts.checkpointer(),
      modelCallLimit: parts.settings().modelCallLimit,
      run,
      slots: parts.slots,
      ports: parts.ports,
    });
  };
}
