/** What is read out of the lists of a server. */
import { describe, expect, it } from "vitest";
import { readSeen } from "./waiting-in.ts";
import { stateSchema, threadSchema } from "./wire-shapes.ts";

it("looks once at each question of a thread that lists as many as an answer can hold", () => {
  const list = Array.from({ length: 300_000 }, (_, count) => ({ id: String(count), value: 0 }));
  const seen = readSeen({
    thread: {
      thread_id: "a",
      status: "interrupted",
      metadata: undefined,
      updated_at: undefined,
      interrupts: [["t", list]],
    },
    state: {
      checkpoint: { checkpoint_id: "c" },
      tasks: [{ id: "t", name: undefined, interrupts: list }],
      interrupts: undefined,
    },
  });
  expect(seen.waiting).toHaveLength(200);
});

describe("what waits is read where a server tells it:", () => {
  const one = { id: "i1", value: "left?" };
  const other = { id: "i2", value: "right?" };
  const checkpoint = { checkpoint_id: "c" };
  it.each<[string, object, object, string[]]>([
    ["in the thread, without checkpoints", { interrupts: { t: [one] } }, { tasks: [] }, ["i1"]],
    ["nowhere, resolved by others", { interrupts: { t: [one] } }, { tasks: [], checkpoint }, []],
    [
      "in the tasks that have neither result nor error",
      {},
      {
        checkpoint,
        tasks: [
          { id: "t1", interrupts: [one] },
          { id: "t2", interrupts: [other], result: {} },
          { id: "t3", interrupts: [other], error: "no" },
        ],
      },
      ["i1"],
    ],
    ["in the state alone", {}, { checkpoint, interrupts: [one, other] }, ["i1", "i2"]],
  ])("%s", (_where, thread, state, ids) => {
    const told = {
      thread_id: "a",
      status: "interrupted",
      metadata: undefined,
      updated_at: undefined,
      ...thread,
    };
    const seen = readSeen({ thread: threadSchema.parse(told), state: stateSchema.parse(state) });
    expect(seen.waiting.map(({ interrupt }) => interrupt)).toEqual(ids);
  });
});
