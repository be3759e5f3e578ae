/** What this saver promises beyond the interface of checkpoint savers. */
import { spawn } from "node:child_process";
import { statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import { Send } from "@langchain/langgraph";
import { type PendingWrite, TASKS } from "@langchain/langgraph-checkpoint";
import { describe, expect, onTestFinished, test } from "vitest";
import { MissingContentError } from "./content-table.ts";
import { createCheckpointer } from "./create-checkpointer.ts";
import { openLinear, openStock, temporaryPath } from "./testing/stored-threads.ts";
import { countRows, exchange, growThread, putState, readMessages } from "./testing/thread-growth.ts";

describe.runIf(process.platform !== "win32")("a log that another program", () => {
  test.each([
    ["emptied", 0],
    ["cut", 1],
  ])("%s is told before anything is written to it", async (_what, kept) => {
    const path = temporaryPath();
    const told: unknown[] = [];
    const saver = createCheckpointer(path, (_thread, error) => told.push(error));
    onTestFinished(() => saver.close());
    const first = await putState(saver, "t", { messages: exchange(0) });
    saver.compact();
    const second = await putState(saver, "t", { messages: exchange(1) }, first);
    expect(told).toEqual([]);
    const log = `${path}-wal`;
    truncateSync(log, kept * (statSync(log).size - 1));
    const left = statSync(log).size;
    await putState(saver, "t", { messages: exchange(2) }, second);
    expect(told.length).toBeGreaterThan(0);
    for (const error of told) expect(String(error)).toContain("moved, replaced, emptied or cut");
    expect(statSync(log).size).toBe(left);
  });
});

describe("growth", () => {
  test("twice the steps need twice the bytes, and every checkpoint of the way can be read", async () => {
    const saver = openLinear();
    await growThread(saver, "short", 60);
    const ids = await growThread(saver, "long", 120);
    expect(saver.threadBytes("long") / saver.threadBytes("short")).toBeLessThan(2.05);
    for (const position of [0, 59, 119]) {
      const messages = await readMessages(saver, "long", ids[position]);
      expect(messages.length).toBe(3 + 2 * position);
      expect(messages.at(-1)?.id).toBe(`t${position}`);
    }
  });

  test("stays linear when parallel work stores messages in another order than the state lists them", async () => {
    const saver = openLinear();
    const grow = async (threadId: string, steps: number) => {
      let messages: BaseMessage[] = [];
      let parentId: string | undefined;
      for (let step = 0; step < steps; step += 1) {
        const added = exchange(step);
        await putState(saver, threadId, { messages: [...added].reverse() });
        messages = [...messages, ...added];
        parentId = await putState(saver, threadId, { messages }, parentId);
      }
      expect(await readMessages(saver, threadId)).toEqual(messages);
      return saver.threadBytes(threadId);
    };
    const ratio = (await grow("long", 1000)) / (await grow("short", 250));
    expect(ratio).toBeLessThan(4.6);
  });

  test("a message counts once however it came: from the run, from the database, from another connection", async () => {
    const path = temporaryPath();
    const saver = openLinear(path);
    await growThread(saver, "t", 3);
    const before = countRows(saver).thread_messages;
    const other = openLinear(path);
    await putState(other, "t", { messages: await readMessages(other, "t") });
    await putState(saver, "t", { messages: await readMessages(saver, "t") });
    expect(countRows(saver).thread_messages).toBe(before);
  });
});

describe("messages that are edited in place", () => {
  test("a reassigned field is stored, and older checkpoints keep what they had", async () => {
    const saver = openLinear();
    const messages = [...exchange(0), ...exchange(1), ...exchange(2), ...exchange(3)];
    const before = await putState(saver, "t", { messages });
    const edited = messages[0] as AIMessage;
    edited.tool_calls = [];
    await putState(saver, "t", { messages }, before);
    expect(((await readMessages(saver, "t"))[0] as AIMessage).tool_calls).toEqual([]);
    expect(((await readMessages(saver, "t", before))[0] as AIMessage).tool_calls).toHaveLength(1);
  });

  test("an edit inside the newest tool call is stored too", async () => {
    const saver = openLinear();
    const messages = exchange(0);
    const before = await putState(saver, "t", { messages });
    (messages[0] as AIMessage).tool_calls![0]!.args = { step: "edited" };
    await putState(saver, "t", { messages }, before);
    const [found] = (await readMessages(saver, "t")) as AIMessage[];
    expect(found?.tool_calls?.[0]?.args).toEqual({ step: "edited" });
  });

  test("what one reader does to a message, another does not see", async () => {
    const saver = openLinear();
    await putState(saver, "t", { messages: exchange(0) });
    const [first] = await readMessages(saver, "t");
    first!.content = "scribbled";
    expect((await readMessages(saver, "t"))[0]?.content).toBe("");
  });
});

test("a conversation that many calls of one answer carry is written once", async () => {
  const saver = openLinear();
  const messages = exchange(0);
  const config = {
    configurable: { thread_id: "t", checkpoint_id: await putState(saver, "t", { messages }) },
  };
  let written = 0;
  const answer = messages[0]!;
  const { toJSON } = answer;
  answer.toJSON = function (this: typeof answer) {
    written += 1;
    return toJSON.call(this);
  };
  const sends = Array.from(
    { length: 100 },
    (_, at): PendingWrite => [TASKS, new Send("tools", { at, messages })],
  );
  await saver.putWrites(config, sends, "task");
  expect(written).toBe(1);
  const { pendingWrites = [] } = (await saver.getTuple(config))!;
  const read = pendingWrites.filter(([, channel]) => channel === TASKS).map(([, , send]) => send as Send);
  expect(read.map(({ args }) => args.at)).toEqual(sends.map((_, at) => at));
});

describe("databases of the stock saver", () => {
  test("open, go on, and shrink to the linear size when migrated", async () => {
    const path = temporaryPath();
    const stock = openStock(path);
    const ids = await growThread(stock, "t", 40);
    const old = [];
    for await (const tuple of stock.list({ configurable: { thread_id: "t" } })) old.push(tuple);
    stock.db.close();
    const saver = openLinear(path);
    await putState(
      saver,
      "t",
      { messages: [...(await readMessages(saver, "t")), ...exchange(40)] },
      ids.at(-1),
    );
    expect(await readMessages(saver, "t")).toHaveLength(83);
    const { rows, bytesBefore, bytesAfter } = await saver.migrateThread("t");
    expect(rows).toBeGreaterThan(40);
    expect(bytesAfter).toBeLessThan(bytesBefore / 8);
    expect(bytesAfter).toBe(saver.threadBytes("t"));
    const migrated = [];
    for await (const tuple of saver.list({ configurable: { thread_id: "t" } })) migrated.push(tuple);
    expect(migrated.slice(1)).toEqual(old);
    expect((await saver.migrateThread("t")).rows).toBe(0);
  });
});

describe("the database", () => {
  test("keeps all that was put, and only whole checkpoints, when the process is killed at work", async () => {
    const path = temporaryPath();
    const child = spawn(process.execPath, [join(import.meta.dirname, "testing", "endless-writer.ts"), path], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const announced: string[] = [];
    for await (const line of createInterface(child.stdout)) {
      announced.push(line);
      if (announced.length === 110) child.kill("SIGKILL");
    }
    const saver = openLinear(path);
    const found = new Map<string, number>();
    for await (const { checkpoint } of saver.list({ configurable: { thread_id: "t" } })) {
      found.set(checkpoint.id, (checkpoint.channel_values.messages as BaseMessage[]).length);
    }
    for (const line of announced.slice(-10)) {
      const [id, length] = line.split(" ");
      expect(found.get(id!)).toBe(Number(length));
    }
    expect(saver.db.pragma("integrity_check", { simple: true })).toBe("ok");
    await putState(saver, "t", { messages: [...(await readMessages(saver, "t")), ...exchange(0)] });
  });

  test("runs in WAL with incremental vacuum, and compacting gives space back", async () => {
    const saver = openLinear();
    expect(saver.db.pragma("journal_mode", { simple: true })).toBe("wal");
    expect(saver.db.pragma("auto_vacuum", { simple: true })).toBe(2);
    const pages = () => saver.db.pragma("page_count", { simple: true }) as number;
    const empty = pages();
    await growThread(saver, "t", 50);
    expect(pages()).toBeGreaterThan(empty);
    await saver.deleteThread("t");
    saver.compact();
    expect(pages()).toBe(empty);
  });

  test("has no row of a deleted thread", async () => {
    const saver = openLinear();
    await growThread(saver, "t", 3);
    await saver.deleteThread("t");
    expect(Object.values(countRows(saver)).every((count) => count === 0)).toBe(true);
    expect(saver.threadBytes("t")).toBe(0);
  });

  test("is left as it was by a put that fails, and the next put stores what that one did not", async () => {
    const saver = openLinear();
    const messages = exchange(0);
    saver.db.exec(
      "CREATE TEMP TRIGGER full BEFORE INSERT ON checkpoints BEGIN SELECT RAISE(ABORT, 'disk full'); END",
    );
    await expect(putState(saver, "t", { messages })).rejects.toThrow("disk full");
    expect(countRows(saver)).toMatchObject({ thread_messages: 0, thread_keys: 0 });
    saver.db.exec("DROP TRIGGER full");
    await putState(saver, "t", { messages });
    expect(await readMessages(saver, "t")).toEqual(messages);
  });

  test("says what to do when stored content is missing", async () => {
    const saver = openLinear();
    await growThread(saver, "t", 2);
    saver.db.exec("DELETE FROM thread_messages WHERE seq = 2");
    await expect(readMessages(saver, "t")).rejects.toThrow(MissingContentError);
    await expect(readMessages(saver, "t")).rejects.toThrow(/Restore the database from a backup/);
  });
});
