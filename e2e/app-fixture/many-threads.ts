/** Fills the app's data directory, while it is stopped, with many short threads that ended in different ways. */
import type { MessageId, ThreadId, TurnId } from "../../src/shared/ids.ts";
import type { App } from "./app.ts";
import { demo, restartWith } from "./stored-threads.ts";

const turnId = "turn" as TurnId;

/** Every tenth failed, every fourth is finished and unread, and the rest was read. The app starts again with them. */
export async function restartWithManyThreads(app: App, count: number): Promise<void> {
  let clock = Date.now() - count * 60_000;
  await restartWith(
    app,
    () => clock,
    ({ create, log, threads }) => {
      for (let at = 1; at <= count; at += 1) {
        clock += 60_000;
        const id = `thread-${at}` as ThreadId;
        create(id, `Part ${at} of the work`);
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
    },
  );
}
