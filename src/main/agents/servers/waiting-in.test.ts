/** What is read out of the lists of a server. */
import { expect, it } from "vitest";
import { readSeen } from "./waiting-in.ts";

it("looks once at each question of a thread that lists as many as an answer can hold", () => {
  const list = Array.from({ length: 300_000 }, (_, count) => ({ id: String(count), value: 0 }));
  const seen = readSeen({
    thread: {
      thread_id: "a",
      status: "interrupted",
      metadata: undefined,
      updated_at: undefined,
      interrupts: { t: list },
    },
    state: {
      checkpoint: { checkpoint_id: "c" },
      tasks: [{ id: "t", name: undefined, interrupts: list }],
      interrupts: undefined,
    },
  });
  expect(seen.waiting).toHaveLength(200);
});
