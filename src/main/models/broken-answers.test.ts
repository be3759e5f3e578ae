/** What comes of an answer that is cut, broken, silent or endless, over each protocol. */
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { AIMessage, type AIMessageChunk, HumanMessage } from "@langchain/core/messages";
import { createDeepAgent } from "deepagents";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ModelRef } from "../../shared/contract/models.ts";
import { isCut, withAnswerEnd } from "./answer-end.ts";
import { classifyModelError } from "./classify-model-error.ts";
import { createChatModel } from "./create-chat-model.ts";
import type { Transport } from "./guarded-fetch.ts";
import type { ModelError } from "./model-error.ts";
import { anthropicSse, sse } from "./sse-frames.ts";
import { protocols } from "./testing/provider-frames.ts";

const key = "test-key-that-no-pattern-knows";
const secrets = { apiKeyFor: () => key };

/** A server that answers a request with whatever the test wants, byte by byte. */
let server: Server;
let url: string;
let answer: (response: ServerResponse) => void;
let requests: IncomingHttpHeaders[];
let closed: Promise<void>;

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(request.headers);
    closed = new Promise((resolve) => response.on("close", resolve));
    request.resume().on("end", () => answer(response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  requests = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Writes the frames one after the other, each in a packet of its own, then does what comes last. */
function send(type: string, frames: readonly (string | Buffer)[], last: (response: ServerResponse) => void) {
  answer = (response) => {
    response.writeHead(200, { "content-type": type });
    const [next, ...rest] = frames;
    const write = (frame: string | Buffer | undefined, following: readonly (string | Buffer)[]) => {
      if (frame === undefined) return last(response);
      response.write(frame, () => setImmediate(() => write(following[0], following.slice(1))));
    };
    write(next, rest);
  };
}
const end = (response: ServerResponse) => response.end();
const cut = (response: ServerResponse) => response.destroy();
const stay = () => {};

async function ask(ref: ModelRef, transport: Partial<Transport> = {}, signal?: AbortSignal) {
  let text = "";
  let error: ModelError | undefined;
  try {
    const model = await createChatModel(ref, secrets, { wait: async () => {}, ...transport });
    for await (const chunk of await model.stream("hi", { signal })) text += chunk.text;
  } catch (thrown) {
    error = classifyModelError(thrown, ref);
  }
  return { text, error };
}

describe.each(Object.entries(protocols))("an answer over the %s protocol", (_name, protocol) => {
  const good = () =>
    [protocol.start, protocol.piece("Half "), protocol.piece("an answer")].filter((f) => f !== "");

  it("is whole when it ends the way the protocol ends", async () => {
    send(protocol.type, [...good(), protocol.ending], end);
    expect(await ask(protocol.ref(url))).toEqual({ text: "Half an answer", error: undefined });
  });

  it("is interrupted when the server closes it politely before its end", async () => {
    send(protocol.type, good(), end);
    expect(await ask(protocol.ref(url))).toMatchObject({
      text: "Half an answer",
      error: { code: "interrupted-stream", retryable: true },
    });
  });

  it("is interrupted when the connection breaks, and is not asked for again behind the person's back", async () => {
    send(protocol.type, good(), cut);
    expect(await ask(protocol.ref(url))).toMatchObject({
      text: expect.stringMatching(/^Half /),
      error: { code: "interrupted-stream" },
    });
    expect(requests).toHaveLength(1);
  });

  it("is interrupted in the middle of a frame", async () => {
    send(protocol.type, [...good(), protocol.piece("lost").slice(0, -8)], end);
    const { text, error } = await ask(protocol.ref(url));
    expect(text).toBe("Half an answer");
    expect(["interrupted-stream", "malformed-response"]).toContain(error?.code);
  });

  it("is cut while it arrives when one piece of it is longer than any answer", async () => {
    send(protocol.type, [protocol.start, protocol.piece("z".repeat(5_000_000)), protocol.ending], end);
    const { text, error } = await ask(protocol.ref(url));
    expect(error).toBeUndefined();
    expect(text).toMatch(/^z{600000,700000}$/);
  });

  it("is malformed when a frame cannot be read, after the good frames were delivered", async () => {
    send(protocol.type, [...good(), protocol.broken, protocol.ending], end);
    expect(await ask(protocol.ref(url))).toMatchObject({
      text: "Half an answer",
      error: { code: "malformed-response", retryable: true },
    });
  });

  it("keeps the good frames also when the broken one comes in the same packet", async () => {
    send(protocol.type, [good().join("") + protocol.broken], end);
    const { text, error } = await ask(protocol.ref(url));
    expect(error).toMatchObject({ code: "malformed-response" });
    expect(text).toBe("Half an answer");
  });

  it("is interrupted when the server falls silent", async () => {
    send(protocol.type, good(), stay);
    const { text, error } = await ask(protocol.ref(url), { silenceLimitMs: 500 });
    expect(["", "Half an answer"]).toContain(text);
    expect(error).toMatchObject({ code: "interrupted-stream" });
    expect(error?.message).toContain("stopped coming");
  });

  it("is interrupted when the server only says that it is there", async () => {
    if (protocol.type !== "text/event-stream") return;
    const ping = protocol.ref(url).provider === "anthropic" ? anthropicSse({ type: "ping" }) : ": ping\n\n";
    answer = (response) => {
      response.writeHead(200, { "content-type": protocol.type });
      for (const piece of good()) response.write(piece);
      const pinging = setInterval(() => response.write(ping), 20);
      response.on("close", () => clearInterval(pinging));
    };
    const { error } = await ask(protocol.ref(url), { silenceLimitMs: 500 });
    expect(error?.message).toContain("stopped coming");
  });

  it("is interrupted when it has no end", async () => {
    answer = (response) => {
      response.writeHead(200, { "content-type": protocol.type });
      response.write(protocol.start);
      const talking = setInterval(() => response.write(protocol.piece("on ")), 20);
      response.on("close", () => clearInterval(talking));
    };
    const { error } = await ask(protocol.ref(url), { wholeLimitMs: 500 });
    expect(error?.message).toContain("was ended after");
  });

  it("keeps characters whole that arrive in two packets", async () => {
    const piece = Buffer.from(protocol.piece("Grüße 🌍"));
    const middle = piece.indexOf(Buffer.from("🌍")) + 2;
    send(
      protocol.type,
      [protocol.start, piece.subarray(0, middle), piece.subarray(middle), protocol.ending],
      end,
    );
    expect((await ask(protocol.ref(url))).text).toBe("Grüße 🌍");
  });

  it("closes the connection at once when the caller stops", async () => {
    send(protocol.type, good(), stay);
    const model = await createChatModel(protocol.ref(url), secrets);
    const stop = new AbortController();
    let text = "";
    const reading = (async () => {
      for await (const chunk of await model.stream("hi", { signal: stop.signal })) {
        text += chunk.text;
        if (text.endsWith("answer")) stop.abort();
      }
    })();
    await expect(reading).rejects.toThrow(/abort/i);
    await closed;
    expect(text).toBe("Half an answer");
  });

  it("closes the connection at once when the caller stops before the first byte", async () => {
    const stop = new AbortController();
    answer = () => stop.abort();
    const { error } = await ask(protocol.ref(url), {}, stop.signal);
    expect(error?.message).toContain("stopped");
    await closed;
  });

  it("sends the key it was given and no other", async () => {
    send(protocol.type, [...good(), protocol.ending], end);
    await ask(protocol.ref(url));
    const { "x-api-key": anthropicKey, "x-goog-api-key": googleKey, authorization } = requests[0] ?? {};
    expect([anthropicKey, googleKey, authorization].filter((value) => value !== undefined)).toEqual([
      expect.stringMatching(new RegExp(`^(?:Bearer )?${key}$`)),
    ]);
  });

  it("ends an agent's run with the same honest error, its partial text streamed before", async () => {
    send(protocol.type, good(), end);
    const agent = createDeepAgent({ model: await createChatModel(protocol.ref(url), secrets) });
    let text = "";
    const run = (async () => {
      const stream = await agent.stream({ messages: [new HumanMessage("hi")] }, { streamMode: "messages" });
      for await (const [message] of stream) text += message.text;
    })();
    const thrown = await run.then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(classifyModelError(thrown)).toMatchObject({ code: "interrupted-stream" });
    expect(text).toBe("Half an answer");
  });
});

describe("an answer over the openai protocol", () => {
  const { type, ref, ending } = protocols.openai!;

  it.each([[undefined], [null], [""], ["user"], ["tool"], ["system"], ["function"], ["model"]])(
    "by the role %j is the assistant's all the same",
    async (role) => {
      const said = (content: string) => sse({ id: "1", choices: [{ index: 0, delta: { role, content } }] });
      send(type, [said("Half "), said("an answer"), ending], end);
      const model = await createChatModel(ref(url), secrets);
      let whole: AIMessageChunk | undefined;
      for await (const chunk of await model.stream("hi")) whole = whole?.concat(chunk) ?? chunk;
      expect([AIMessage.isInstance(whole), whole?.text]).toEqual([true, "Half an answer"]);
    },
  );

  it.each([
    ["length", "stop"],
    ["stop", "length"],
    ["tool_calls", "nobody_knows", "stop"],
  ])("that ends as %s and %s broke off", async (...reasons) => {
    const ends = reasons.map((reason) =>
      sse({ id: "1", choices: [{ index: 0, delta: {}, finish_reason: reason }] }),
    );
    send(type, [protocols.openai!.start, ...ends, "data: [DONE]\n\n"], end);
    const { endedBy } = await withAnswerEnd(() => ask(ref(url)));
    expect(isCut(endedBy)).toBe(true);
  });
});

describe("a model's server", () => {
  it("that answers with nothing at all is called unreadable", async () => {
    answer = (response) => response.writeHead(204).end();
    for (const name of Object.keys(protocols))
      expect((await ask(protocols[name]!.ref(url))).error?.message, name).toContain("could not be read");
  });

  it("that answers with a web page is called unreadable, with a hint at the base URL", async () => {
    send("text/html", ["<!doctype html>\n\n<title>Sign in</title>"], end);
    for (const provider of ["anthropic", "openai", "ollama", "google"] as const) {
      const { error } = await ask({ provider, model: "m", baseUrl: url });
      expect(error?.code, provider).toMatch(/malformed-response|interrupted-stream/);
    }
  });

  it("that is overloaded in the middle of an answer is told apart from a cut", async () => {
    const { start, piece, type, ref } = protocols.anthropic!;
    const overloaded = anthropicSse({
      type: "error",
      error: { type: "overloaded_error", message: "Overloaded" },
    });
    send(type, [start, piece("Half"), overloaded], end);
    expect(await ask(ref(url))).toMatchObject({
      text: "Half",
      error: { code: "rate-limited", retryable: true },
    });
  });

  it("of Google that says in the middle of an answer that it is overloaded is believed", async () => {
    const { piece, type, ref } = protocols.google!;
    const overloaded = sse({ error: { code: 503, message: "Overloaded", status: "UNAVAILABLE" } });
    send(type, [piece("Half"), overloaded], end);
    expect(await ask(ref(url))).toMatchObject({
      text: "Half",
      error: { code: "rate-limited", retryable: true },
    });
  });

  it("that never answers is unreachable after the limit on silence", async () => {
    answer = stay;
    for (const name of Object.keys(protocols)) {
      const { error } = await ask(protocols[name]!.ref(url), { silenceLimitMs: 80 });
      expect(error, name).toMatchObject({ code: "unreachable", retryable: true });
    }
  });
});
