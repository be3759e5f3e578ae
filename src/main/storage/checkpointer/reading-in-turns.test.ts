/** A long thread is read in many turns of the loop, and is of one moment all the same. */
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { openLinear } from "./testing/stored-threads.ts";
import { growThread, readMessages } from "./testing/thread-growth.ts";

afterEach(() => void vi.restoreAllMocks());

/** Each look at the clock finds a millisecond gone, so that whoever gives way waits for a turn. */
function tickWithEachLook(): void {
  let now = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => {
    now += 1;
    return now;
  });
}

test("other work goes on between its messages", async () => {
  const saver = openLinear();
  await growThread(saver, "long", 160);
  tickWithEachLook();
  let read = false;
  const reading = readMessages(saver, "long").finally(() => {
    read = true;
  });
  let turns = 0;
  for (; !read; turns += 1) await turn();
  expect((await reading).length).toBe(321);
  expect(turns).toBeGreaterThan(8);
});

test("what is taken away meanwhile is still there for who began to read", async () => {
  const saver = openLinear();
  await growThread(saver, "long", 160);
  const before = await readMessages(saver, "long");
  tickWithEachLook();
  const reading = readMessages(saver, "long");
  await turn();
  await saver.deleteThread("long");
  expect(await reading).toEqual(before);
});
