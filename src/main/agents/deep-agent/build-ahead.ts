/** Builds an agent that nobody works with, and takes a bare one through a turn, so that V8 has read that code before somebody waits for it. */
import { MemorySaver } from "@langchain/langgraph";
import { createDeepAgent } from "deepagents";
import type { ProviderId } from "../../../shared/contract/models.ts";
import { defaultAgent } from "../../agent-files/agent-store.ts";
import { createCannedModel } from "../../models/canned-model.ts";
import { type AgentParts, buildAgent } from "./build-agent.ts";
import { type Graph, streamOptions } from "./run-turn.ts";
import { createOwnTools } from "./tools/own-tools.ts";
import type { WorkspaceBackend } from "./workspace-backend.ts";

/** What the agent is made of that has an effect only when it runs, which it never does. */
export type UnusedParts = Pick<
  AgentParts,
  "workspace" | "overflowOf" | "checkpointer" | "slots" | "journal"
> & {
  backend: WorkspaceBackend;
  /** Whose client is taken through the turn. */
  provider: ProviderId;
};

/** Knows no key, asks no model, reads no folder and keeps nothing. */
export async function buildAhead({ provider, ...parts }: UnusedParts): Promise<void> {
  const tools = createOwnTools(parts.backend);
  const model = await createCannedModel(provider);
  await buildAgent({
    ...parts,
    agent: defaultAgent,
    model: { provider: "demo", model: "demo" },
    chatModel: async () => model,
    tools,
    surroundings: { platform: process.platform, shell: "sh" },
    memory: { folder: [], skills: [], own: [] },
    modelCallLimit: 1,
  });
  const bare = createDeepAgent({ model, tools, checkpointer: new MemorySaver() }) as unknown as Graph;
  const steps = await bare.stream(
    { messages: [{ role: "user", content: "ls ." }] },
    { ...streamOptions, configurable: { thread_id: "nobody" } },
  );
  for await (const step of steps) void step;
}
