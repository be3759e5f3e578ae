/** Begins a thread in a folder. */
import { randomUUID } from "node:crypto";
import type { ParsedInput } from "../../../shared/contract/contract.ts";
import type { ThreadSummary } from "../../../shared/contract/threads.ts";
import type { AgentId, ThreadId } from "../../../shared/ids.ts";
import { outerSource } from "../../agents/acp/outer-agents.ts";
import { builtInSource } from "../../threads/thread-store.ts";
import type { ConsoleParts } from "../console-parts.ts";
import { untitled } from "./thread-title.ts";

/** The same command again answers with the same thread. Nothing runs before the first message. */
export async function createThread(
  input: ParsedInput<"threads.create">,
  parts: ConsoleParts,
): Promise<ThreadSummary> {
  const { threads, once, toolbox, models } = parts;
  const workspace = await parts.openWorkspace(input.workspace);
  const id = await once.act(input.commandId, () => {
    const agentId = input.agentId ?? toolbox.defaultAgentId();
    const threadId = `thread-${randomUUID()}` as ThreadId;
    threads.create({
      id: threadId,
      title: input.title || untitled,
      titled: Boolean(input.title),
      workspace,
      source: sourceOfAgent(agentId, parts),
      agentId,
      model: input.model ?? toolbox.agentOf(agentId).model ?? models.defaultModel(),
      forkedFrom: undefined,
    });
    if (parts.options.unattended === undefined) parts.worktrees.offer(threadId);
    return threadId;
  });
  return parts.summaries.of(threads.get(id));
}

/** The name of the source that works for this agent. */
function sourceOfAgent(agentId: AgentId, { toolbox, outerAgents }: ConsoleParts): string {
  return toolbox.agentOf(agentId).id !== agentId && outerAgents.get(agentId) ? outerSource : builtInSource;
}
