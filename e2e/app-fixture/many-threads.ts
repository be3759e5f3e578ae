/** Fills the app's data directory, while it is stopped, with many short threads that ended in different ways. */
import { openDatabase } from "../../src/main/storage/open-database.ts";
import { createEventLog } from "../../src/main/threads/event-log.ts";
import { builtInSource, createThreadStore } from "../../src/main/threads/thread-store.ts";
import type { AgentId, MessageId, ThreadId, TurnId } from "../../src/shared/ids.ts";
import type { App } from "./app.ts";

const turnId = "turn" as TurnId;
const demo = { provider: "demo" as const, model: "demo" };

/** Every tenth failed, every fourth is finished and unread, and the rest was read. The app starts again with them. */
export async function restartWithManyThreads(app: App, count: number): Promise<void> {
  await app.stop();
  const { database } = openDatabase(app.dataDir, Date.now);
  database.pragma("synchronous = OFF");
  let clock = Date.now() - count * 60_000;
  const now = () => clock;
  const threads = createThreadStore(database, now, () => undefined);
  const log = createEventLog(database, now, () => undefined);
  database.transaction(() => {
    for (let at = 1; at <= count; at += 1) {
      clock += 60_000;
      const id = `thread-${at}` as ThreadId;
      threads.create({
        id,
        title: `Part ${at} of the work`,
        titled: true,
        workspace: app.workspace,
        source: builtInSource,
        agentId: "default" as AgentId,
        model: demo,
        forkedFrom: undefined,
      });
      log.append(id, [
        {
          type: "message.finished",
          itemId: `said-${at}` as MessageId,
          turnId,
          agentPath: [],
          text: `Part ${at} is as it should be.`,
          model: demo,
          partial: false,
        },
      ]);
      if (at % 10 === 0) threads.update(id, { status: "failed", problem: "The model did not answer." });
      else threads.update(id, { status: "done", unread: at % 4 === 0 });
    }
  })();
  database.close();
  await app.start();
}
