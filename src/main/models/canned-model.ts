/** A provider's real client, answered by nobody: V8 reads its code with that before somebody waits for a first answer. */
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { ProviderId } from "../../shared/contract/models.ts";
import { createChatModel } from "./create-chat-model.ts";
import { DemoChatModel } from "./demo/demo-chat-model.ts";
import { anthropicSse, sse } from "./sse-frames.ts";

/** What it calls first; whatever it is asked then, it says one word. */
export const cannedCall = { id: "call_1", name: "ls", arguments: '{"path":"/"}' };
const word = "Hello";

type Answers = { type: string; call: string; words: string };

const openai: Answers = {
  type: "text/event-stream",
  call: chunks({ tool_calls: [{ index: 0, id: cannedCall.id, type: "function", function: cannedCall }] }),
  words: chunks({ role: "assistant", content: word }),
};

function chunks(delta: object): string {
  const finishReason = "tool_calls" in delta ? "tool_calls" : "stop";
  const choice = (one: object) => ({
    id: "1",
    choices: [{ index: 0, delta: {}, finish_reason: null, ...one }],
  });
  return `${sse(choice({ delta }))}${sse(choice({ finish_reason: finishReason }))}data: [DONE]\n\n`;
}

function anthropicFrames(content_block: object, delta: object, stop_reason: string): string {
  const message = { id: "1", content: [], usage: { input_tokens: 1, output_tokens: 1 } };
  return [
    { type: "message_start", message },
    { type: "content_block_start", index: 0, content_block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason }, usage: { output_tokens: 2 } },
    { type: "message_stop" },
  ]
    .map(anthropicSse)
    .join("");
}

const googleFrame = (part: object) =>
  sse({ candidates: [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }] });
const ollamaLine = (message: object) =>
  `${JSON.stringify({ message: { role: "assistant", content: "", ...message }, done: true, done_reason: "stop" })}\n`;
const callArguments: unknown = JSON.parse(cannedCall.arguments);

const answers: Record<Exclude<ProviderId, "demo">, Answers> = {
  openai,
  "openai-compatible": openai,
  anthropic: {
    type: "text/event-stream",
    call: anthropicFrames(
      { type: "tool_use", id: cannedCall.id, name: cannedCall.name, input: {} },
      { type: "input_json_delta", partial_json: cannedCall.arguments },
      "tool_use",
    ),
    words: anthropicFrames({ type: "text", text: "" }, { type: "text_delta", text: word }, "end_turn"),
  },
  google: {
    type: "text/event-stream",
    call: googleFrame({ functionCall: { name: cannedCall.name, args: callArguments } }),
    words: googleFrame({ text: word }),
  },
  ollama: {
    type: "application/x-ndjson",
    call: ollamaLine({ tool_calls: [{ function: { name: cannedCall.name, arguments: callArguments } }] }),
    words: ollamaLine({ content: word }),
  },
};

/** Asks no server and knows no key. Its first answer is `cannedCall`; the demo has none and obeys its message. */
export async function createCannedModel(provider: ProviderId): Promise<BaseChatModel> {
  if (provider === "demo") return new DemoChatModel({ wordDelayMs: 0 });
  const { type, call, words } = answers[provider];
  let asked = 0;
  const answer = async () => {
    asked += 1;
    return new Response(asked === 1 ? call : words, { headers: { "content-type": type } });
  };
  const ref = { provider, model: "m", baseUrl: "http://127.0.0.1/v1" } as const;
  return createChatModel(ref, { apiKeyFor: () => "none" }, { fetch: answer });
}
