/** When a run has the loop for itself: never while it waits for a model, a person or an effect. */
import { expect, it } from "vitest";
import { GateThread } from "./testing/gate-thread.ts";

const stretch = (name: string) => [name, "left"];

it("has the loop between an answer and the card, and between a result and the next call of the model", async () => {
  const thread = new GateThread();
  const ended = thread.send("run make");
  await thread.journal.until(() => thread.journal.pending.length === 1);
  expect(thread.stretches).toEqual([...stretch("begin"), ...stretch("answer")]);
  await thread.journal.decide("make", { type: "approve" });
  expect(await ended).toEqual({ kind: "done" });
  expect(thread.stretches.slice(4)).toEqual([...stretch("result"), ...stretch("answer")]);
});

it("leaves it to others while a sub-agent waits, and takes it again after an effect that failed", async () => {
  const thread = new GateThread({ judge: () => "free" });
  expect(await thread.send("delegate general-purpose: run explode")).toEqual({ kind: "done" });
  const inSubAgent = [...stretch("answer"), ...stretch("result"), "answer"];
  const after = [...stretch("result"), ...stretch("answer")];
  expect(thread.stretches).toEqual([...stretch("begin"), ...stretch("answer"), ...inSubAgent, ...after]);
});
