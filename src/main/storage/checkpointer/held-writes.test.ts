/** What a task wrote is stored once: with the checkpoint of its step where that comes, and by itself where it does not. */
import { HumanMessage } from "@langchain/core/messages";
import { ERROR, INTERRUPT, type PendingWrite } from "@langchain/langgraph-checkpoint";
import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { createCheckpointer } from "./create-checkpointer.ts";
import type { LinearSqliteSaver } from "./linear-sqlite-saver.ts";
import { createMailAgent, openForRuns, temporaryPath } from "./testing/stored-threads.ts";
import { exchange, putState } from "./testing/thread-growth.ts";

const at = (checkpointId: string) => ({
  configurable: { thread_id: "t", checkpoint_ns: "", checkpoint_id: checkpointId },
});
const said: PendingWrite[] = [["messages", "said"]];

/** What another program finds in the file, but for what `putState` writes itself. */
function storedWrites(saver: LinearSqliteSaver): unknown[] {
  const other = new Database(saver.db.name, { readonly: true });
  try {
    const sql = "SELECT task_id || ' ' || channel FROM writes WHERE task_id NOT LIKE 'task-%' ORDER BY 1";
    return other.prepare(sql).pluck().all();
  } finally {
    other.close();
  }
}

async function started(): Promise<{ saver: LinearSqliteSaver; first: string }> {
  const saver = openForRuns(temporaryPath());
  return { saver, first: await putState(saver, "t", { messages: exchange(0) }) };
}

test("a turn whose steps follow each other stores what its tasks wrote in its checkpoints alone", async () => {
  const saver = openForRuns();
  saver.db.exec(
    "CREATE TABLE stored (n); CREATE TRIGGER count_stored AFTER INSERT ON writes BEGIN INSERT INTO stored VALUES (1); END",
  );
  const script = (_human: string, step: number) =>
    step === 3
      ? { content: "end" }
      : { calls: [{ id: `c${step}`, name: "send_mail", args: { to: `${step}` } }] };
  const agent = createMailAgent({ checkpointer: saver, script, ran: [], ask: false });
  const config = { configurable: { thread_id: "t" }, durability: "sync" as const };
  const { messages } = await agent.invoke({ messages: [new HumanMessage("go")] }, config);
  expect(messages.at(-1)?.text).toBe("end");
  expect(saver.db.prepare("SELECT count(*) FROM stored").pluck().get()).toBe(0);
});

test("without a checkpoint it is stored by the next turn of the loop, and whoever asks sooner finds it too", async () => {
  const { saver, first } = await started();
  const stored = saver.putWrites(at(first), said, "a");
  expect(storedWrites(saver)).toEqual([]);
  const tuple = await saver.getTuple(at(first));
  expect(tuple?.pendingWrites).toContainEqual(["a", "messages", "said"]);
  await stored;
  await saver.putWrites(at(first), said, "b");
  expect(storedWrites(saver)).toEqual(["a messages", "b messages"]);
});

test("it goes with the checkpoint of its own step and no other, nor of another thread or graph", async () => {
  const { saver, first } = await started();
  const second = await putState(saver, "t", { messages: exchange(1) }, first);
  const writes = [
    saver.putWrites(at(second), said, "passed"),
    saver.putWrites(at(first), said, "of the step before"),
    saver.putWrites({ configurable: { ...at(second).configurable, thread_id: "u" } }, said, "of another"),
    saver.putWrites(
      { configurable: { ...at(second).configurable, checkpoint_ns: "sub" } },
      said,
      "of a part",
    ),
  ];
  await putState(saver, "t", { messages: exchange(2) }, second);
  await Promise.all(writes);
  expect(storedWrites(saver)).toEqual([
    "of a part messages",
    "of another messages",
    "of the step before messages",
  ]);
});

test("a question or a failure is stored at once", async () => {
  const { saver, first } = await started();
  void saver.putWrites(at(first), [[INTERRUPT, "may I?"]], "asks");
  void saver.putWrites(at(first), [[ERROR, "no"]], "fails");
  expect(storedWrites(saver)).toEqual([`asks ${INTERRUPT}`, `fails ${ERROR}`]);
});

test("a checkpoint that could not be stored takes nothing along", async () => {
  const path = temporaryPath();
  const told: unknown[] = [];
  const saver = createCheckpointer(path, (_thread, error) => told.push(error));
  onTestFinished(() => saver.close());
  const first = await putState(saver, "t", { messages: exchange(0) });
  saver.db.exec(
    "CREATE TRIGGER full BEFORE INSERT ON checkpoints BEGIN SELECT RAISE(ABORT, 'disk full'); END",
  );
  const stored = saver.putWrites(at(first), said, "a");
  await putState(saver, "t", { messages: exchange(1) }, first);
  expect(told.map(String)).toEqual([expect.stringContaining("disk full")]);
  await stored;
  expect(storedWrites(saver)).toEqual(["a messages"]);
});

test("closing stores it, and what is deleted does not come back", async () => {
  const { saver, first } = await started();
  void saver.putWrites(at(first), said, "a");
  await saver.deleteThread("t");
  expect(storedWrites(saver)).toEqual([]);
  const again = await putState(saver, "t", { messages: exchange(0) });
  void saver.putWrites(at(again), said, "b");
  saver.close();
  expect(storedWrites(saver)).toEqual(["b messages"]);
});
