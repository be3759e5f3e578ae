/** The row of a thread, for the tests of what is kept beside it. */
import Database from "better-sqlite3";
import type { AgentId, ThreadId } from "../../../shared/ids.ts";
import { migrations } from "../../storage/migrations.ts";
import { builtInSource, createThreadStore, type ThreadStore } from "../thread-store.ts";

export const threadId = "thread" as ThreadId;

let newest: Buffer | undefined;

/** @param steps fewer of the migrations make it the database of an older version. */
export function openInMemory(steps: readonly string[] = migrations): Database.Database {
  if (steps !== migrations) return migrate(steps);
  newest ??= migrate(migrations).serialize();
  return new Database(newest);
}

function migrate(steps: readonly string[]): Database.Database {
  const database = new Database(":memory:");
  for (const step of steps) database.exec(step);
  return database;
}

/** Adds the one thread, named `threadId`, by a store that is handed on. */
export function addThread(database: Database.Database, now: () => number): ThreadStore {
  const store = createThreadStore(database, now, () => undefined);
  store.create({
    id: threadId,
    title: "t",
    titled: true,
    workspace: "/work",
    source: builtInSource,
    agentId: "a" as AgentId,
    model: { provider: "demo", model: "demo" },
    forkedFrom: undefined,
  });
  return store;
}
