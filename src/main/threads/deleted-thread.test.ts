import { expect, it } from "vitest";
import { createEventLog } from "./event-log.ts";
import { addThread, openInMemory, threadId } from "./testing/add-thread.ts";

it("what a dying call still says of a deleted thread is neither written nor told", () => {
  const database = openInMemory();
  const told: string[] = [];
  const store = addThread(database, Date.now);
  const log = createEventLog(database, Date.now, (events) =>
    told.push(...events.map(({ data }) => data.type)),
  );
  const end = { type: "toolCall.finished", itemId: "call", outcome: "cancelled", result: "" } as const;
  expect(log.append(threadId, [end])).toHaveLength(1);
  log.removeThread(threadId);
  store.remove(threadId);
  expect(log.append(threadId, [end])).toEqual([]);
  expect(told).toEqual(["toolCall.finished"]);
  for (const table of ["events", "items", "thread_numbers"])
    expect(database.prepare(`SELECT count(*) FROM ${table}`).pluck().get()).toBe(0);
  database.close();
});
