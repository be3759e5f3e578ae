/** The runs that this console began for a turn, of its message and of answers since: found by their mark, and told to end. */
import type { RemoteServer } from "../../../shared/contract/remote-servers.ts";
import type { ExecutionId } from "../../../shared/ids.ts";
import type { Work } from "../source.ts";
import type { AnswerJournal } from "./answer-records.ts";
import { findRun, isAtWork, type Pause } from "./prove-answer.ts";
import { markerName, type ServerClient } from "./server-client.ts";
import { ServerError } from "./server-error.ts";
import type { WireRun } from "./wire-shapes.ts";

export type RunParts = {
  journal: AnswerJournal;
  server: RemoteServer;
  /** Ends with what it is used for. */
  client: ServerClient;
  pause: Pause;
};

/** A message is never taken for lost: what asks there may have come of it. */
export const findSent = (client: ServerClient, thread: string, marker: string, pause: Pause) =>
  findRun(
    client,
    { thread, checkpoint: null, interrupt: "", marker, known: undefined, sameAsked: () => false },
    pause,
  );

/** Finds the runs at work that this console began for a turn: with its message, or with an answer since. */
export function ownRuns({ executions }: AnswerJournal, { turn, thread }: Pick<Work, "turn" | "thread">) {
  return ({ status, metadata }: WireRun): boolean => {
    const marker = metadata?.[markerName];
    if (!isAtWork(status)) return false;
    return (
      marker === turn.id ||
      (typeof marker === "string" && executions.get(marker as ExecutionId)?.threadId === thread.id)
    );
  };
}

/**
 * Tells the server to end what this console began there: the run of a message, or of an answer since; what others began
 * with a console of their own goes on.
 * @returns a sentence for the person, where anything of it goes on.
 */
export async function cancelTurn(
  { client, server, pause, journal }: RunParts,
  work: Pick<Work, "turn" | "thread">,
): Promise<string | undefined> {
  const { turn } = work;
  const kept = journal.serverThreads.of(work.thread.id);
  if (kept?.sentTurn !== turn.id) return undefined;
  try {
    // Stop can come before the server was heard: then its run may begin in the next moment.
    const found = kept.run ?? (await findSent(client, kept.thread, turn.id, pause));
    const runs = await client.runs(kept.thread);
    const own = runs.filter(ownRuns(journal, work));
    for (const { run_id: run } of own) await client.cancel(kept.thread, run);
    if (own.length > 0) return `${server.name} was told to end it. It may finish what it began.`;
    return typeof found === "string" && kept.run === undefined
      ? `Nobody knows whether the message arrived: ${server.name} tells of no run with it, and none was ended. Look there.`
      : undefined;
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    return `${server.name} was not heard to end it: ${error.message} What it began may go on.`;
  }
}
