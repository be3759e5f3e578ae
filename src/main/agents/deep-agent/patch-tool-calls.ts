/** Gives every call of the history an answer and leaves no answer without its call, as providers demand; in one pass, however long the history is. */
import { RemoveMessage } from "@langchain/core/messages";
import { REMOVE_ALL_MESSAGES } from "@langchain/langgraph";
import { type AgentMiddleware, AIMessage, type BaseMessage, createMiddleware, ToolMessage } from "langchain";

/**
 * Does what the middleware of the same name in deepagents does, in whose place it stands: that one copies the rest of
 * the history for each call in it, which in a thread of thousands of steps takes longer than a frame.
 */
export function createPatchToolCalls(): AgentMiddleware {
  return createMiddleware({
    name: "patchToolCallsMiddleware",
    beforeAgent(state) {
      const patched = patchToolCalls(state.messages);
      return patched && { messages: [new RemoveMessage({ id: REMOVE_ALL_MESSAGES }), ...patched] };
    },
    wrapModelCall(request, handler) {
      const patched = patchToolCalls(request.messages);
      return handler(patched ? { ...request, messages: patched } : request);
    },
  }) as AgentMiddleware;
}

/** @returns nothing when the history is as it must be. */
function patchToolCalls(messages: readonly BaseMessage[] = []): BaseMessage[] | undefined {
  const { asked, answeredAt } = readCalls(messages);
  const isLost = (message: BaseMessage) =>
    ToolMessage.isInstance(message) && !asked.has(message.tool_call_id);
  const openCalls = (message: BaseMessage, at: number) =>
    callsOf(message).filter(({ id }) => (answeredAt.get(id) ?? -1) <= at);
  if (!messages.some((message, at) => isLost(message) || openCalls(message, at).length > 0)) return undefined;
  return messages.flatMap((message, at) =>
    isLost(message) ? [] : [message, ...openCalls(message, at).map(answerCancelled)],
  );
}

/** @returns the ids of all calls, and of each id the last place with an answer. */
function readCalls(messages: readonly BaseMessage[]) {
  const asked = new Set<string | undefined>();
  const answeredAt = new Map<string | undefined, number>();
  for (const [at, message] of messages.entries()) {
    for (const { id } of callsOf(message)) if (id) asked.add(id);
    if (ToolMessage.isInstance(message)) answeredAt.set(message.tool_call_id, at);
  }
  return { asked, answeredAt };
}

function callsOf(message: BaseMessage) {
  return (AIMessage.isInstance(message) && message.tool_calls) || [];
}

function answerCancelled({ id, name }: { id?: string; name: string }): ToolMessage {
  const content = `Tool call ${name} with id ${id} was cancelled - another message came in before it could be completed.`;
  // The library says the same of a call without an id, which no type allows.
  return new ToolMessage({ content, name, tool_call_id: id as string });
}
