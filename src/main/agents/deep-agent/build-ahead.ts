/** Builds an agent that nobody works with, so that V8 has read the code that builds one before somebody waits for it. */
import { defaultAgent } from "../../agent-files/agent-store.ts";
import { DemoChatModel } from "../../models/demo/demo-chat-model.ts";
import { type AgentParts, buildAgent } from "./build-agent.ts";
import { createOwnTools } from "./tools/own-tools.ts";
import type { WorkspaceBackend } from "./workspace-backend.ts";

/** What the agent is made of that has an effect only when it runs, which it never does. */
export type UnusedParts = Pick<
  AgentParts,
  "workspace" | "overflowOf" | "checkpointer" | "slots" | "journal"
> & {
  backend: WorkspaceBackend;
};

/** Knows no key, asks no model and reads no folder. */
export async function buildAhead(parts: UnusedParts): Promise<void> {
  await buildAgent({
    ...parts,
    agent: defaultAgent,
    model: { provider: "demo", model: "demo" },
    chatModel: async () => new DemoChatModel(),
    tools: createOwnTools(parts.backend),
    surroundings: { platform: process.platform, shell: "sh" },
    memory: { files: [], skills: [], own: [] },
    modelCallLimit: 1,
  });
}
