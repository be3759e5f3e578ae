/** A copy is a thread of its own: it shares the past of the original and none of its decisions. */
import { expect, test } from "vitest";
import { createMailAgent, openLinear } from "./testing/stored-threads.ts";
import { countRows, exchange, growThread, putState, readMessages } from "./testing/thread-growth.ts";
import { ThreadCopyError } from "./thread-copy.ts";

test("the copy goes on by itself, can travel back, and outlives the original", async () => {
  const saver = openLinear();
  const ids = await growThread(saver, "from", 6);
  const head = saver.copyThread("from", "to", ids[3]!);
  expect(ids).not.toContain(head);
  await saver.deleteThread("from");
  const copied = await readMessages(saver, "to");
  expect(copied).toHaveLength(9);
  expect(await readMessages(saver, "to", ids[1])).toHaveLength(5);
  expect(await readMessages(saver, "to", ids[4])).toBeUndefined();
  const tuple = await saver.getTuple({ configurable: { thread_id: "to", checkpoint_ns: "" } });
  expect(tuple).toMatchObject({
    metadata: { source: "fork" },
    checkpoint: { id: head },
    pendingWrites: [],
  });
  expect(tuple?.parentConfig?.configurable?.checkpoint_id).toBe(ids[3]);
  await putState(saver, "to", { messages: [...copied, ...exchange(9)] }, head);
  expect(await readMessages(saver, "to")).toHaveLength(11);
});

test("takes only the content that its history needs", async () => {
  const saver = openLinear();
  const ids = await growThread(saver, "from", 6);
  saver.copyThread("from", "to", ids[1]!);
  expect(saver.threadBytes("to")).toBeLessThan(saver.threadBytes("from") / 2);
});

test("an agent that waits for a decision asks anew in the copy", async () => {
  const saver = openLinear();
  const ran: string[] = [];
  const script = (_human: string, step: number) =>
    step === 0 ? { calls: [{ id: "m", name: "send_mail", args: { to: "m" } }] } : { content: "end" };
  const agent = createMailAgent({ checkpointer: saver, script, ran, ask: true });
  const config = (threadId: string) => ({
    configurable: { thread_id: threadId },
    durability: "sync" as const,
  });
  await agent.invoke({ messages: [{ role: "user", content: "go" }] }, config("from"));
  const head = (await agent.graph.getState(config("from"))).config.configurable?.checkpoint_id as string;
  saver.copyThread("from", "to", head);
  const pending = async (threadId: string) =>
    (await agent.graph.getState(config(threadId))).tasks.filter(({ interrupts }) => interrupts.length > 0);
  const [original] = await pending("from");
  expect(await pending("to")).toEqual([]);
  await agent.invoke(null, config("to"));
  expect(await pending("from")).toMatchObject([{ id: original?.id }]);
  const [copied] = await pending("to");
  expect(copied?.id).not.toBe(original?.id);
  expect(copied?.interrupts[0]?.value).toMatchObject({ actionRequests: [{ name: "send_mail" }] });
  expect(ran).toEqual([]);
});

test("refuses a checkpoint that does not exist and a thread that does", async () => {
  const saver = openLinear();
  const [id] = await growThread(saver, "from", 1);
  expect(() => saver.copyThread("from", "to", "nowhere")).toThrow(ThreadCopyError);
  expect(() => saver.copyThread("from", "from", id!)).toThrow(/already has checkpoints/);
  expect(countRows(saver).thread_keys).toBe(1);
});
