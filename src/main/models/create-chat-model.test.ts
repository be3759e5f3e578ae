import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { LLMock } from "@copilotkit/aimock";
import { type AIMessageChunk, HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { createDeepAgent } from "deepagents";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import type { ModelRef } from "../../shared/contract/models.ts";
import { classifyModelError } from "./classify-model-error.ts";
import { createChatModel } from "./create-chat-model.ts";
import type { Transport } from "./guarded-fetch.ts";
import type { ModelError } from "./model-error.ts";
import { providers } from "./providers.ts";
import { testModel } from "./test-model.ts";

const apiKey = "test-key-that-no-pattern-knows";
const secrets = { apiKeyFor: () => apiKey };

const mock = new LLMock({ port: 0, host: "127.0.0.1" });
beforeAll(async () => {
  await mock.start();
});
afterEach(() => {
  mock.reset();
});
afterAll(async () => {
  await mock.stop();
});

const refs: Record<string, () => ModelRef> = {
  anthropic: () => ({ provider: "anthropic", model: "claude-test-1", baseUrl: mock.url }),
  openai: () => ({ provider: "openai", model: "gpt-test-1", baseUrl: `${mock.url}/v1` }),
  "openai, responses protocol": () => ({
    provider: "openai",
    model: "codex-test-1",
    baseUrl: `${mock.url}/v1`,
  }),
  "openai-compatible": () => ({
    provider: "openai-compatible",
    model: "codex-local",
    baseUrl: `${mock.url}/v1/`,
  }),
  google: () => ({ provider: "google", model: "gemini-test-1", baseUrl: mock.url }),
  ollama: () => ({ provider: "ollama", model: "llama-test:8b", baseUrl: mock.url }),
};

const weather = tool(({ city }) => `Sun over ${city}`, {
  name: "weather",
  description: "Tells the weather of a city",
  schema: z.object({ city: z.string() }),
});

/** The same counts in the words of every protocol. */
const usage = {
  input_tokens: 11,
  output_tokens: 7,
  prompt_tokens: 11,
  completion_tokens: 7,
  promptTokenCount: 11,
  candidatesTokenCount: 7,
};

type Asked = {
  text: string;
  chunks: AIMessageChunk[];
  whole: AIMessageChunk | undefined;
  error: ModelError | undefined;
};

/** Streams an answer to its end or its error, and keeps what arrived until then. */
async function ask(ref: ModelRef, question: string, transport: Partial<Transport> = {}): Promise<Asked> {
  const chunks: AIMessageChunk[] = [];
  let error: ModelError | undefined;
  try {
    const model = await createChatModel(ref, secrets, transport);
    const bound = model.bindTools?.([weather]) ?? model;
    for await (const chunk of await bound.stream([new HumanMessage(question)])) chunks.push(chunk);
  } catch (thrown) {
    error = classifyModelError(thrown, ref);
  }
  const text = chunks.map((chunk) => chunk.text).join("");
  return { text, chunks, error, whole: chunks.length > 0 ? chunks.reduce((a, b) => a.concat(b)) : undefined };
}

describe.each(Object.keys(refs))("a model over HTTP: %s", (name) => {
  const ref = () => refs[name]!();

  it("streams text in pieces, counts tokens, and calls the very model that was asked for", async () => {
    mock.onMessage("hello", { content: "Good morning to you all", usage: usage }, { chunkSize: 5 });
    const { text, chunks, whole, error } = await ask(ref(), "hello");
    expect(error).toBeUndefined();
    expect(text).toBe("Good morning to you all");
    expect(chunks.filter((chunk) => chunk.text !== "").length).toBeGreaterThan(2);
    // Anthropic's client adds the counts of the first and the last event; the mock has no counts for Ollama.
    const counted = { anthropic: 14, ollama: 0 };
    expect(whole?.usage_metadata).toMatchObject({ output_tokens: Reflect.get(counted, ref().provider) ?? 7 });
    const request = mock.getLastRequest();
    expect(request?.body).toMatchObject({ model: ref().model });
  });

  it("streams a tool call", async () => {
    mock.onMessage("one city", { toolCalls: [{ name: "weather", arguments: '{"city":"Oslo"}' }] });
    const { whole, error } = await ask(ref(), "one city");
    expect(error).toBeUndefined();
    expect(whole?.tool_calls).toMatchObject([{ name: "weather", args: { city: "Oslo" } }]);
  });

  it("streams parallel tool calls, each with an id of its own", async () => {
    mock.onMessage("two cities", {
      toolCalls: [
        { name: "weather", arguments: '{"city":"Oslo"}' },
        { name: "weather", arguments: '{"city":"Lima"}' },
      ],
    });
    const { whole } = await ask(ref(), "two cities");
    expect(whole?.tool_calls?.map((call) => call.args.city)).toEqual(["Oslo", "Lima"]);
    expect(new Set(whole?.tool_calls?.map((call) => call.id)).size).toBe(2);
  });

  it("waits as long as the provider asks on 429, then goes on", async () => {
    mock.on(
      { userMessage: "limited", sequenceIndex: 0 },
      { error: { message: "Slow down", type: "rate_limit_error" }, status: 429, retryAfter: 7 },
    );
    mock.on({ userMessage: "limited", sequenceIndex: 1 }, { content: "after the wait" });
    const waits: number[] = [];
    const { text, error } = await ask(ref(), "limited", { wait: async (delayMs) => waits.push(delayMs) });
    expect(error).toBeUndefined();
    expect(text).toBe("after the wait");
    // Google sends no such header along; its error carries the pause in the body.
    if (ref().provider === "google") expect(waits).toHaveLength(1);
    else expect(waits).toEqual([7_000]);
    expect(mock.getRequests()).toHaveLength(2);
  });

  it("gives up on 429 after a bounded number of retries", async () => {
    mock.onMessage("limited", { error: { message: "Slow down", type: "rate_limit_error" }, status: 429 });
    const { error } = await ask(ref(), "limited", { wait: async () => {}, maxRetries: 2 });
    expect(error).toMatchObject({ code: "rate-limited", retryable: true });
    expect(mock.getRequests()).toHaveLength(3);
  });

  it("keeps the partial text of a stream that is cut, and never takes it for the answer", async () => {
    mock.onMessage(
      "long",
      { content: "one two three four five six seven eight" },
      { chunkSize: 4, latency: 4, truncateAfterChunks: 7 },
    );
    const { text, error } = await ask(ref(), "long");
    expect(error).toMatchObject({ code: "interrupted-stream", retryable: true });
    expect("one two three four five six seven eight".startsWith(text)).toBe(true);
    expect(text.length).toBeGreaterThan(0);
  });

  it("says that an answer was unreadable", async () => {
    mock.onMessage("garbage", { content: "never seen" }, { chaos: { malformedRate: 1 } });
    const { text, error } = await ask(ref(), "garbage");
    expect(error).toMatchObject({ code: "malformed-response", retryable: true });
    expect(text).toBe("");
  });

  it("is as honest about an answer that comes in one piece", async () => {
    mock.onMessage("garbage", { content: "never seen" }, { chaos: { malformedRate: 1 } });
    mock.onMessage("gone", { content: "never seen" }, { chaos: { disconnectRate: 1 } });
    const model = await createChatModel(ref(), secrets, { wait: async () => {}, maxRetries: 1 });
    const failure = (question: string) =>
      model.invoke(question).then(String, (thrown) => classifyModelError(thrown));
    expect(await failure("garbage")).toMatchObject({ code: "malformed-response" });
    expect(await failure("gone")).toMatchObject({ code: "unreachable", retryable: true });
  });

  it("names a wrong key as such, without repeating the key and without trying again", async () => {
    mock.onMessage("hi", { error: { message: `Incorrect API key provided: ${apiKey}` }, status: 401 });
    const { error } = await ask(ref(), "hi");
    expect(error).toMatchObject({ code: "wrong-key", retryable: false });
    expect(`${error?.message} ${error?.stack}`).not.toContain(apiKey);
    expect(mock.getRequests()).toHaveLength(1);
  });

  it("names a model the provider does not know", async () => {
    mock.onMessage("hi", { error: { message: "model: nope", type: "not_found_error" }, status: 404 });
    const { error } = await ask(ref(), "hi");
    expect(error).toMatchObject({ code: "unknown-model", retryable: false });
    expect(error?.message).toContain(ref().model);
  });

  it("proves key and id with one tiny call", async () => {
    mock.onMessage("OK", { content: "OK" });
    expect(await testModel(ref(), secrets)).toEqual({ ok: true });
    expect(mock.getRequests()).toHaveLength(1);
    mock.reset();
    mock.onMessage("OK", { error: { message: "no" }, status: 401 });
    expect(await testModel(ref(), secrets)).toMatchObject({ ok: false, error: { code: "wrong-key" } });
  });

  it("drives an agent through parallel tool calls to its answer", async () => {
    mock.on(
      { userMessage: "weather", hasToolResult: false },
      {
        toolCalls: [
          { name: "weather", arguments: '{"city":"Oslo"}' },
          { name: "weather", arguments: '{"city":"Lima"}' },
        ],
      },
    );
    mock.on({ userMessage: "weather", hasToolResult: true }, { content: "Sun in both" });
    const agent = createDeepAgent({ model: await createChatModel(ref(), secrets), tools: [weather] });
    const { messages } = await agent.invoke({ messages: [new HumanMessage("weather please")] });
    expect(messages.map((message) => message.type)).toEqual(["human", "ai", "tool", "tool", "ai"]);
    expect(messages.at(-1)?.text).toBe("Sun in both");
  });
});

describe("creating a model", () => {
  it("takes no key from the process environment", async () => {
    const names = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GOOGLE_API_KEY", "GEMINI_API_KEY"];
    const before = names.map((name) => process.env[name]);
    for (const name of names) process.env[name] = "sk-from-the-environment";
    try {
      for (const provider of ["anthropic", "openai", "google"] as const) {
        const creating = createChatModel({ provider, model: "m" }, { apiKeyFor: () => undefined });
        await expect(creating).rejects.toMatchObject({ code: "missing-key", retryable: false });
      }
    } finally {
      names.forEach((name, index) => {
        if (before[index] === undefined) delete process.env[name];
        else process.env[name] = before[index];
      });
    }
  });

  it("asks for a base URL where there is no default", async () => {
    const creating = createChatModel({ provider: "openai-compatible", model: "m" }, secrets);
    await expect(creating).rejects.toThrow(/base URL/);
  });

  it("says that a server is not there", async () => {
    const gone = new LLMock({ port: 0, host: "127.0.0.1" });
    const url = await gone.start();
    await gone.stop();
    const ref: ModelRef = { provider: "openai-compatible", model: "m", baseUrl: `${url}/v1` };
    expect((await ask(ref, "hi")).error).toMatchObject({ code: "unreachable", retryable: true });
    expect((await ask({ ...ref, provider: "ollama", baseUrl: url }, "hi")).error).toMatchObject({
      code: "unreachable",
    });
    expect((await ask({ ...ref, provider: "google", baseUrl: url }, "hi")).error).toMatchObject({
      code: "unreachable",
    });
  });

  it("says when a test call gets no answer in time", async () => {
    mock.onMessage("OK", { content: "OK" }, { chaos: { latencyMs: 5_000 } });
    const result = await testModel(
      { provider: "openai-compatible", model: "m", baseUrl: `${mock.url}/v1` },
      secrets,
      50,
    );
    expect(result).toMatchObject({ ok: false, error: { code: "unreachable" } });
  });

  it("does not call a model usable whose server cannot stream, since its first thread would fail", async () => {
    const choices = [{ index: 0, message: { role: "assistant", content: "OK" }, finish_reason: "stop" }];
    const server = createServer((_request, response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ id: "x", object: "chat.completion", choices }));
    });
    onTestFinished(() => void server.close());
    await once(server.listen(0, "127.0.0.1"), "listening");
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const result = await testModel({ provider: "openai-compatible", model: "m", baseUrl }, secrets);
    expect(result).toMatchObject({ ok: false, error: { code: "malformed-response" } });
  });

  it("knows the context window of every hosted model it suggests", async () => {
    for (const provider of ["anthropic", "openai", "google"] as const) {
      for (const model of providers[provider].suggestedModels) {
        const { profile } = await createChatModel({ provider, model }, secrets);
        expect(profile.maxInputTokens, model).toBeGreaterThan(10_000);
      }
    }
  });
});
