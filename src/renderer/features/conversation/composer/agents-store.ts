/** The agents of this console, read when something first shows one and whenever a list opens; and where one was chosen. */
import { create } from "zustand";
import type { Agent } from "../../../../shared/contract/agents.ts";
import type { AgentId, ThreadId } from "../../../../shared/ids.ts";
import { client } from "../../../base/client.ts";
import { describeError } from "../../../base/words.ts";

type Agents = { agents?: readonly Agent[]; problem?: string };

export const useAgents = create<Agents>(() => ({}));

/** Never throws: what went wrong stands in the store's `problem`. */
export async function loadAgents(): Promise<void> {
  try {
    const { agents } = await client().call("agents.list", {});
    useAgents.setState({ agents, problem: undefined });
  } catch (error) {
    useAgents.setState({ problem: describeError(error) });
  }
}

/** The name of an agent; its id while nothing more is known of it. */
export function nameAgent(id: AgentId, agents: readonly Agent[] = []): string {
  return agents.find((one) => one.id === id)?.name ?? id;
}

/** The thread whose agent or model was changed and that got no message since, which is when the change begins to hold. */
export const useChangedThread = create<{ threadId?: ThreadId }>(() => ({}));
