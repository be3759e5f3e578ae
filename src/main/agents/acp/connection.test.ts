/** What an agent says in one breath is heard in the order in which it was said, and before its turn is over. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { AgentProcess } from "./agent-process.ts";
import { type Heard, linkTo } from "./connection.ts";

const kinds = {
  update: (text: string) => ({
    method: "session/update",
    params: { update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } },
  }),
  request: (toolCallId: string) => ({
    id: `ask ${toolCallId}`,
    method: "session/request_permission",
    params: { toolCall: { toolCallId }, options: [] },
  }),
  form: (message: string) => ({
    id: `form ${message}`,
    method: "elicitation/create",
    params: { mode: "form", message, requestedSchema: { type: "object", properties: {} } },
  }),
};
type Kind = keyof typeof kinds;

/** An agent that answers a prompt with all of these and the end of its turn, and then these, in one piece of its output. */
function agentThatSays(before: Kind[], after: Kind[]): AgentProcess {
  const toAgent = new TransformStream<Uint8Array, Uint8Array>();
  const fromAgent = new TransformStream<Uint8Array, Uint8Array>();
  const writer = fromAgent.writable.getWriter();
  const sayAll = (messages: object[]) =>
    writer.write(
      new TextEncoder().encode(
        messages.map((one) => `${JSON.stringify({ jsonrpc: "2.0", ...one })}\n`).join(""),
      ),
    );
  const toMessage = (kind: Kind, name: string) => {
    const { params, ...rest } = kinds[kind](name);
    return { ...rest, params: { sessionId: "s", ...params } };
  };
  async function listen(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const bytes of toAgent.readable as unknown as AsyncIterable<Uint8Array>)
      for (const line of decoder.decode(bytes).trim().split("\n")) {
        const { id, method } = JSON.parse(line) as { id: number; method?: string };
        if (method === "initialize") await sayAll([{ id, result: { protocolVersion: 1 } }]);
        if (method === "session/new") await sayAll([{ id, result: { sessionId: "s" } }]);
        if (method !== "session/prompt") continue;
        const told = before.map((kind, at) => toMessage(kind, `${kind} ${at}`));
        const late = after.map((kind, at) => toMessage(kind, `late ${kind} ${at}`));
        await sayAll([...told, { id, result: { stopReason: "end_turn" } }, ...late]);
      }
  }
  void listen();
  const process = { input: toAgent.writable, output: fromAgent.readable, allowMore: () => undefined };
  return process as unknown as AgentProcess;
}

it("hears all in its order, and nothing of it once the turn is over", async () => {
  const some = fc.array(fc.constantFrom<Kind>("update", "request", "form"), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(some, some, async (before, after) => {
      const names: string[] = [];
      const atRest: string[] = [];
      const nameIn = (told: Parameters<Heard["onUpdate"]>[0]) =>
        "content" in told && !Array.isArray(told.content) && told.content?.type === "text"
          ? told.content.text
          : "";
      let heard: Heard | undefined = {
        onUpdate: (told) => void names.push(nameIn(told)),
        async onRequest({ toolCall }) {
          names.push(toolCall.toolCallId);
          return { outcome: { outcome: "cancelled" } };
        },
        onSignIn: async () => "",
        async onElicitation({ message }) {
          names.push(message);
          return { action: "cancel" };
        },
      };
      const { promise: allHeard, resolve } = Promise.withResolvers<void>();
      const updates = after.filter((kind) => kind === "update").length;
      if (updates === 0) resolve();
      const link = linkTo(
        agentThatSays(before, after),
        () => heard,
        (told) => void (atRest.push(nameIn(told)) === updates && resolve()),
      );
      await link.open("/w", undefined, { mcpServers: [] });
      await link.prompt("s", "go", []);
      heard = undefined;
      expect(names).toEqual(before.map((kind, at) => `${kind} ${at}`));
      await allHeard;
      expect(names).toHaveLength(before.length);
      expect(atRest).toEqual(after.flatMap((kind, at) => (kind === "update" ? [`late update ${at}`] : [])));
    }),
  );
});
