/** Delivers what was decided about one interrupt: written down, looked at once more, sent once, and followed until it is known. */

import type { RemoteServer } from "../../../shared/contract/remote-servers.ts";
import type { ApprovalRow } from "../../approvals/approval-row.ts";
import { passBarrier } from "../../base/barriers.ts";
import { type AnswerJournal, type Begun, beginAnswer, endAnswer } from "./answer-records.ts";
import { readAsked, writeAnswer } from "./dialects.ts";
import {
  findRun,
  isOther,
  type Pause,
  type Proof,
  proveRun,
  runInTheWay,
  type Sent,
} from "./prove-answer.ts";
import { decisionsIn, toGroup } from "./server-cards.ts";
import type { ServerClient } from "./server-client.ts";
import { ServerError } from "./server-error.ts";
import { readSeen, type Seen } from "./waiting-in.ts";

export type DeliveryParts = {
  journal: AnswerJournal;
  server: RemoteServer;
  client: ServerClient;
  pause: Pause;
  /** In milliseconds, of a clock that nobody sets. */
  clock(): number;
};

/** How old the look may be that an answer or a message relies on. */
export const oldestLookMs = 1_000;
const looksAtMost = 3;

/** @param rows all of one interrupt, each decided and none used up. @throws the abort reason of the desk: then it is found out later. */
export async function deliver(parts: DeliveryParts, rows: readonly ApprovalRow[]): Promise<void> {
  const begun = await beginAnswer(parts.journal, rows);
  if (begun.length === 0) return;
  passBarrier("execution-started");
  const proof = await sendAndProve(parts, begun);
  passBarrier("effect-done");
  endAnswer(parts.journal, begun, proof);
}

/** What an earlier host had begun and did not see the end of. Nothing is sent for it. @throws ServerError to be tried later */
export async function settle(parts: DeliveryParts, begun: readonly Begun[]): Promise<void> {
  const sent = toSent(parts.server, begun, undefined);
  endAnswer(parts.journal, begun, await findProof(parts, sent));
}

/** A server that has nothing more to tell of it leaves it unknown; one that tells nothing now is asked later. */
async function findProof(parts: DeliveryParts, sent: Sent): Promise<Proof> {
  try {
    return await proofOf(parts, sent, await findRun(parts.client, sent, parts.pause));
  } catch (error) {
    if (!(error instanceof ServerError) || !hasSpoken(error)) throw error;
    return { proof: "unknown", why: error.message };
  }
}

const hasSpoken = ({ kind, status }: ServerError) =>
  kind === "odd" || (kind === "no" && status !== 408 && status !== 429);

/** What identifies an answer on the server, from the cards that it was decided on. */
function toSent(server: RemoteServer, begun: readonly Begun[], known: Sent["known"]): Sent {
  const rows = begun.map(({ row }) => row);
  const [first] = begun;
  const card = first?.row.server;
  if (!card) throw new Error("Only a card of a server is answered there.");
  const { thread, checkpoint, interrupt } = card;
  const marker = first.executionId;
  return { thread, checkpoint, interrupt, marker, known, sameAsked: (seen) => isAsked(server, seen, rows) };
}

/** Whether every one of these questions stands there, exactly as it was shown. */
function isAsked(server: RemoteServer, seen: Seen, rows: readonly ApprovalRow[]): boolean {
  const digests = new Set(
    seen.waiting.flatMap((one) => toGroup(server, seen, one).questions.map(({ digest }) => digest)),
  );
  return rows.every(({ digest }) => digests.has(digest));
}

async function sendAndProve(parts: DeliveryParts, begun: readonly Begun[]): Promise<Proof> {
  try {
    const looked = await lookBefore(
      parts,
      begun.map(({ row }) => row),
    );
    if ("proof" in looked) return looked;
    const sent = toSent(parts.server, begun, looked.known);
    const run = await send(parts, sent, looked);
    return await proofOf(parts, sent, run);
  } catch (error) {
    if (error instanceof ServerError) return { proof: "unknown", why: error.message };
    throw error;
  }
}

type Looked = {
  assistant: string;
  resume: unknown;
  known: ReadonlySet<string> | undefined;
  /** By the clock that nobody sets. */
  startedAt: number;
};

const tooSlow = "The server is too slow to be looked at and answered within a second.";

/** @returns what is to be sent, from a look that is young enough, or why nothing is. */
async function lookBefore(
  { server, client, clock }: DeliveryParts,
  rows: readonly ApprovalRow[],
): Promise<Looked | Proof> {
  const thread = rows[0]?.server?.thread ?? "";
  try {
    for (let look = 1; look <= looksAtMost; look += 1) {
      const startedAt = clock();
      const [found, runs] = await Promise.all([
        client.look(thread),
        client.runs(thread).catch(() => undefined),
      ]);
      if (found === undefined) return { proof: "gone", why: "The thread was deleted there." };
      const seen = readSeen(found);
      if (seen.status === "busy") return { proof: "unsent", why: "Something else is working on the thread." };
      if (seen.status === "error") return { proof: "gone", why: "The thread failed there." };
      if (!isAsked(server, seen, rows)) return { proof: "gone" };
      const looked = toLooked(seen, rows, runs, startedAt);
      if (clock() - startedAt <= oldestLookMs) return looked;
    }
    return { proof: "unsent", why: tooSlow };
  } catch (error) {
    if (error instanceof ServerError) return { proof: "unsent", why: error.message };
    throw error;
  }
}

function toLooked(
  seen: Seen,
  rows: readonly ApprovalRow[],
  runs: Awaited<ReturnType<ServerClient["runs"]>> | undefined,
  startedAt: number,
): Looked | Proof {
  const interrupt = rows[0]?.server?.interrupt;
  const waiting = seen.waiting.find((one) => one.interrupt === interrupt);
  if (!waiting || seen.assistant === undefined) return { proof: "gone" };
  const asked = readAsked(waiting.value, waiting.schema);
  const decisions = decisionsIn(rows, asked);
  if (!decisions) return { proof: "gone" };
  const known = runs && new Set(runs.map(({ run_id }) => run_id));
  return { assistant: seen.assistant, resume: writeAnswer(asked, decisions), known, startedAt };
}

type Found = Awaited<ReturnType<typeof findRun>>;

/** The one request that answers. What is not known to have failed may have arrived, and is looked for. */
async function send(
  { client, pause, clock }: DeliveryParts,
  sent: Sent,
  { assistant, resume, startedAt }: Looked,
): Promise<Found | Proof> {
  const { thread, interrupt, marker } = sent;
  // Looking its name up and connecting take their time too.
  const refuse = () => (clock() - startedAt > oldestLookMs ? tooSlow : undefined);
  try {
    const begun = await client.answer(thread, { assistant, interrupt, resume, marker }, refuse);
    return isOther(begun, marker) ? findRun(client, sent, pause) : { run: begun.run_id };
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    if (error.mayHaveActed) return findRun(client, sent, pause);
    const met = error.status === undefined ? "none" : await runInTheWay(client, sent);
    if (met === "unheard") return findRun(client, sent, pause);
    return met === "none" ? { proof: "unsent", why: error.message } : met;
  }
}

async function proofOf({ client, pause }: DeliveryParts, sent: Sent, found: Found | Proof): Promise<Proof> {
  if (found === "lost" || found === "unknown") return { proof: found };
  return "proof" in found ? found : proveRun(client, sent, found.run, pause);
}
