/** A long thread is read in many turns of the loop, and is of one moment all the same. */
import { setImmediate as turn } from "node:timers/promises";
import { AIMessage } from "@langchain/core/messages";
import { afterEach, expect, test, vi } from "vitest";
import { packText } from "../packed-text.ts";
import { openLinear } from "./testing/stored-threads.ts";
import { growThread, readMessages } from "./testing/thread-growth.ts";
import { encodePlain, linkKey } from "./value-encoder.ts";
import { ValueReviver } from "./value-reviver.ts";

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

test("no more messages are unpacked in a turn than are made in it", async () => {
  tickWithEachLook();
  let inTurn = 0;
  let most = 0;
  const counted = (seq: number) => {
    const body = packText(
      encodePlain(new AIMessage({ id: `m${seq}`, content: `Message ${seq}. `.repeat(20) })),
    ) as Buffer;
    body.subarray = (...bounds) => {
      inTurn += 1;
      most = Math.max(most, inTurn);
      return Buffer.prototype.subarray.apply(body, bounds);
    };
    return body;
  };
  const reviver = new ValueReviver(
    {
      readMessages: (runs, visit) => {
        for (let i = 0; i < runs.length; i += 2)
          for (let seq = runs[i]!; seq < runs[i]! + runs[i + 1]!; seq += 1) visit(seq, counted(seq));
      },
      readValue: () => "",
      onMessage: () => {},
    },
    () => Promise.reject(new Error("All of them are known.")),
  );
  const links = Array.from({ length: 320 }, (_, at) => ({ [linkKey]: ["m", at + 1] }));
  let read = false;
  const reading = reviver.revive(JSON.stringify(links), true).finally(() => {
    read = true;
  });
  while (!read) {
    await turn();
    inTurn = 0;
  }
  expect(await reading).toHaveLength(320);
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThan(80);
});
