/** Of a turn that runs only what somebody may go back to stays, and all of that can be gone back to. */
import { HumanMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import type { LinearSqliteSaver } from "./linear-sqlite-saver.ts";
import {
  createMailAgent,
  describeMessage,
  openForRuns,
  openLinear,
  type Script,
} from "./testing/stored-threads.ts";
import { countRows, growThread, readMessages } from "./testing/thread-growth.ts";

const config = { configurable: { thread_id: "thread" }, durability: "sync" as const };

const script: Script = (human, step) => {
  if (step === 5) return { content: `end of ${human}` };
  const mail = { id: `${human}-${step}`, name: "send_mail", args: { to: `${step}` } };
  return { calls: [mail] };
};

/** Three turns of five calls. @returns the ids of the checkpoints that each ended with */
async function threeTurns(saver: LinearSqliteSaver): Promise<string[]> {
  const agent = createMailAgent({ checkpointer: saver, script, ran: [], ask: false });
  const ends: string[] = [];
  for (const human of ["one", "two", "three"]) {
    await agent.invoke({ messages: [new HumanMessage({ content: human, id: human })] }, config);
    ends.push(saver.newestCheckpoint("thread") ?? "none");
  }
  return ends;
}

const sourcesSql =
  "SELECT metadata ->> '$.source' FROM checkpoints WHERE thread_id = ? ORDER BY checkpoint_id";

test("of each turn its beginning and its end stay, of the newest one step more, and ends are as with all steps kept", async () => {
  const [all, ours] = [openLinear(), openForRuns()];
  const [allEnds, ends] = [await threeTurns(all), await threeTurns(ours)];
  const passed = ["input", "loop"];
  expect(ours.db.prepare(sourcesSql).pluck().all("thread")).toEqual([
    ...passed,
    ...passed,
    ...passed,
    "loop",
  ]);
  expect(countRows(ours).writes).toBeLessThan(countRows(all).writes! / 3);
  for (const [at, end] of ends.entries()) {
    const lines = async (saver: LinearSqliteSaver, id: string) =>
      (await readMessages(saver, "thread", id)).map(describeMessage);
    expect(await lines(ours, end)).toEqual(await lines(all, allEnds[at]!));
  }
});

test("a copy of the thread, and a copy of that, know where each earlier turn ended", async () => {
  const saver = openForRuns();
  const ends = await threeTurns(saver);
  saver.copyThread("thread", "copy", ends[1]!);
  saver.copyThread("copy", "second", saver.newestCheckpoint("copy")!);
  for (const id of ends.slice(0, 2))
    expect(await readMessages(saver, "second", id)).toEqual(await readMessages(saver, "thread", id));
  expect(await readMessages(saver, "second", ends[2])).toBeUndefined();
});

test("a thread that went back keeps where it stood, and goes on from where it went", async () => {
  const saver = openForRuns();
  const ends = await threeTurns(saver);
  saver.takeThreadBack("thread", { checkpointId: ends[0]!, from: ends[2]!, mark: "m" });
  const agent = createMailAgent({ checkpointer: saver, script, ran: [], ask: false });
  await agent.invoke({ messages: [{ role: "user", content: "other" }] }, config);
  const told = (await readMessages(saver, "thread"))
    .map((message) => message.text)
    .filter((text) => text !== "");
  expect(told.filter((text) => text.startsWith("end"))).toEqual(["end of one", "end of other"]);
  for (const id of ends) expect(await readMessages(saver, "thread", id)).toBeDefined();
});

test("a checkpoint that is written twice takes nothing along", async () => {
  const saver = openForRuns();
  const ids = await growThread(saver, "t", 4);
  const tuple = (await saver.getTuple({ configurable: { thread_id: "t" } }))!;
  const before = countRows(saver);
  await saver.put(tuple.parentConfig!, tuple.checkpoint, tuple.metadata!, tuple.checkpoint.channel_versions);
  expect(countRows(saver)).toEqual(before);
  expect(await readMessages(saver, "t", ids[3])).toBeDefined();
});
