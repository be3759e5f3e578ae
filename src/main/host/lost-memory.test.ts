/** A memory of the agents that is damaged or not there: the console starts, says so, each thread says what it lost, and all of them work again. */
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { console, folders, running, withHost } from "./testing/host-fixture.ts";

const { reopen } = withHost("test");

const memory = () => join(folders.dataDir, "checkpoints.db");

it.each([
  ["damaged", "set aside", () => writeFileSync(memory(), readFileSync(memory()).fill(0, 0, 100))],
  ["empty", "was empty", () => writeFileSync(memory(), "")],
  ["gone", "was gone", () => rmSync(memory())],
])("that is %s is said in a warning, and threads go on without it", async (state, words, lose) => {
  const done = await console.start();
  await console.run(done, "say hello");
  const waiting = await console.start("run touch never");
  await console.onePending(waiting);
  await reopen(lose);
  expect(running.host.info.warnings).toEqual([expect.stringContaining(words)]);
  if (state === "damaged") expect(readdirSync(folders.dataDir).join()).toContain("checkpoints.db.damaged-");
  for (const threadId of [done, waiting])
    expect(await console.notices(threadId)).toEqual([
      expect.objectContaining({ text: expect.stringContaining("begin without knowing") }),
    ]);
  expect(await console.untilRest(waiting)).toMatchObject({ status: "failed", waiting: 0 });
  for (const threadId of [done, waiting]) {
    expect(await console.run(threadId, "say again")).toMatchObject({ status: "done" });
    expect(await console.lastWords(threadId)).toContain("again");
  }
  await reopen();
  expect(running.host.info.warnings).toEqual([]);
});

it("that another program cuts while the host runs ends a run with a sentence, and the next start names it", async () => {
  const threadId = await console.start();
  await console.run(threadId, "say hello");
  await reopen();
  truncateSync(memory(), statSync(memory()).size / 2);
  const told = expect.stringMatching(/database file is damaged|emptied or cut by another program/);
  expect(await console.run(threadId, "say again")).toMatchObject({ status: "failed", problem: told });
  await reopen();
  expect(running.host.info.warnings).toEqual([expect.stringContaining("checkpoints.db.damaged-")]);
  expect(await console.run(threadId, "say again")).toMatchObject({ status: "done" });
});
