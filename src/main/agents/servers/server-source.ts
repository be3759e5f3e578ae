/** Threads of remote servers as an agent source: nothing of them runs here; a turn is a message sent there and followed. */
import { randomUUID } from "node:crypto";
import { ContractError } from "../../../shared/contract/errors.ts";
import type { RemoteServer, ShownAssistant } from "../../../shared/contract/remote-servers.ts";
import type { ThreadId } from "../../../shared/ids.ts";
import type { ApprovalRow } from "../../approvals/approval-row.ts";
import { visibleText } from "../../base/visible-text.ts";
import { type RunContext, StoppedByPerson, TurnStopped } from "../../gate/run-context.ts";
import { type AgentSource, fewAbilities, type Work } from "../source.ts";
import type { AnswerJournal } from "./answer-records.ts";
import { cancelTurn } from "./own-runs.ts";
import { threadIdOf, toThread } from "./server-cards.ts";
import { ServerError } from "./server-error.ts";
import type { OpenServer } from "./server-links.ts";
import { ServerTelling } from "./server-messages.ts";
import { runServerTurn } from "./server-turn.ts";

export type ServerSourceParts = {
  journal: AnswerJournal;
  /** The server of a thread; nothing while it is being changed, or where it was removed. */
  openedOf(threadId: ThreadId): OpenServer | undefined;
  /** The same when nothing changes it. */
  settledOf(threadId: ThreadId): Promise<OpenServer | undefined>;
  openKey(id: string): Promise<void>;
  close(): Promise<void>;
};

const isGone = "Its server was removed here. What goes on there goes on.";

/** Holds in memory which servers are being told to end a run. */
export function createServerSource({
  journal,
  openedOf,
  settledOf,
  openKey,
  close,
}: ServerSourceParts): AgentSource {
  const ending = new Set<Promise<void>>();

  /** Not waited for: a server that is silent would hold up whoever pressed Stop. */
  function endThere(work: Work, { end, server, partsUntil }: OpenServer): void {
    const told = cancelTurn(partsUntil(end.signal), work)
      // Its settings changed meanwhile, or the app ends.
      .catch(() => `${server.name} was not told to end it. What it began may go on.`)
      .then((text) => {
        if (text !== undefined && journal.threads.find(work.thread.id))
          new ServerTelling(journal.log, work, server.name).say(text);
      })
      .finally(() => ending.delete(told));
    ending.add(told);
  }

  /** What waited for the end of its grace over a start comes before any round has opened the key. */
  async function deliver(row: ApprovalRow): Promise<void> {
    const opened = openedOf(row.threadId);
    if (!opened) return;
    await openKey(opened.server.id);
    openedOf(row.threadId)?.link.deliver(row);
  }

  return {
    can: fewAbilities,
    async run(work, run) {
      for (;;) {
        const opened = await settledOf(work.thread.id);
        if (!opened) throw new TurnStopped("failed", isGone);
        try {
          await openKey(opened.server.id);
          // Stop may have come by now: what an earlier run began is told to end all the same.
          run.signal.throwIfAborted();
          return await runServerTurn(work, opened.partsUntil(run.signal));
        } catch (error) {
          if (wasStopped(run)) endThere(work, opened);
          // With other settings it goes on where it was: what was sent is followed and not sent again.
          if (run.signal.aborted || !opened.end.signal.aborted) throw error;
        }
      }
    },
    outside: { deliver: (row) => void deliver(row) },
    forget: async (threadId) => journal.serverThreads.forget(threadId),
    async close() {
      await close();
      await Promise.all(ending);
    },
  };
}

/** The end of the app ends nothing that goes on elsewhere. */
const wasStopped = ({ signal }: RunContext) => signal.aborted && signal.reason instanceof StoppedByPerson;

/** @throws ContractError that says why the server names nobody */
export async function listAssistants({ partsUntil, end }: OpenServer): Promise<ShownAssistant[]> {
  try {
    const assistants = await partsUntil(end.signal).client.assistants();
    return assistants.map(({ assistant_id: id, graph_id: graph = "", name = "" }) => ({
      id,
      graph: visibleText(graph).slice(0, 100),
      name: visibleText(name).slice(0, 100),
    }));
  } catch (error) {
    if (error instanceof ServerError) throw new ContractError("conflict", error.message, { field: "id" });
    throw error;
  }
}

/** Its id on the server is made here, so that making it twice is as good as once. */
export function createThread(
  journal: AnswerJournal,
  server: RemoteServer,
  assistant: string,
  title: string,
): ThreadId {
  const thread = randomUUID();
  const threadId = threadIdOf(server, thread);
  journal.threads.create({ ...toThread(server, { thread, title, graph: assistant }), id: threadId });
  journal.serverThreads.note(threadId, thread, assistant);
  return threadId;
}
