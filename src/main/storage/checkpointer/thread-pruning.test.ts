/** Pruning removes what the policy names, all that only it used, and nothing else. */
import { uuid6 } from "@langchain/langgraph-checkpoint";
import { expect, test } from "vitest";
import { openLinear, temporaryPath } from "./testing/stored-threads.ts";
import { countRows, exchange, growThread, putState, readMessages } from "./testing/thread-growth.ts";

test("the preview tells exactly what is then removed, and bookmarked checkpoints stay readable", async () => {
  const saver = openLinear();
  const ids = await growThread(saver, "t", 20);
  await growThread(saver, "other", 2);
  const policy = { keepLast: 2, keepCheckpointIds: [ids[4]!] };
  const rows = countRows(saver);
  const preview = saver.pruneThread("t", policy, "preview");
  expect(countRows(saver)).toEqual(rows);
  expect(preview).toMatchObject({ checkpoints: 17, writes: 17, remainingCheckpoints: 3 });
  expect(saver.pruneThread("t", policy, "apply")).toEqual(preview);
  expect(countRows(saver)).toMatchObject({ checkpoints: 5, writes: 5 });
  expect(await readMessages(saver, "t")).toHaveLength(41);
  expect(await readMessages(saver, "t", ids[4])).toHaveLength(11);
  expect(await readMessages(saver, "t", ids[5])).toBeUndefined();
  expect(await readMessages(saver, "other")).toHaveLength(5);
});

test("content that only removed checkpoints had goes with them and is stored anew when it returns", async () => {
  const saver = openLinear();
  const gone = exchange(7);
  await putState(saver, "t", { messages: gone });
  await putState(saver, "t", { messages: exchange(8) });
  const bytes = saver.threadBytes("t");
  const { messages } = saver.pruneThread("t", { keepLast: 1 }, "apply");
  expect(messages).toBe(2);
  expect(saver.threadBytes("t")).toBeLessThan(bytes);
  await putState(saver, "t", { messages: gone });
  expect(await readMessages(saver, "t")).toEqual(gone);
});

test("a pruning by another connection is noticed", async () => {
  const path = temporaryPath();
  const saver = openLinear(path);
  const gone = exchange(7);
  await putState(saver, "t", { messages: gone });
  await putState(saver, "t", { messages: exchange(8) });
  openLinear(path).pruneThread("t", { keepLast: 1 }, "apply");
  await putState(saver, "t", { messages: gone });
  expect(await readMessages(saver, "t")).toEqual(gone);
});

test("sub-agents keep their newest checkpoints", async () => {
  const saver = openLinear();
  await growThread(saver, "t", 2);
  const child = { configurable: { thread_id: "t", checkpoint_ns: "tools:1" } };
  const checkpoint = {
    v: 4,
    id: uuid6(0),
    ts: "",
    channel_values: {},
    channel_versions: {},
    versions_seen: {},
  };
  await saver.put(child, checkpoint, { source: "loop", step: 0, parents: {} });
  saver.pruneThread("t", { keepLast: 1 }, "apply");
  expect(await saver.getTuple(child)).toBeDefined();
  expect(await readMessages(saver, "t")).toHaveLength(5);
});

test("refuses a policy that would keep nothing", () => {
  expect(() => openLinear().pruneThread("t", { keepLast: 0 }, "apply")).toThrow(/keepLast/);
});
