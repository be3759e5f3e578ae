import { describe, expect, it } from "vitest";
import { classifyModelError } from "./classify-model-error.ts";
import { interruptedStream, type ModelErrorCode, stripKeys } from "./model-error.ts";

const refused = (status: number, message: string, more: object = {}) =>
  Object.assign(new Error(`${status} ${message}`), { status, ...more });
const network = (code: string) =>
  new TypeError("fetch failed", { cause: Object.assign(new Error(`connect ${code}`), { code }) });

describe("an error of a model call", () => {
  it.each<[ModelErrorCode, boolean, unknown]>([
    ["wrong-key", false, refused(401, "invalid x-api-key")],
    ["wrong-key", false, refused(403, "Your key has no access to this model")],
    ["wrong-key", false, refused(400, "API key not valid. Please pass a valid API key. API_KEY_INVALID")],
    ["rate-limited", true, refused(429, "Slow down")],
    ["rate-limited", true, refused(529, "Overloaded")],
    ["rate-limited", false, refused(429, "You exceeded your current quota", { code: "insufficient_quota" })],
    ["rate-limited", false, refused(400, "Your credit balance is too low to access the API")],
    ["unknown-model", false, refused(404, "model: nope")],
    ["unknown-model", false, refused(400, "The requested model 'x' does not exist.")],
    ["context-too-long", false, refused(400, "prompt is too long: 210000 tokens > 200000 maximum")],
    ["context-too-long", false, refused(400, "This model's maximum context length is 128000 tokens")],
    [
      "context-too-long",
      false,
      refused(400, "The input token count (1200000) exceeds the maximum number of tokens"),
    ],
    ["context-too-long", false, Object.assign(new Error("x"), { lc_error_code: "CONTEXT_OVERFLOW" })],
    ["unreachable", true, network("ECONNREFUSED")],
    ["unreachable", true, new Error("Connection error.", { cause: network("ENOTFOUND") })],
    ["unreachable", true, refused(408, "Request timeout")],
    ["interrupted-stream", true, new TypeError("terminated", { cause: new Error("other side closed") })],
    ["malformed-response", true, new SyntaxError("Unexpected token '<', \"<html>\" is not valid JSON")],
    ["other", true, refused(500, "Internal")],
    ["other", false, refused(400, "tools is not supported by this model")],
    ["other", false, refused(400, "registry.ollama.ai/library/gemma:2b does not support tools")],
    ["other", false, refused(400, "temperature must be at most 1")],
    ["other", true, new DOMException("This operation was aborted", "AbortError")],
    ["other", true, "just a text"],
    ["other", true, undefined],
  ])("is %s, retryable %s: %s", (code, retryable, error) => {
    expect(classifyModelError(error)).toMatchObject({ name: "ModelError", code, retryable });
  });

  it("is found again under any number of wrappers", () => {
    const original = interruptedStream("was cut off");
    let wrapped: Error = original;
    for (let depth = 0; depth < 20; depth++) wrapped = new Error(wrapped.message, { cause: wrapped });
    expect(classifyModelError(wrapped)).toBe(original);
  });

  it("does not go round a circle of causes for ever", () => {
    const circle = new Error("round");
    circle.cause = circle;
    expect(classifyModelError(circle).code).toBe("other");
  });

  it("names the model, and repeats what the provider said without the library's advertisement", () => {
    const error = refused(
      404,
      "no such thing\n\nTroubleshooting URL: https://docs.example/MODEL_NOT_FOUND/\n",
    );
    const { message } = classifyModelError(error, { provider: "openai", model: "gpt-nope" });
    expect(message).toContain("“gpt-nope”");
    expect(message).toContain("no such thing");
    expect(message).not.toContain("Troubleshooting");
  });

  it.each([
    "tools is not supported by this model",
    "registry.ollama.ai/library/gemma:2b does not support tools",
    "Function calling is not supported",
    "This model doesn't support functions",
  ])("says that a model without tools is none for agents, and not that nobody knows it: %s", (words) => {
    const error = refused(400, words, { error: { error: { message: words } } });
    const { message } = classifyModelError(error, { provider: "ollama", model: "gemma" });
    expect(message).toBe(
      `“gemma” cannot call tools, which an agent needs. Choose another model. It said: ${words}`,
    );
  });

  it("takes a fault of the provider's client for an answer that could not be read, of a known call only", () => {
    const fault = new TypeError("Cannot read properties of undefined (reading 'message')");
    const call = { provider: "openai-compatible", model: "m", baseUrl: "http://127.0.0.1:9/v1" } as const;
    const { code, message } = classifyModelError(new Error("wrapped", { cause: fault }), call);
    expect([code, message]).toEqual(["malformed-response", expect.not.stringContaining("properties")]);
    expect(classifyModelError(fault).code).toBe("other");
  });

  it("prefers the provider's own words to the client's", () => {
    const error = refused(400, '{"error":{}}', { error: { error: { message: "temperature is too high" } } });
    expect(classifyModelError(error).message).toContain("It said: temperature is too high");
  });
});

describe("a text about a failed call", () => {
  it.each([
    "sk-ant-api03-abcdefghijklmnop",
    "sk-proj-ABCDEF1234567890",
    "AIzaSyA1234567890abcdefghijk",
    "gsk_1234567890abcdef",
    "sk-abc***********xyz",
  ])("loses the key %s", (key) => {
    expect(stripKeys(`Incorrect API key provided: ${key}.`)).toBe(
      "Incorrect API key provided: [key removed].",
    );
  });

  it.each([
    ["Authorization: Bearer abcdefghijkl", "abcdefghijkl"],
    ['{"x-api-key": "own-shape-123456"}', "own-shape-123456"],
    ["GET https://host/v1?key=own-shape-123456&alt=sse", "own-shape-123456"],
  ])("loses the key of %s", (text, key) => {
    expect(stripKeys(text)).not.toContain(key);
    expect(stripKeys(text)).toContain("[key removed]");
  });

  it("is left alone when it names no key", () => {
    const text = "The model gpt-5.1 was not found in project task-runner (risk-free)";
    expect(stripKeys(text)).toBe(text);
  });
});
