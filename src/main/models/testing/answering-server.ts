/** Test double: one real HTTP server that speaks the protocol of each provider and says exactly what a test wants, also what no provider should. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ModelRef } from "../../../shared/contract/models.ts";
import { anthropicSse, sse } from "../sse-frames.ts";

/** One call as it goes over the wire: `args` is the text of its arguments, however broken; ids may be missing. */
export type WiredCall = { id?: string; name: string; args: string };

/** One answer; `finish` is the protocol's own word for why it ended. */
export type WiredAnswer = {
  text?: string;
  /** Sent as `reasoning_content`, piece by piece, by servers that speak like OpenAI; anything, since nobody checks it. */
  reasoning?: unknown[];
  calls?: WiredCall[];
  finish: string;
  messageId?: string;
};

export type Protocol = "openai" | "openai-compatible" | "anthropic" | "google" | "ollama";

type Wire = {
  type: string;
  path: string;
  /** How this protocol says that an answer is whole, with and without calls, and that it reached its limit. */
  words: { stop: string; calls: string; length: string };
  frames(answer: WiredAnswer): string[];
};

/** Arguments that go over the wire as JSON inside of JSON: written as they are, since nesting can be too deep to be read here. */
const asJson = (args: string) => `<<${args}>>`;
const withJson = (frame: string) =>
  frame.replace(/"<<(.*?)>>"/gs, (_, args: string) => JSON.parse(`"${args}"`) as string);

const openAi: Wire = {
  type: "text/event-stream",
  path: "/v1",
  words: { stop: "stop", calls: "tool_calls", length: "length" },
  frames({ text, reasoning = [], calls = [], finish, messageId = "chatcmpl-1" }) {
    const chunk = (delta: object, reason: string | null = null) =>
      sse({
        id: messageId,
        object: "chat.completion.chunk",
        choices: [{ index: 0, delta, finish_reason: reason }],
      });
    return [
      ...reasoning.map((piece) => chunk({ role: "assistant", content: null, reasoning_content: piece })),
      chunk({ role: "assistant", content: text ?? "" }),
      ...calls.flatMap(({ id, name, args }, index) => {
        const half = Math.ceil(args.length / 2);
        const first = { index, ...(id !== undefined && { id }), type: "function" };
        return [
          chunk({ tool_calls: [{ ...first, function: { name, arguments: args.slice(0, half) } }] }),
          chunk({ tool_calls: [{ index, function: { arguments: args.slice(half) } }] }),
        ];
      }),
      chunk({}, finish),
      "data: [DONE]\n\n",
    ];
  },
};

const anthropic: Wire = {
  type: "text/event-stream",
  path: "",
  words: { stop: "end_turn", calls: "tool_use", length: "max_tokens" },
  frames({ text, calls = [], finish, messageId = "msg_1" }) {
    const block = (index: number, content: object, deltas: object[]) => [
      anthropicSse({ type: "content_block_start", index, content_block: content }),
      ...deltas.map((delta) => anthropicSse({ type: "content_block_delta", index, delta })),
      anthropicSse({ type: "content_block_stop", index }),
    ];
    const first = text === undefined ? 0 : 1;
    return [
      anthropicSse({
        type: "message_start",
        message: {
          id: messageId,
          type: "message",
          role: "assistant",
          content: [],
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      }),
      ...(text === undefined ? [] : block(0, { type: "text", text: "" }, [{ type: "text_delta", text }])),
      ...calls.flatMap(({ id, name, args }, at) =>
        block(first + at, { type: "tool_use", ...(id !== undefined && { id }), name, input: {} }, [
          { type: "input_json_delta", partial_json: args },
        ]),
      ),
      anthropicSse({
        type: "message_delta",
        delta: { stop_reason: finish, stop_sequence: null },
        usage: { output_tokens: 2 },
      }),
      anthropicSse({ type: "message_stop" }),
    ];
  },
};

const google: Wire = {
  type: "text/event-stream",
  path: "",
  words: { stop: "STOP", calls: "STOP", length: "MAX_TOKENS" },
  frames({ text, calls = [], finish }) {
    const parts = [
      ...(text === undefined ? [] : [{ text }]),
      ...calls.map(({ name, args }) => ({ functionCall: { name, args: asJson(args) } })),
    ];
    const candidate = (some: object[], more: object = {}) =>
      withJson(sse({ candidates: [{ index: 0, content: { role: "model", parts: some }, ...more }] }));
    return [...parts.map((part) => candidate([part])), candidate([{ text: "" }], { finishReason: finish })];
  },
};

const ollama: Wire = {
  type: "application/x-ndjson",
  path: "",
  words: { stop: "stop", calls: "stop", length: "length" },
  frames({ text, calls = [], finish }) {
    const line = (data: object) => withJson(`${JSON.stringify(data)}\n`);
    const tools = calls.map(({ name, args }) => ({
      function: { name, arguments: asJson(args) },
    }));
    return [
      ...(text === undefined ? [] : [line({ message: { role: "assistant", content: text }, done: false })]),
      ...(tools.length > 0
        ? [line({ message: { role: "assistant", content: "", tool_calls: tools }, done: false })]
        : []),
      line({ message: { role: "assistant", content: "" }, done: true, done_reason: finish }),
    ];
  },
};

const wires: Record<Protocol, Wire> = {
  openai: openAi,
  "openai-compatible": openAi,
  anthropic,
  google,
  ollama,
};

export type AnsweringServer = {
  /** What it was asked, newest last, as parsed bodies. */
  readonly asked: unknown[];
  /** The words of the protocol for an answer's end. */
  readonly words: Wire["words"];
  readonly model: ModelRef;
  /** Said in order; after the last one the model says that it is done. */
  say(...answers: WiredAnswer[]): void;
  close(): void;
};

/** @returns a server on a free port of this machine that answers every request with what is next. */
export async function startAnsweringServer(protocol: Protocol): Promise<AnsweringServer> {
  const wire = wires[protocol];
  const asked: unknown[] = [];
  let next: WiredAnswer[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += String(piece);
    asked.push(JSON.parse(body || "null"));
    const answer = next.shift() ?? { text: "Finished.", finish: wire.words.stop };
    response.writeHead(200, { "content-type": wire.type });
    for (const frame of wire.frames(answer)) response.write(frame);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    words: wire.words,
    model: { provider: protocol, model: "gpt-m", baseUrl: `http://127.0.0.1:${port}${wire.path}` },
    say(...answers) {
      next = answers;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
