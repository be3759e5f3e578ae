/** Finds out what became of an answer that was sent: whose counted is read off the history that the server itself writes. */
import type { ServerReceipt } from "../../../shared/contract/remote-servers.ts";
import { markerName, type ServerClient } from "./server-client.ts";
import { ServerError } from "./server-error.ts";
import { readSeen, type Seen } from "./waiting-in.ts";
import type { WireRun } from "./wire-shapes.ts";

export type Sent = {
  thread: string;
  checkpoint: string | null;
  interrupt: string;
  /** What our run carries. */
  marker: string;
  /** The runs of the thread when it was looked at; undefined where nobody knows them. */
  known: ReadonlySet<string> | undefined;
  /** Whether exactly what was answered is asked there. */
  sameAsked(seen: Seen): boolean;
};

export type Proof = Pick<ServerReceipt, "proof" | "run" | "again"> & { why?: string };

/** Waits a moment before the next look; ends with the abort reason of the desk. */
export type Pause = (ms: number) => Promise<void>;

const longestPauseMs = 5_000;
const firstPauseMs = 200;
/** So often a run is looked for that may have begun although nothing was heard. */
const looksForRun = 5;

/** Whether a run says that another request began it; some servers keep no marks. */
export const isOther = ({ metadata }: Pick<WireRun, "metadata">, marker: string) =>
  metadata?.[markerName] !== undefined && metadata[markerName] !== marker;

/** Whether a run has not ended yet. */
export const isAtWork = (status: string) => status === "pending" || status === "running";

/** The run is known: looks until the history tells, or the run has ended. */
export async function proveRun(
  client: ServerClient,
  sent: Sent,
  runId: string,
  pause: Pause,
): Promise<Proof> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const proof = await unlessSilent(() => proveOnce(client, sent, runId));
    if (proof !== undefined) return { run: runId, ...proof };
    await pause(pauseMs);
  }
}

/** A server that is silent for a while has forgotten nothing: it is asked again. */
async function unlessSilent<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof ServerError && error.kind === "silent") return undefined;
    throw error;
  }
}

async function proveOnce(client: ServerClient, sent: Sent, runId: string): Promise<Proof | undefined> {
  const run = await client.run(sent.thread, runId);
  if (run === undefined) return (await isAskedStill(client, sent)) ? { proof: "lost" } : { proof: "unknown" };
  const goesOn = isAtWork(run.status);
  const heir = await heirOf(client, sent, runId, goesOn ? 10 : 100);
  if (heir === "ours") return { proof: "applied" };
  if (heir === "another's") return { proof: "elsewhere" };
  if (goesOn) return undefined;
  const found = await client.look(sent.thread);
  if (found === undefined) return { proof: "unknown", why: "The thread was deleted." };
  const seen = readSeen(found);
  if (run.status === "error") return { proof: "failed", why: seen.failed ?? "The run failed." };
  const again = sent.sameAsked(seen);
  const wasAlone = await ranAlone(client, sent, runId);
  // While siblings wait the step is not over, so no state proves anything: alone since the look, ours was the one.
  const isSameStep = heir === "none" && seen.checkpoint === sent.checkpoint;
  return { proof: isSameStep && wasAlone ? "applied" : "taken", again: again && wasAlone };
}

/** The state that came of the one that was shown names the run that made it. */
async function heirOf(
  client: ServerClient,
  { thread, checkpoint }: Sent,
  runId: string,
  limit: number,
): Promise<"ours" | "another's" | "none" | "unread"> {
  if (checkpoint === null) return "unread";
  const history = await client.history(thread, limit).catch((error: unknown) => {
    // Some servers keep none, and a long one is more than is read.
    if (error instanceof ServerError && error.kind !== "silent") return undefined;
    throw error;
  });
  if (history === undefined) return "unread";
  const makers = history
    .filter(({ parent_checkpoint: parent }) => parent?.checkpoint_id === checkpoint)
    .map(({ metadata }) => metadata?.run_id);
  if (makers.length === 0) return "none";
  if (makers.includes(runId)) return "ours";
  return makers.includes(undefined) ? "unread" : "another's";
}

/** Whether no run but ours began since the look; a list that does not hold ours leaves out others, too. */
async function ranAlone(client: ServerClient, { thread, known }: Sent, own: string): Promise<boolean> {
  const runs = known && (await client.runs(thread).catch(() => undefined));
  const others = runs?.filter(({ run_id }) => run_id !== own);
  return (
    others !== undefined && others.length < runs!.length && others.every(({ run_id }) => known!.has(run_id))
  );
}

/**
 * Nobody knows whether it arrived: looks for a run with our mark.
 * @returns the run; `lost` where there is none, nothing else runs and the same is asked still; else `unknown`
 */
export async function findRun(
  client: ServerClient,
  sent: Sent,
  pause: Pause,
): Promise<{ run: string } | "lost" | "unknown"> {
  for (let look = 1, pauseMs = firstPauseMs; ; look += 1, pauseMs *= 2) {
    const told = await unlessSilent(async () => ({ run: await markedRun(client, sent) }));
    if (told?.run !== undefined) return { run: told.run };
    if (look < looksForRun) {
      await pause(pauseMs);
      continue;
    }
    if (told === undefined) return "unknown";
    return (await unlessSilent(() => isAskedStill(client, sent))) ? "lost" : "unknown";
  }
}

/** Nothing works on the thread, and exactly what was answered waits there. */
async function isAskedStill(client: ServerClient, { thread, sameAsked }: Sent): Promise<boolean> {
  const found = await client.look(thread);
  const seen = found && readSeen(found);
  return seen !== undefined && seen.status !== "busy" && sameAsked(seen);
}

/**
 * A refusal was heard. What stands between may have sent the request twice, and then it is our own run that the second one
 * met, whatever the status says.
 * @returns that run; `none` where the server lists none; `unheard` where its list cannot be read
 */
export async function runInTheWay(
  client: ServerClient,
  sent: Pick<Sent, "thread" | "marker">,
): Promise<{ run: string } | "none" | "unheard"> {
  try {
    const run = await markedRun(client, sent);
    return run === undefined ? "none" : { run };
  } catch (error) {
    if (error instanceof ServerError)
      return error.status === 404 || error.kind === "key" ? "none" : "unheard";
    throw error;
  }
}

/** @returns the run that carries our mark, if there is one. */
async function markedRun(
  client: ServerClient,
  { thread, marker }: Pick<Sent, "thread" | "marker">,
): Promise<string | undefined> {
  const runs = await client.runs(thread);
  return runs.find(({ metadata }) => metadata?.[markerName] === marker)?.run_id;
}
