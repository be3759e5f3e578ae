/** A thread goes back only from the moment that whoever asks knows it at, and forth to exactly that. */
import { expect, test } from "vitest";
import { openLinear } from "./testing/stored-threads.ts";
import { growThread, readMessages } from "./testing/thread-growth.ts";
import { ThreadTakeBackError } from "./thread-take-back.ts";

test("goes back once for a mark, and forth to where it stood", async () => {
  const saver = openLinear();
  const ids = await growThread(saver, "a", 3);
  const stood = await readMessages(saver, "a");
  const back = { checkpointId: ids[0]!, from: ids.at(-1)!, mark: "m" };
  saver.takeThreadBack("a", back);
  const head = saver.newestCheckpoint("a");
  saver.takeThreadBack("a", back);
  expect(saver.newestCheckpoint("a")).toBe(head);
  expect(await readMessages(saver, "a")).toEqual(await readMessages(saver, "a", ids[0]));
  saver.bringThreadForth("a", "m");
  expect(await readMessages(saver, "a")).toEqual(stood);
});

test("is refused once the thread went on, so that nothing said since is forgotten", async () => {
  const saver = openLinear();
  const ids = await growThread(saver, "a", 3);
  expect(() => saver.takeThreadBack("a", { checkpointId: ids[0]!, from: ids[1]!, mark: "m" })).toThrow(
    ThreadTakeBackError,
  );
  expect(saver.newestCheckpoint("a")).toBe(ids.at(-1));
});
