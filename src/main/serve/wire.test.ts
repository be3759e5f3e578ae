/** One suite over every transport: whatever carries the frames, calls and streams behave the same. */
import { describe, expect, it } from "vitest";
import { ContractError } from "../../shared/contract/errors.ts";
import type { ThreadSummary } from "../../shared/contract/threads.ts";
import { agentIdSchema, commandIdSchema, messageIdSchema, threadIdSchema } from "../../shared/ids.ts";
import { servePairs } from "./testing/serve-pair.ts";
import { count, executionId, failure, openWatch, takeAll, waitForever } from "./testing/streams.ts";
import { wirePairs } from "./testing/wire-pairs.ts";

const threadId = threadIdSchema.parse("t1");
const sampleThread: Omit<ThreadSummary, "can"> = {
  id: threadId,
  title: "T",
  workspace: "/w",
  agentId: agentIdSchema.parse("a"),
  model: { provider: "demo", model: "demo" },
  status: "new",
  waiting: 0,
  mailbox: 0,
  unread: false,
  pinned: false,
  archived: false,
  autoApprove: null,
  createdAt: 1,
  updatedAt: 1,
};

describe.each(Object.entries(wirePairs))("the contract over %s", (_kind, connectPair) => {
  const { serve, connect } = servePairs(connectPair);

  it("answers a call with parsed input, defaults filled in", async () => {
    const seen: unknown[] = [];
    const { client } = await connect({
      "threads.search": (input, context) => {
        seen.push(input, context.clientId);
        return { hits: [{ threadId, itemId: "i", position: 1, snippet: "żółw 🐢" }] };
      },
    });
    const answer = await client.call("threads.search", { query: "  turtle " });
    expect(answer.hits[0]?.snippet).toBe("żółw 🐢");
    expect(seen).toEqual([{ query: "turtle", limit: 30 }, "window-1"]);
  });

  it("answers calls in the order they finish, each to its own caller", async () => {
    const gates = new Map<string, () => void>();
    const { client } = await connect({
      "host.backup": () => ({ path: "fast" }),
      "threads.export": ({ threadId: id }) =>
        new Promise((resolve) => gates.set(id, () => resolve({ path: `slow ${id}` }))),
    });
    const slow = ["a", "b"].map((id) =>
      client.call("threads.export", { threadId: threadIdSchema.parse(id) }),
    );
    expect(await client.call("host.backup", {})).toEqual({ path: "fast" });
    gates.get("b")?.();
    expect(await slow[1]).toEqual({ path: "slow b" });
    gates.get("a")?.();
    expect(await slow[0]).toEqual({ path: "slow a" });
  });

  it("carries what can be done with a thread, and no thread that does not say it", async () => {
    const can = {
      fork: false,
      chooseModel: true,
      chooseAgent: true,
      editArguments: false,
      subAgents: true,
      resume: false,
      export: true,
      messages: false,
    };
    const thread = { ...sampleThread, can };
    const { client } = await connect({
      "threads.fork": () => thread,
      "threads.import": () => ({ ...thread, can: { fork: true } }) as never,
    });
    const fork = { commandId: commandIdSchema.parse("c1"), threadId, messageId: messageIdSchema.parse("m1") };
    expect(await client.call("threads.fork", fork)).toEqual(thread);
    const silent = client.call("threads.import", { path: "/f", workspace: "/w" });
    expect(await failure(silent)).toMatchObject({ code: "internal" });
  });

  it("names the field of an input that does not fit, and does not run the handler", async () => {
    let ran = false;
    const { client } = await connect({
      "threads.create": () => {
        ran = true;
        throw new Error("unreachable");
      },
    });
    const commandId = commandIdSchema.parse("c1");
    const input = { commandId, workspace: "/w", model: { provider: "demo" as const, model: "" } };
    expect(await failure(client.call("threads.create", input))).toMatchObject({
      code: "invalid-input",
      field: "model.model",
    });
    expect(ran).toBe(false);
  });

  it("carries a handler's own error with code, field and sentence", async () => {
    const { client, logged } = await connect({
      "threads.rename": () => {
        throw new ContractError("conflict", "Somebody else renamed it.", { field: "title" });
      },
    });
    const error = await failure(client.call("threads.rename", { threadId, title: "x" }));
    expect(error).toMatchObject({ code: "conflict", message: "Somebody else renamed it.", field: "title" });
    expect(logged).toEqual([]);
  });

  it("turns an unforeseen error into a log id and tells nothing else of it", async () => {
    const secret = new Error("password is hunter2");
    const { client, logged } = await connect({
      "host.backup": async () => {
        throw secret;
      },
    });
    const error = await failure(client.call("host.backup", {}));
    expect(error).toMatchObject({ code: "internal", logId: "log-1" });
    expect(JSON.stringify([error.message, error])).not.toMatch(/hunter2|\.ts/);
    expect(logged).toEqual([secret]);
  });

  it("never lets an undeclared field out of a call or a stream", async () => {
    const leaky = { path: "/backup", key: "sk-secret" };
    const { client, logged } = await connect({
      "host.backup": () => leaky,
      "executions.watch": async function* () {
        yield { data: "", state: "running" as const, key: "sk-secret" };
      },
    });
    expect(await failure(client.call("host.backup", {}))).toMatchObject({ code: "internal" });
    const watching = takeAll(client.watch("executions.watch", { executionId }));
    expect(await failure(watching)).toMatchObject({ code: "internal" });
    expect(logged).toHaveLength(2);
  });

  it("refuses names the contract does not have, prototype members and the wrong kind included", async () => {
    const { pair } = await serve({});
    const answers: string[] = [];
    const all = Promise.withResolvers<void>();
    const names = ["threads.explode", "__proto__", "constructor", "console.watch"];
    pair.client.onFrame((frame) => {
      if (answers.push(frame) === names.length) all.resolve();
    });
    names.forEach((name, index) => {
      pair.client.send(JSON.stringify({ t: "call", id: index + 1, name, input: {} }));
    });
    await all.promise;
    for (const answer of answers) expect(JSON.parse(answer)).toMatchObject({ error: { code: "not-found" } });
  });

  it("streams items in order up to the end", async () => {
    const { client } = await connect({ "executions.watch": count(500).stream });
    const items = await takeAll(client.watch("executions.watch", { executionId }));
    expect(items.map((item) => item.data)).toEqual(Array.from({ length: 500 }, (_, index) => String(index)));
  });

  it.each([1, 3, 16])("never makes an item that was not asked for, with a window of %i", async (credits) => {
    const source = count(10_000);
    const { client } = await connect({ "executions.watch": source.stream });
    let consumed = 0;
    for await (const _item of client.watch("executions.watch", { executionId }, { credits })) {
      consumed++;
      await client.call("host.info", {}).catch(() => {});
      expect(source.made()).toBeLessThanOrEqual(consumed - 1 + credits);
      if (consumed === 50) break;
    }
    await source.ended;
    expect(source.made()).toBeLessThanOrEqual(50 + credits);
  });

  it("delivers what was sent before a stream failed, then the error", async () => {
    const { client } = await connect({
      "executions.watch": async function* () {
        yield { data: "first", state: "running" as const };
        throw new ContractError("not-found", "That execution is gone.");
      },
    });
    const got: string[] = [];
    const reading = (async () => {
      for await (const item of client.watch("executions.watch", { executionId })) got.push(item.data);
    })();
    expect(await failure(reading)).toMatchObject({ code: "not-found" });
    expect(got).toEqual(["first"]);
  });

  it("ends a waiting source when the watcher's signal aborts, and the watch ends quietly", async () => {
    const waiting = waitForever();
    const { client, logged } = await connect({ "executions.watch": waiting.stream });
    const watch = openWatch(client);
    expect(await watch.first).toEqual({ data: "hello", state: "running" });
    await waiting.started;
    watch.stop();
    await Promise.all([watch.end, waiting.ended]);
    expect(logged).toEqual([]);
  });

  it("ends a source that knows no signal and only learns of the end by return()", async () => {
    const waiting = Promise.withResolvers<IteratorResult<never>>();
    const returned = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const { client } = await connect({
      "executions.watch": () => ({
        [Symbol.asyncIterator]: () => ({
          next: () => {
            asked.resolve();
            return waiting.promise;
          },
          return: async () => {
            returned.resolve();
            waiting.resolve({ done: true, value: undefined });
            return { done: true, value: undefined };
          },
        }),
      }),
    });
    const watch = openWatch(client);
    await asked.promise;
    watch.stop();
    await Promise.all([watch.end, returned.promise]);
  });

  it("tells a handler that its call was cancelled and rejects with the signal's reason", async () => {
    const started = Promise.withResolvers<void>();
    const cancelled = Promise.withResolvers<void>();
    const { client, logged } = await connect({
      "models.discover": (_input, { signal }) =>
        new Promise((_resolve, reject) => {
          started.resolve();
          signal.addEventListener("abort", () => {
            cancelled.resolve();
            reject(signal.reason);
          });
        }),
      "host.backup": () => ({ path: "still served" }),
    });
    const controller = new AbortController();
    const calling = client.call("models.discover", {}, { signal: controller.signal });
    const rejected = expect(calling).rejects.toThrow("not needed any more");
    await started.promise;
    controller.abort(new Error("not needed any more"));
    await rejected;
    await cancelled.promise;
    expect(await client.call("host.backup", {})).toEqual({ path: "still served" });
    expect(logged).toEqual([]);
  });

  it("rejects everything under way and everything later when the connection closes", async () => {
    const waiting = waitForever();
    const aborted = Promise.withResolvers<void>();
    const { client, pair } = await connect({
      "executions.watch": waiting.stream,
      "models.discover": (_input, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            aborted.resolve();
            reject(signal.reason);
          });
        }),
    });
    const calling = failure(client.call("models.discover", {}));
    const reading = failure(takeAll(client.watch("executions.watch", { executionId })));
    await waiting.started;
    pair.host.close("The host stops.");
    expect(await calling).toMatchObject({ code: "closed" });
    expect(await reading).toMatchObject({ code: "closed" });
    expect(await failure(client.call("host.backup", {}))).toMatchObject({ code: "closed" });
    expect(await failure(takeAll(client.watch("console.watch", {})))).toMatchObject({ code: "closed" });
    await Promise.all([waiting.ended, aborted.promise]);
  });

  it("ends handlers when the client goes away", async () => {
    const waiting = waitForever();
    const { client, pair } = await connect({ "executions.watch": waiting.stream });
    const reading = failure(takeAll(client.watch("executions.watch", { executionId })));
    await waiting.started;
    pair.client.close();
    expect(await reading).toMatchObject({ code: "closed" });
    await waiting.ended;
  });
});
