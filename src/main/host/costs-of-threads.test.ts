/** What a thread costs, over the wire and a real provider's client: summed over turns and sub-agents, at the price of now. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LLMock } from "@copilotkit/aimock";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ModelRef } from "../../shared/contract/models.ts";
import type { ThreadId, TurnId } from "../../shared/ids.ts";
import { newCommandId } from "../base/command-id.ts";
import { createModelStore } from "../models/model-store.ts";
import { console, folders, withHost } from "./testing/host-fixture.ts";

const mock = new LLMock({ port: 0, host: "127.0.0.1" });
const usage = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 };
const id = { provider: "openai", model: "gpt-cost-test" } as const;

beforeAll(() => mock.start());
afterEach(() => mock.reset());
afterAll(() => mock.stop());

const { reopen } = withHost("file");

beforeAll(() => console.client.call("models.setKey", { provider: "openai", key: "sk-cost" }));

const costs = (threadId: ThreadId, turnIds: TurnId[] = []) =>
  console.client.call("costs.ofThread", { threadId, turnIds });
const setPrice = (price: { input: number; output: number } | null) =>
  console.client.call("costs.setPrice", { ...id, price });

async function startThread(model: ModelRef): Promise<ThreadId> {
  const { workspace } = folders;
  const created = { commandId: newCommandId(), workspace, model };
  return (await console.client.call("threads.create", created)).id;
}

async function turnOf(threadId: ThreadId, text: string): Promise<TurnId> {
  const { turnId } = await console.send(threadId, text);
  await console.untilTurnEnd(threadId, turnId);
  return turnId;
}

describe("the cost of a thread", () => {
  it("is not known without a price, is estimated with one, and is the sum over all calls and sub-agents", async () => {
    mock.on(
      { userMessage: "delegate", hasToolResult: false },
      {
        toolCalls: [
          {
            name: "task",
            arguments: JSON.stringify({ description: "count sheep", subagent_type: "general-purpose" }),
          },
        ],
        usage,
      },
    );
    mock.on({ userMessage: "count sheep" }, { content: "Three sheep.", usage });
    mock.on({ userMessage: "delegate", hasToolResult: true }, { content: "There are three.", usage });
    mock.on({ userMessage: "thanks" }, { content: "You are welcome.", usage });
    const threadId = await startThread({ ...id, baseUrl: `${mock.url}/v1` });
    const [first, second] = [await turnOf(threadId, "delegate"), await turnOf(threadId, "thanks")];
    expect(await costs(threadId, [first])).toEqual({
      thread: { unpriced: [id] },
      turns: { [first]: { unpriced: [id] } },
    });

    await setPrice({ input: 10, output: 100 });
    const known = await costs(threadId, [first, second]);
    expect(known.turns[second]?.dollars).toBeCloseTo(0.02);
    expect(known.turns[first]?.dollars).toBeCloseTo(0.06);
    expect(known.thread?.dollars).toBeCloseTo(0.08);
    expect(known.thread?.unpriced).toEqual([]);
    // The list hears of it without a question, and so does the sum of the day.
    const listed = () => console.threads.get(threadId);
    await console.until(() => listed()?.cost?.dollars !== undefined, "the list tells the cost");
    expect(listed()?.cost?.dollars).toBeCloseTo(0.08);
    expect(listed()?.said).toBe("You are welcome.");
    for await (const item of console.client.watch("console.watch", {})) {
      if (item.kind !== "ready") continue;
      expect(item.today.spent).toEqual({ dollars: expect.closeTo(0.08), more: false });
      break;
    }

    await setPrice(null);
    expect((await costs(threadId)).thread?.dollars).toBeUndefined();
  });

  it("starts anew in a fork, whose beginning was paid in the other thread", async () => {
    mock.on({ userMessage: "one" }, { content: "One.", usage });
    mock.on({ userMessage: "two" }, { content: "Two.", usage });
    const threadId = await startThread({ ...id, baseUrl: `${mock.url}/v1` });
    await turnOf(threadId, "one");
    await turnOf(threadId, "two");
    const items = await console.items(threadId);
    const second = items.findLast((item) => item.kind === "userMessage");
    const fork = await console.client.call("threads.fork", {
      commandId: newCommandId(),
      threadId,
      messageId: second?.id as never,
    });
    expect((await console.items(fork.id)).length).toBeGreaterThan(0);
    expect((await costs(threadId)).thread).toBeDefined();
    expect(await costs(fork.id)).toEqual({ turns: {} });
  });

  it("is nothing to speak of on the scripted demo", async () => {
    const threadId = await console.start();
    const turnId = await turnOf(threadId, "say hello");
    expect(await console.lastWords(threadId)).toContain("hello");
    expect(await costs(threadId, [turnId])).toEqual({ turns: {} });
  });

  it("is asked about before it passes the limit, also after a restart, and goes on with a yes or once the limit is taken away", async () => {
    mock.on({ userMessage: "first" }, { content: "First.", usage });
    mock.on({ userMessage: "second" }, { content: "Second.", usage });
    mock.on({ userMessage: "third" }, { content: "Third.", usage });
    await setPrice({ input: 10, output: 100 });
    await console.client.call("settings.update", { spendingLimitCents: 2 });
    const threadId = await startThread({ ...id, baseUrl: `${mock.url}/v1` });
    await turnOf(threadId, "first");
    const calls = mock.getRequests().length;
    await console.send(threadId, "second");
    const before = await console.onePending(threadId);
    expect(before.subject).toEqual({
      kind: "spending",
      dollars: expect.closeTo(0.02),
      more: false,
      limit: 0.02,
      nextLimit: expect.closeTo(0.04),
    });
    await reopen();
    const after = await console.onePending(threadId);
    expect(after).toEqual(before);
    expect(mock.getRequests()).toHaveLength(calls);
    await console.approve(after);
    await console.until(() => console.threads.get(threadId)?.said === "Second.", "the second answer");
    expect(await console.ledger(threadId)).toMatchObject([
      { tool: "spending", decision: { type: "approve" }, by: { kind: "person" } },
    ]);

    await console.send(threadId, "third");
    await console.onePending(threadId);
    await console.client.call("settings.update", { spendingLimitCents: 0 });
    await console.until(() => console.threads.get(threadId)?.said === "Third.", "the third answer");
    await setPrice(null);
  });

  it("keeps its prices in a readable file, over a restart", async () => {
    await setPrice({ input: 1, output: 2 });
    await reopen(async () => {
      const file = await readFile(join(folders.dataDir, "models.json"), "utf8");
      expect(JSON.parse(file).prices).toEqual([{ ...id, price: { input: 1, output: 2 } }]);
    });
    const { prices } = await console.client.call("costs.prices", {});
    expect(prices[0]).toEqual({ ...id, price: { input: 1, output: 2 } });
    await setPrice(null);
  });

  it("refuses a price that is none, naming the field", async () => {
    await expect(setPrice({ input: -1, output: 2 })).rejects.toMatchObject({
      code: "invalid-input",
      field: expect.stringContaining("input"),
    });
  });
});

describe("the list prices", () => {
  const open = async () => {
    const path = join(folders.root, "models.json");
    await writeFile(path, "{}");
    return createModelStore(path);
  };

  it("count at the provider's own address, also for a model named with its day", async () => {
    const models = await open();
    const listed = models.prices().find((one) => one.listedOn);
    if (!listed) throw new Error("No list price came with the app.");
    const { provider, model } = listed;
    expect(models.priceOf({ provider, model })).toEqual(listed);
    expect(models.priceOf({ provider, model: `${model}-20260102` })).toEqual(listed);
    expect(models.priceOf({ provider, model, baseUrl: "https://api.anthropic.com/" })).toEqual(listed);
    expect(models.priceOf({ provider, model, baseUrl: "https://proxy.example" })).toBeUndefined();
    expect(models.priceOf({ provider, model: `${model}-mini` })).toBeUndefined();
  });

  it("give way to the person's price and come back when that is forgotten", async () => {
    const models = await open();
    const { price: _price, listedOn: _listedOn, ...known } = models.prices()[0]!;
    models.setPrice(known, { input: 9, output: 9 });
    expect(models.prices().filter((one) => one.model === known.model)).toEqual([
      { ...known, price: { input: 9, output: 9 } },
    ]);
    models.setPrice(known, null);
    expect(models.priceOf(known)?.listedOn).toBeDefined();
  });
});
