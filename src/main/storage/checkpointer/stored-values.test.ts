/** Whatever value a graph may hold comes back exactly as the stock saver would give it back. */

import { Document } from "@langchain/core/documents";
import {
  AIMessage,
  AIMessageChunk,
  HumanMessage,
  RemoveMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { Send } from "@langchain/langgraph";
import { type Checkpoint, DeltaSnapshot, TASKS, uuid6 } from "@langchain/langgraph-checkpoint";
import type { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runsOf } from "../../base/testing/long-run.ts";
import { openLinear, openStock } from "./testing/stored-threads.ts";

const longText = fc.string({ minLength: 1, maxLength: 40 }).map((text) => text.repeat(200));
const id = fc.option(fc.string(), { nil: undefined });
const content = fc.oneof(
  fc.string(),
  longText,
  fc.array(fc.record({ type: fc.constant("text"), text: fc.string() }), { maxLength: 3 }),
);
/** Keys that this storage, the stock serialiser or LangChain give a meaning to. */
const key = fc
  .oneof(fc.string(), fc.constantFrom("~", "lc", "type", "id", "__lc_escaped__", "kwargs"))
  .filter((name) => name !== "__proto__");

const flatArgs = fc.dictionary(key, fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<unknown>, {
  maxKeys: 3,
  noNullPrototype: true,
});
const args = fc.dictionary(key, fc.oneof(fc.string(), flatArgs), { maxKeys: 3, noNullPrototype: true });
const toolCall = fc.record({
  id: fc.string(),
  name: fc.string(),
  args,
  type: fc.constant("tool_call" as const),
});
const message = fc.oneof(
  fc
    .record({ content, id, tool_calls: fc.array(toolCall, { maxLength: 2 }), additional_kwargs: args })
    .map((fields) => new AIMessage(fields as never)),
  fc.record({ content, id }).map((fields) => new HumanMessage(fields as never)),
  fc.record({ content, id, name: id }).map((fields) => new SystemMessage(fields as never)),
  fc
    .record({
      content,
      id,
      tool_call_id: fc.string(),
      artifact: fc
        .anything({ maxDepth: 1, withDate: false, withBigInt: false, withNullPrototype: false })
        .filter(isJsonLike),
      status: fc.constantFrom("success", "error", undefined),
    })
    .map((fields) => new ToolMessage(fields as never)),
  fc.record({ id, content: fc.string() }).map(
    (fields) =>
      new AIMessageChunk({
        ...fields,
        tool_call_chunks: [{ index: 0, id: "c", name: "n", args: '{"a":1}', type: "tool_call_chunk" }],
      } as never),
  ),
  fc.string().map((removed) => new RemoveMessage({ id: removed })),
);

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.string(),
    fc.double(),
    fc.constantFrom(undefined, null, true, false),
    longText,
    message,
    fc.array(message, { maxLength: 8 }),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(key, tie("value"), { maxKeys: 4, noNullPrototype: true }),
    tie("value").map((inner) => new Send("node", inner)),
    tie("value").map((inner) => new DeltaSnapshot(inner)),
    fc.array(tie("value"), { maxLength: 3 }).map((items) => new Set(items)),
    fc.array(fc.tuple(fc.string(), tie("value")), { maxLength: 3 }).map((entries) => new Map(entries)),
    fc.string().map((text) => new Error(text)),
    fc.uint8Array({ maxLength: 5 }),
    fc.date({ noInvalidDate: true }),
    fc.constantFrom(/a+b/gi, new Document({ pageContent: "page", metadata: { from: "x" } })),
    fc.constantFrom<unknown>(
      { "~": ["m", 1] },
      { "~": ["s", [[1, 2]]], lc: 3 },
      { lc: 2, type: "undefined" },
      { lc: 2, type: "delta_snapshot", value: { "~": ["v", 1] } },
      {
        lc: 1,
        type: "constructor",
        id: ["langchain_core", "messages", "HumanMessage"],
        kwargs: { content: "record" },
      },
    ),
  ),
}));

function isJsonLike(input: unknown): boolean {
  return typeof input !== "symbol" && typeof input !== "function" && JSON.stringify(input) !== undefined;
}

function checkpointWith(channel_values: Record<string, unknown>): Checkpoint {
  const channelVersions = Object.fromEntries(Object.keys(channel_values).map((name) => [name, 1]));
  return {
    v: 4,
    id: uuid6(0),
    ts: "2026-01-01T00:00:00.000Z",
    channel_values,
    channel_versions: channelVersions,
    versions_seen: {},
  };
}

/** Stores a value as a channel, as a pending write and as a send, and reads all of them back. */
async function roundTrip(saver: SqliteSaver, stored: unknown, checkpoint: Checkpoint): Promise<unknown> {
  const metadata = { source: "loop" as const, step: 1, parents: {} };
  const put = saver.put.bind(saver) as (...args: unknown[]) => ReturnType<SqliteSaver["put"]>;
  const config = await put(
    { configurable: { thread_id: "t" } },
    checkpoint,
    metadata,
    checkpoint.channel_versions,
  );
  await saver.putWrites(
    config,
    [
      ["plain", stored],
      [TASKS, { node: "n", args: { state: stored } }],
    ],
    "task",
  );
  const tuple = await saver.getTuple(config);
  const listed = [];
  for await (const found of saver.list(config, { limit: 1 })) listed.push(found);
  return { checkpoint: tuple?.checkpoint, writes: tuple?.pendingWrites, listed };
}

test("every value comes back as the stock saver gives it back", async () => {
  const linear = openLinear();
  const stock = openStock();
  await fc.assert(
    fc.asyncProperty(value, value, async (first, second) => {
      if (first instanceof Uint8Array || second instanceof Uint8Array) return; // The stock saver corrupts bytes in writes.
      const checkpoint = checkpointWith({ first, second });
      const expected = await roundTrip(stock, first, checkpoint);
      expect(await roundTrip(linear, first, checkpoint)).toStrictEqual(expected);
    }),
    { numRuns: runsOf(400) },
  );
});

test("bytes come back as bytes", async () => {
  const saver = openLinear();
  const config = await saver.put({ configurable: { thread_id: "t" } }, checkpointWith({}), {
    source: "loop",
    step: 1,
    parents: {},
  });
  await saver.putWrites(config, [["blob", new Uint8Array([0, 200, 255])]], "task");
  expect((await saver.getTuple(config))?.pendingWrites).toStrictEqual([
    ["task", "blob", new Uint8Array([0, 200, 255])],
  ]);
});

test("what has no JSON form is stored as the stock saver stores it", async () => {
  const circular: Record<string, unknown> = { name: "loop" };
  circular.self = circular;
  for (const unusual of [circular, { big: 1n }]) {
    const checkpoint = checkpointWith({ unusual });
    const expected = await roundTrip(openStock(), unusual, checkpoint);
    expect(await roundTrip(openLinear(), unusual, checkpoint)).toStrictEqual(expected);
  }
});
