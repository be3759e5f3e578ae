/** Our way to mend a history gives what the library's gives, in one look at each message. */

import { createPatchToolCallsMiddleware } from "deepagents";
import fc from "fast-check";
import { type AgentMiddleware, AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "langchain";
import { expect, it } from "vitest";
import { runsOf } from "../../base/testing/long-run.ts";
import { createPatchToolCalls } from "./patch-tool-calls.ts";

const callId = fc.constantFrom("a", "b", "c", "d", "", undefined);
const call = callId.map((id) => ({ name: `tool-${id}`, args: {}, ...(id !== undefined && { id }) }));
const message = fc.oneof(
  fc.constant(new HumanMessage("go on")),
  fc.array(call, { maxLength: 3 }).map((calls) => new AIMessage({ content: "so", tool_calls: calls })),
  callId.map((id) => new ToolMessage({ content: "done", tool_call_id: id as string })),
);
const history = fc.array(message, { maxLength: 12 });

const told = (messages: readonly BaseMessage[] | undefined) =>
  messages?.map((one) => [
    one.type,
    one.id,
    one.content,
    one.name,
    "tool_call_id" in one && one.tool_call_id,
  ]);

async function patchedBy(middleware: unknown, messages: BaseMessage[]) {
  const { beforeAgent, wrapModelCall } = middleware as {
    beforeAgent(state: object): Promise<{ messages: BaseMessage[] } | undefined> | undefined;
    wrapModelCall(request: object, handler: (request: { messages: BaseMessage[] }) => unknown): unknown;
  };
  let sent: BaseMessage[] = [];
  await wrapModelCall({ messages }, (request) => {
    sent = request.messages;
  });
  return {
    state: told((await beforeAgent({ messages }))?.messages),
    sent: told(sent),
    same: sent === messages,
  };
}

it("mends any history as the library does", async () => {
  await fc.assert(
    fc.asyncProperty(history, async (messages) => {
      const ours = await patchedBy(createPatchToolCalls(), messages);
      expect(ours).toEqual(await patchedBy(createPatchToolCallsMiddleware(), messages));
    }),
    { numRuns: runsOf(500) },
  );
});

it("stands in the library's place, and looks at each call as often in a long history as in a short one", async () => {
  expect(createPatchToolCalls().name).toBe((createPatchToolCallsMiddleware() as AgentMiddleware).name);
  const looks = async (steps: number) => {
    let count = 0;
    const messages = Array.from({ length: steps }, (_, at) => {
      const answer = new ToolMessage({ content: "done", tool_call_id: `c${at}` });
      Object.defineProperty(answer, "tool_call_id", {
        get() {
          count += 1;
          return `c${at}`;
        },
      });
      return [new AIMessage({ content: "", tool_calls: [{ id: `c${at}`, name: "ls", args: {} }] }), answer];
    }).flat();
    await patchedBy(createPatchToolCalls(), messages);
    return count / steps;
  };
  expect(await looks(400)).toBe(await looks(20));
});
