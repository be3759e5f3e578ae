/** Begins a thread in a folder. */
import { randomUUID } from "node:crypto";
import type { ParsedInput } from "../../../shared/contract/contract.ts";
import type { ThreadSummary } from "../../../shared/contract/threads.ts";
import type { ThreadId } from "../../../shared/ids.ts";
import type { ThreadParts } from "./thread-parts.ts";
import { untitled } from "./thread-title.ts";

/** The same command again answers with the same thread. Nothing runs before the first message. */
export async function createThread(
  input: ParsedInput<"threads.create">,
  parts: ThreadParts,
): Promise<ThreadSummary> {
  const { threads, once } = parts;
  const workspace = await parts.openWorkspace(input.workspace);
  const id = await once.act(input.commandId, () => {
    const agentId = input.agentId ?? parts.defaultAgent();
    const threadId = `thread-${randomUUID()}` as ThreadId;
    threads.create({
      id: threadId,
      title: input.title || untitled,
      titled: Boolean(input.title),
      workspace,
      source: parts.sourceOfAgent(agentId),
      agentId,
      model: input.model ?? parts.modelOfAgent(agentId) ?? parts.defaultModel(),
      forkedFrom: undefined,
    });
    if (parts.isWatched) parts.worktrees.offer(threadId);
    return threadId;
  });
  return parts.summary(threads.get(id));
}
