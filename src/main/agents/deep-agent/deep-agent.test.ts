/** What a graph is given of a conversation that is taken over, part by part. */
import { expect, it } from "vitest";
import type { ThreadId } from "../../../shared/ids.ts";
import { adopt } from "./deep-agent.ts";

it("hands on a long conversation in order and in parts, with room for everything else between them", async () => {
  const said = Array.from({ length: 1_001 }, (_, index) => ({
    kind: "person" as const,
    id: `m${index}`,
    text: "x",
  }));
  const parts: string[][] = [];
  let turns = 0;
  const count = () => {
    turns += 1;
    if (parts.length < 3) setImmediate(count);
  };
  setImmediate(count);
  const seen: number[] = [];
  const updateState = async (_place: unknown, update: unknown) => {
    seen.push(turns);
    parts.push((update as { messages: { id: string }[] }).messages.map(({ id }) => id));
    return {};
  };
  await adopt({ updateState }, "thread-1" as ThreadId, said);
  expect(parts.flat()).toEqual(said.map(({ id }) => id));
  expect(parts.map(({ length }) => length)).toEqual([500, 500, 1]);
  expect(new Set(seen).size).toBe(3);
});
