import Database from "better-sqlite3";
import { expect, it } from "vitest";
import type { AgentId, ThreadId } from "../../shared/ids.ts";
import { migrations } from "../storage/migrations.ts";
import { createEventLog } from "./event-log.ts";
import { createThreadStore } from "./thread-store.ts";

const threadId = "thread" as ThreadId;

it("what a dying call still says of a deleted thread is neither written nor told", () => {
  const database = new Database(":memory:");
  for (const step of migrations) database.exec(step);
  const told: string[] = [];
  const store = createThreadStore(database, Date.now, () => undefined);
  const log = createEventLog(database, Date.now, (events) =>
    told.push(...events.map(({ data }) => data.type)),
  );
  const { id } = store.create({
    id: threadId,
    title: "t",
    titled: true,
    workspace: "/work",
    agentId: "a" as AgentId,
    model: { provider: "demo", model: "demo" },
    forkedFrom: undefined,
  });
  const end = { type: "toolCall.finished", itemId: "call", outcome: "cancelled", result: "" } as const;
  expect(log.append(id, [end])).toHaveLength(1);
  log.removeThread(id);
  store.remove(id);
  expect(log.append(id, [end])).toEqual([]);
  expect(told).toEqual(["toolCall.finished"]);
  expect(database.prepare("SELECT count(*) FROM events").pluck().get()).toBe(0);
  database.close();
});
