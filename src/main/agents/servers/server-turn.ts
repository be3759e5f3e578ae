/** One turn of a thread on a server: its message is sent once, when nothing works or waits there, and the thread is followed until it rests. */
import { passBarrier } from "../../base/barriers.ts";
import { TurnStopped } from "../../gate/run-context.ts";
import type { Rest } from "../run-end.ts";
import type { Work } from "../source.ts";
import { oldestLookMs } from "./deliver-answer.ts";
import type { KeyHider } from "./hide-key.ts";
import { findSent, ownRuns, type RunParts } from "./own-runs.ts";
import { isAtWork, runInTheWay } from "./prove-answer.ts";
import { ServerError } from "./server-error.ts";
import { messagesIn, ServerTelling } from "./server-messages.ts";
import { showSeen } from "./server-queue.ts";
import type { ServerThread } from "./server-threads.ts";
import { RunWords } from "./server-words.ts";
import { readSeen, type Seen } from "./waiting-in.ts";

export type TurnParts = RunParts & {
  /** Leaves out the key that the server knows now. */
  hider(): KeyHider;
  /** In milliseconds, of a clock that nobody sets. */
  clock(): number;
};

type Turn = TurnParts & { work: Work; kept: ServerThread; telling: ServerTelling };

const glanceMs = 1_000;
/** What takes longer is looked at less often. */
const soonOver = 60;
const laterMs = 5_000;
/** Each look keeps some servers from writing their threads down for three seconds, so that one in five glances is one. */
const glancesToOneLook = 5;
const longestPauseMs = 60_000;
/** So often a message is offered to a server that refuses it although nothing works there. */
const mostRefusals = 3;

const failed = (why: string) => new TurnStopped("failed", why);

/** @throws TurnStopped that says why it ended before it was done, or the reason of the run's signal */
export async function runServerTurn(work: Work, parts: TurnParts): Promise<Rest> {
  const { journal, server } = parts;
  const kept = journal.serverThreads.of(work.thread.id);
  if (kept === undefined) throw failed("Nobody knows here any more which thread of the server this is.");
  if (work.turn.attachments.length > 0)
    throw failed("Files cannot be sent to a server. Write what it has to know into the message.");
  const turn = { ...parts, work, kept, telling: new ServerTelling(journal.log, work, server.name) };
  if (kept.sentTurn !== work.turn.id) {
    const sent = await explained(() => send(turn));
    if (sent === "waiting") return "waiting";
  }
  return follow(turn, await arrivedRun(turn));
}

/** A server's refusal ends the turn with its reason. */
async function explained<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof ServerError ? failed(`The message was not sent. ${error.message}`) : error;
  }
}

/** Keeps the message back while something works or waits there: a message would void the question without a trace. */
async function send(turn: Turn): Promise<"sent" | "waiting"> {
  const { kept, client, clock, pause, work, journal } = turn;
  for (let refusals = 0; ; ) {
    const startedAt = clock();
    const looked = await lookBefore(turn);
    if (looked === "waiting") return "waiting";
    if (looked === "busy") {
      await pause(laterMs);
      continue;
    }
    const { messageId: id, text, id: marker } = work.turn;
    await journal.commitDurably(() => journal.serverThreads.sending(work.thread.id, marker));
    passBarrier("execution-started");
    const refuse = () => (clock() - startedAt > oldestLookMs ? "The server is too slow." : undefined);
    try {
      const message = { assistant: looked.assistant, text, id, marker };
      const { run_id: run } = await client.begin(kept.thread, message, refuse);
      journal.serverThreads.arrived(work.thread.id, run);
      return "sent";
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      // Nobody knows whether it arrived: it is looked for.
      if (error.mayHaveActed) return "sent";
      const sent = { thread: kept.thread, marker };
      if (error.status !== undefined && (await runInTheWay(client, sent)) !== "none") return "sent";
      journal.serverThreads.sending(work.thread.id, undefined);
      refusals += 1;
      if (error.kind === "key" || refusals >= mostRefusals) throw error;
      await pause(glanceMs);
    }
  }
}

/** @returns whom the message is for, when it can be sent now. */
async function lookBefore(turn: Turn): Promise<"waiting" | "busy" | { assistant: string }> {
  const { kept, client, server, telling } = turn;
  const found = await client.look(kept.thread);
  if (found === undefined) {
    if (kept.assistant === undefined || kept.sentTurn !== undefined)
      throw failed(`This thread was deleted on ${server.name}.`);
    await client.createThread(kept.thread);
    return { assistant: kept.assistant };
  }
  const seen = readSeen(found);
  telling.show(messagesIn(found.state.values));
  if (seen.status === "busy") return "busy";
  if (isHeldUp(turn, seen)) return "waiting";
  const assistant = seen.assistant ?? kept.assistant;
  if (assistant === undefined) throw failed(`${server.name} does not say which assistant works there.`);
  return { assistant };
}

/** Files what waits there. @throws TurnStopped where it waits for what nobody can be asked here */
function isHeldUp({ journal, server }: Turn, seen: Seen): boolean {
  // What failed there waits for nobody, and a message is the person's own way out of it.
  if (seen.status === "error") return false;
  showSeen(journal, server, seen.thread, seen);
  if (seen.waiting.length > 0) return true;
  if (seen.status === "interrupted")
    throw failed(`It stands at a breakpoint on ${server.name}, which waits for no answer. Go on there.`);
  return false;
}

/**
 * The run that the message began; nothing is sent again where nobody knows of one.
 * @throws TurnStopped that says so
 */
async function arrivedRun({ journal, work, client, pause, kept, server }: Turn): Promise<string> {
  const known = journal.serverThreads.of(work.thread.id)?.run;
  if (known !== undefined) return known;
  const found = await findSent(client, kept.thread, work.turn.id, pause).catch((error: unknown) => {
    if (error instanceof ServerError) return "unknown" as const;
    throw error;
  });
  if (typeof found === "string")
    throw failed(
      `Nobody knows whether the message arrived: ${server.name} tells of no run with it. Look there. It is not sent a second time; write it again if it is missing.`,
    );
  journal.serverThreads.arrived(work.thread.id, found.run);
  return found.run;
}

/** Shows what comes until the thread rests there. Whoever else reads its events loses none of them to this. */
async function follow(turn: Turn, run: string): Promise<Rest> {
  const { journal, kept, client, work, telling, hider } = turn;
  const { onDelta } = journal;
  const words = new RunWords({ client, thread: kept.thread, work, telling, hide: hider(), onDelta });
  try {
    return await untilRest(turn, run, words);
  } finally {
    await words.end();
  }
}

async function untilRest(turn: Turn, run: string, words: RunWords): Promise<Rest> {
  const { client, kept, pause, server, telling } = turn;
  for (let round = 0; ; round += 1) {
    if (round > 0) await pause(round < soonOver ? glanceMs : laterMs);
    const isLook = round % glancesToOneLook === 0;
    const row = isLook ? undefined : await patiently(turn, () => client.glance(kept.thread));
    if (!isLook && (row === undefined || row.status === "busy")) continue;
    const found = await patiently(turn, () => client.look(kept.thread));
    if (found === undefined) throw failed(`This thread was deleted on ${server.name}.`);
    const seen = readSeen(found);
    telling.show(messagesIn(found.state.values));
    if (seen.status === "busy") {
      await hear(turn, run, words);
      continue;
    }
    const own = await patiently(turn, () => client.run(kept.thread, run));
    // Some servers take a run up a moment after they told of it.
    if (own !== undefined && isAtWork(own.status)) continue;
    if (isHeldUp(turn, seen)) return "waiting";
    if (seen.status === "error")
      throw failed(`It failed on ${server.name}: ${seen.failed ?? "the server does not say why"}.`);
    if (own === undefined) telling.say(`${server.name} knows nothing any more of the run with this message.`);
    else if (own.status === "interrupted") telling.say(`${server.name} says that this run was interrupted.`);
    else if (own.status !== "success") throw failed(`Its run on ${server.name} ended as: ${own.status}.`);
    return "done";
  }
}

/** Listens to the run of the message, or to the one that an answer from here began since. */
async function hear(turn: Turn, run: string, words: RunWords): Promise<void> {
  if (words.isBusyOrDeaf) return;
  const { client, kept } = turn;
  const isOwn = ownRuns(turn.journal, turn.work);
  const known = await patiently(turn, () => client.run(kept.thread, run));
  const found =
    known && isAtWork(known.status)
      ? known
      : (await patiently(turn, () => client.runs(kept.thread))).find(isOwn);
  if (found) words.listen(found.run_id);
}

/** What goes on there goes on while the server is silent. @throws TurnStopped where it says no */
async function patiently<T>({ pause }: Turn, look: () => Promise<T>): Promise<T> {
  for (let pauseMs = glanceMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await look();
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      if (error.kind !== "silent") throw failed(error.message);
      await pause(pauseMs);
    }
  }
}
