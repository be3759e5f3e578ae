/** Token counts must be what the providers bill, over their real clients and protocols. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { AIMessage, type AIMessageChunk } from "@langchain/core/messages";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ModelRef } from "../../shared/contract/models.ts";
import { createChatModel } from "./create-chat-model.ts";
import { usageOf } from "./usage-of.ts";

let server: Server;
let url: string;
let answer = "";

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const frames = (...data: { type?: string; [field: string]: unknown }[]) =>
  data.map((one) => `${one.type ? `event: ${one.type}\n` : ""}data: ${JSON.stringify(one)}\n\n`).join("");

/** Streamed and put together again, as a run does it. */
async function ask(ref: ModelRef) {
  const model = await createChatModel(ref, { apiKeyFor: () => "key" });
  let whole: AIMessageChunk | undefined;
  for await (const chunk of await model.stream("hi")) whole = whole?.concat(chunk) ?? chunk;
  return usageOf(whole as unknown as AIMessage, ref.provider);
}

describe("the usage of a call", () => {
  it("tells what Anthropic's cache took part in, as a part of the input", async () => {
    answer = frames(
      {
        type: "message_start",
        message: {
          id: "1",
          content: [],
          usage: {
            input_tokens: 100,
            cache_read_input_tokens: 3_000,
            cache_creation_input_tokens: 500,
            output_tokens: 0,
          },
        },
      },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello" } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 40 } },
      { type: "message_stop" },
    );
    const usage = await ask({ provider: "anthropic", model: "m", baseUrl: url });
    expect(usage).toEqual({
      inputTokens: 3_600,
      outputTokens: 40,
      cacheReadTokens: 3_000,
      cacheWriteTokens: 500,
    });
  });

  it("tells the cached input of an OpenAI-compatible server", async () => {
    const usage = { prompt_tokens: 900, completion_tokens: 20, total_tokens: 920 };
    const piece = { index: 0, delta: { role: "assistant", content: "Hello" }, finish_reason: null };
    answer = `${frames(
      { id: "1", choices: [piece] },
      { id: "1", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
      { id: "1", choices: [], usage: { ...usage, prompt_tokens_details: { cached_tokens: 800 } } },
    )}data: [DONE]\n\n`;
    expect(await ask({ provider: "openai-compatible", model: "m", baseUrl: url })).toEqual({
      inputTokens: 900,
      outputTokens: 20,
      cacheReadTokens: 800,
    });
  });

  it("counts what Gemini thought as output, and its cached input once however often it is told", async () => {
    const piece = (text: string, spoken: number, thought: number, finishReason?: string) => ({
      candidates: [{ index: 0, content: { role: "model", parts: [{ text }] }, finishReason }],
      usageMetadata: {
        promptTokenCount: 1_000,
        cachedContentTokenCount: 600,
        candidatesTokenCount: spoken,
        thoughtsTokenCount: thought,
        totalTokenCount: 1_000 + spoken + thought,
      },
    });
    answer = frames(piece("Half ", 5, 70), piece("an ", 8, 70), piece("answer", 12, 70, "STOP"));
    expect(await ask({ provider: "google", model: "gemini-2.5-flash", baseUrl: url })).toEqual({
      inputTokens: 1_000,
      outputTokens: 82,
      cacheReadTokens: 600,
    });
  });

  it("is unknown where the provider reports nothing, and not zero", () => {
    expect(usageOf(new AIMessage("hi"), "openai")).toBeUndefined();
  });

  it("stays within what can be, whatever a server reports", () => {
    const message = new AIMessage({
      content: "",
      usage_metadata: {
        input_tokens: 10,
        output_tokens: Number.NaN,
        total_tokens: -5,
        input_token_details: { cache_read: 90, cache_creation: 7 },
      },
    });
    expect(usageOf(message, "openai-compatible")).toEqual({
      inputTokens: 10,
      outputTokens: 0,
      cacheReadTokens: 10,
    });
  });

  it.each([1e308, -5, 1.5, 9e15])(
    "stays a number that can be added up when a server reports %d tokens",
    (tokens) => {
      const usageMetadata = { input_tokens: tokens, output_tokens: tokens, total_tokens: tokens };
      const used = usageOf(new AIMessage({ content: "", usage_metadata: usageMetadata }), "openai");
      for (const count of [used?.inputTokens, used?.outputTokens])
        expect(Number.isSafeInteger((count ?? Number.NaN) * 1_000_000)).toBe(true);
    },
  );
});
