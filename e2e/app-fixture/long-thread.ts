/** Fills the app's data directory, while it is stopped, with a finished thread that is far longer than what is loaded of it. */
import type { ThreadEventData } from "../../src/shared/contract/thread-events.ts";
import type { MessageId, ThreadId, TurnId } from "../../src/shared/ids.ts";
import type { App } from "./app.ts";
import { demo, restartWith } from "./stored-threads.ts";

const threadId = "long-thread" as ThreadId;

/** Each turn is a question, a file that was read, and an answer. The app starts again with it. */
export async function restartWithLongThread(app: App, title: string, turns: number): Promise<void> {
  await restartWith(app, Date.now, ({ create, log, threads }) => {
    create(threadId, title);
    for (let turn = 1; turn <= turns; turn += 1) log.append(threadId, exchange(turn));
    threads.update(threadId, { status: "done" });
  });
}

function exchange(turn: number): ThreadEventData[] {
  const turnId = `turn-${turn}` as TurnId;
  const call = `call-${turn}`;
  return [
    {
      type: "message.sent",
      itemId: `asked-${turn}` as MessageId,
      turnId,
      text: `Please look at part ${turn} of the parser.`,
      attachments: [],
      queued: false,
    },
    {
      type: "toolCall.requested",
      itemId: call,
      turnId,
      agentPath: [],
      toolCallId: call,
      tool: "read_file",
      args: { file_path: `src/part-${turn}.ts` },
    },
    {
      type: "toolCall.finished",
      itemId: call,
      outcome: "ok",
      result: `export const secret = "kept ${turn}";`,
    },
    {
      type: "message.finished",
      itemId: `answered-${turn}` as MessageId,
      turnId,
      agentPath: [],
      text: `Part **${turn}** reports its line now.\n\nThat was answer number ${turn}.`,
      model: demo,
      partial: false,
    },
  ];
}
