/** Writes finished threads into the app's data directory while it is stopped; it starts again with them. */
import { openDatabase } from "../../src/main/storage/open-database.ts";
import { createEventLog, type EventLog } from "../../src/main/threads/event-log.ts";
import { builtInSource, createThreadStore, type ThreadStore } from "../../src/main/threads/thread-store.ts";
import type { AgentId, ThreadId } from "../../src/shared/ids.ts";
import type { App } from "./app.ts";

export const demo = { provider: "demo" as const, model: "demo" };

/** What a fixture writes with. */
export type StoredThreads = {
  create(id: ThreadId, title: string): void;
  log: EventLog;
  threads: ThreadStore;
};

/** @param now the clock of what is written. */
export async function restartWith(
  app: App,
  now: () => number,
  write: (stored: StoredThreads) => void,
): Promise<void> {
  await app.stop();
  const { database } = openDatabase(app.dataDir, Date.now);
  database.pragma("synchronous = OFF");
  const threads = createThreadStore(database, now, () => undefined);
  const log = createEventLog(database, now, () => undefined);
  const create = (id: ThreadId, title: string) =>
    void threads.create({
      id,
      title,
      titled: true,
      workspace: app.workspace,
      source: builtInSource,
      agentId: "default" as AgentId,
      model: demo,
      forkedFrom: undefined,
    });
  database.transaction(() => write({ create, log, threads }))();
  database.close();
  await app.start();
}
