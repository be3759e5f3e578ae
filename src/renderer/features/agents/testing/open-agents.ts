/** The view "Agents" over a scripted host that knows the built-in agent and two tools. */
import { agentSchema } from "../../../../shared/contract/agents.ts";
import type { ThreadSummary } from "../../../../shared/contract/threads.ts";
import { openConsole } from "../../../testing/open-console.ts";

export const builtIn = agentSchema.parse({
  id: "default",
  name: "Countersign",
  builtIn: true,
  prompt: "Be useful.",
});
export const tools = [
  { name: "execute", description: "Run a command", askedByDefault: true },
  { name: "ls", description: "List a folder", askedByDefault: false },
];

export const problem = { file: "/data/agents/broken.json", line: 4, field: "prompt", message: "is missing" };

export function openAgents(hash: string, answers = {}, threads: ThreadSummary[] = []) {
  return openConsole(
    { threads, approvals: [] },
    {
      "agents.list": () => ({ agents: [builtIn], tools, problems: [] }),
      "agents.save": (agent) => agentSchema.parse(agent),
      "mcp.list": () => ({ servers: [], problems: [] }),
      "models.providers": () => ({
        providers: [],
        defaultModel: { provider: "demo" as const, model: "scripted" },
      }),
      ...answers,
    },
    hash,
  );
}
