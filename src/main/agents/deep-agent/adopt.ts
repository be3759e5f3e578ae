/** Gives a new thread what its agent knew elsewhere: one state of its graph, from which a turn goes on. */
import type { BaseMessage } from "@langchain/core/messages";
import type { ThreadId } from "../../../shared/ids.ts";
import { waitForTurn } from "../../base/give-way.ts";
import type { SessionMessage } from "../../threads/deepagents/sessions.ts";
import type { Graph } from "./run-turn.ts";

/** So many fill a turn of the loop, and each part reads all before it once more. */
const messagesAtOnce = 500;

/** As if its model had just said the last of it: calls without a result come next, and pass the gate as any other. */
export async function adopt(
  graph: Pick<Graph, "updateState">,
  threadId: ThreadId,
  said: readonly SessionMessage[],
): Promise<void> {
  const { AIMessage, HumanMessage, ToolMessage } = await import("@langchain/core/messages");
  const messages = said.map((one): BaseMessage => {
    const { id, text } = one;
    if (one.kind === "person") return new HumanMessage({ id, content: text });
    if (one.kind === "agent")
      return new AIMessage({
        id,
        content: text,
        tool_calls: one.calls.map((call) => ({ ...call, type: "tool_call" as const })),
      });
    const { callId, name, failed } = one;
    const status = failed ? ("error" as const) : ("success" as const);
    return new ToolMessage({ id, content: text, tool_call_id: callId, name, status });
  });
  const place = { configurable: { thread_id: threadId } };
  for (let from = 0; from < messages.length; from += messagesAtOnce) {
    const some = messages.slice(from, from + messagesAtOnce);
    await waitForTurn();
    await graph.updateState(place, { messages: some }, "model_request");
  }
}
