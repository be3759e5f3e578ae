/** How many calls to its model an agent makes in one run, and how many steps of the graph each takes. */
import { expect, it } from "vitest";
import { GateThread } from "./testing/gate-thread.ts";

const looks = (count: number) => Array.from({ length: count }, () => "ls .").join("\n\n");

it("are bounded, and counted anew when the thread is resumed", async () => {
  const thread = new GateThread({ callLimit: 3 });
  expect(await thread.send(looks(4))).toMatchObject({
    kind: "failed",
    error: { message: expect.stringContaining("limit of model calls") },
  });
  expect(thread.offered).toHaveLength(3);
  expect(await thread.goOn()).toEqual({ kind: "done" });
  expect(await thread.results()).toHaveLength(4);
});

it("are counted for each sub-agent by itself", async () => {
  const thread = new GateThread({ callLimit: 3 });
  const work = "delegate general-purpose: ls . ;; ls .";
  expect(await thread.send(`${work}\n\n${work}`)).toEqual({ kind: "done" });
  // Three of each sub-agent with its last word, and three of the agent.
  expect(thread.offered).toHaveLength(9);
});

it("take two steps of the graph each, with a checkpoint for each: of the model and of its tools", async () => {
  const thread = new GateThread();
  await thread.send("say hello");
  const stepsOf = async (count: number) => {
    const before = await thread.steps();
    expect(await thread.send(looks(count))).toEqual({ kind: "done" });
    return (await thread.steps()) - before;
  };
  expect((await stepsOf(5)) - (await stepsOf(2))).toBe(2 * 3);
});
