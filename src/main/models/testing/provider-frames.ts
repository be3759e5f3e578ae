/** An answer of each protocol, frame by frame, as a test breaks it. */
import type { ModelRef } from "../../../shared/contract/models.ts";
import { anthropicSse, sse } from "../sse-frames.ts";

type Protocol = {
  ref: (url: string) => ModelRef;
  type: string;
  /** What comes before the text, a piece of text, and how the protocol ends. */
  start: string;
  piece: (text: string) => string;
  ending: string;
  /** A frame that is none. */
  broken: string;
};

export const protocols: Record<string, Protocol> = {
  anthropic: {
    ref: (url) => ({ provider: "anthropic", model: "m", baseUrl: url }),
    type: "text/event-stream",
    start: [
      anthropicSse({
        type: "message_start",
        message: { id: "1", content: [], usage: { input_tokens: 1, output_tokens: 1 } },
      }),
      anthropicSse({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    ].join(""),
    piece: (text) =>
      anthropicSse({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } }),
    ending: [
      anthropicSse({ type: "content_block_stop", index: 0 }),
      anthropicSse({
        type: "message_delta",
        delta: { stop_reason: "end_turn" },
        usage: { output_tokens: 2 },
      }),
      anthropicSse({ type: "message_stop" }),
    ].join(""),
    broken: 'event: content_block_delta\ndata: {"type":"content_block_delta","del\n\n',
  },
  openai: {
    ref: (url) => ({ provider: "openai", model: "m", baseUrl: `${url}/v1` }),
    type: "text/event-stream",
    start: sse({
      id: "1",
      choices: [{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }],
    }),
    piece: (content) => sse({ id: "1", choices: [{ index: 0, delta: { content }, finish_reason: null }] }),
    ending: `${sse({ id: "1", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}data: [DONE]\n\n`,
    broken: 'data: {"id":"1","choices":[{"ind\n\n',
  },
  google: {
    ref: (url) => ({ provider: "google", model: "gemini-2.5-flash", baseUrl: url }),
    type: "text/event-stream",
    start: "",
    piece: (text) => sse({ candidates: [{ index: 0, content: { role: "model", parts: [{ text }] } }] }),
    ending: sse({
      candidates: [{ index: 0, content: { role: "model", parts: [{ text: "" }] }, finishReason: "STOP" }],
    }),
    broken: 'data: {"candidates":[{"ind\n\n',
  },
  ollama: {
    ref: (url) => ({ provider: "ollama", model: "m", baseUrl: url }),
    type: "application/x-ndjson",
    start: "",
    piece: (content) => `${JSON.stringify({ message: { role: "assistant", content }, done: false })}\n`,
    ending: `${JSON.stringify({ message: { role: "assistant", content: "" }, done: true, done_reason: "stop" })}\n`,
    broken: '{"message":{"role":"assi\n',
  },
};
