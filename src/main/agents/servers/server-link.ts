/** One server: asked by a small list at intervals, looked at where something changed, and told what was decided, one answer a thread at a time. */
import type { ServerState } from "../../../shared/contract/remote-servers.ts";
import type { ApprovalRow } from "../../approvals/approval-row.ts";
import { endCall, settleStatus } from "./answer-records.ts";
import { isUnknown, leftOf, readyRows } from "./decided-answers.ts";
import { type DeliveryParts, deliver, settle } from "./deliver-answer.ts";
import { isOf } from "./server-cards.ts";
import type { ListedThread } from "./server-client.ts";
import { ServerError } from "./server-error.ts";
import { cardsWaiting, isFull, showSeen, showStanding, threadsWaiting } from "./server-queue.ts";
import { readSeen } from "./waiting-in.ts";

export type LinkParts = DeliveryParts & {
  /** Aborted when the console ends or the server is removed. */
  signal: AbortSignal;
  onError(error: unknown): void;
};

/** What is read of threads in one round; the rest is read in the next. */
const mostBytesAtOnce = 16_000_000;
/** After this a round begins with the list again. */
const longestRoundMs = 30_000;
/** So many in a row that tell nothing are a server that tells nothing. */
const mostSilentThreads = 3;

/** Holds in memory what of each thread was seen last, and which threads have an answer on its way. */
export class ServerLink {
  readonly #parts: LinkParts;
  readonly #turns = new Map<string, Promise<void>>();
  readonly #known = new Map<string, string>();
  readonly #failing = new Set<string>();
  #silentThreads = 0;
  #state: ServerState;
  #round: Promise<void> | undefined;

  constructor(parts: LinkParts) {
    this.#parts = parts;
    this.#state = { kind: "new", since: parts.journal.now(), waiting: 0 };
  }

  get state(): ServerState {
    return this.#state;
  }

  /** Asks for the list and looks at what changed. Never rejects: what went wrong is its state. */
  poll(): Promise<void> {
    this.#round ??= this.#lookAround()
      .catch((error: unknown) => {
        if (error instanceof ServerError) this.#sayFailed(error);
        else this.#tell(error);
      })
      .finally(() => {
        this.#round = undefined;
      });
    return this.#round;
  }

  /** A decision that nothing can take back any more. */
  deliver(row: ApprovalRow): void {
    const { server: card } = row;
    // One that waits for its siblings holds up no look at its thread.
    if (card && (isUnknown(row) || readyRows(this.#parts.journal, row)))
      void this.#inTurn(card.thread, () => this.#deliverGroup(row));
  }

  /** Resolves when nothing that was begun goes on. */
  async idle(): Promise<void> {
    await Promise.all([this.#round, ...this.#turns.values()]);
  }

  #tell(error: unknown): void {
    if (!this.#parts.signal.aborted) this.#parts.onError(error);
  }

  /** One after another for each thread, so that no look comes between an answer and what is known of it. */
  #inTurn(thread: string, act: () => Promise<void>): Promise<void> {
    const turn = (this.#turns.get(thread) ?? Promise.resolve())
      .then(act)
      .catch((error: unknown) => this.#tell(error))
      .finally(() => {
        if (this.#turns.get(thread) === turn) this.#turns.delete(thread);
      });
    this.#turns.set(thread, turn);
    return turn;
  }

  /** @returns whether all that waits there has its card */
  async #refresh(thread: string): Promise<boolean> {
    const { client, signal, journal, server } = this.#parts;
    const found = await client.look(thread);
    signal.throwIfAborted();
    return showSeen(journal, server, thread, found && readSeen(found));
  }

  async #lookAround(): Promise<void> {
    const { client, signal, journal, server, clock } = this.#parts;
    const known = this.#known;
    this.#silentThreads = 0;
    const listed = await client.listWaiting();
    signal.throwIfAborted();
    const waiting = new Map(listed.map((row) => [row.thread_id, printOf(row)]));
    this.#say({ kind: "answers", waiting: waiting.size });
    for (const thread of known.keys()) if (!waiting.has(thread)) known.delete(thread);
    for (const thread of this.#failing) if (!waiting.has(thread)) this.#failing.delete(thread);
    this.#settleLeft();
    this.#deliverLeft();
    // What was told in the moment in which a run came to rest found nothing to wake.
    for (const threadId of journal.threads.threadsWithCurrentTurn())
      if (isOf(server, threadId)) settleStatus(journal, threadId);
    const followed = new Set(
      threadsWaiting(journal, server).flatMap((id) => journal.serverThreads.of(id)?.thread ?? []),
    );
    const bytesBefore = client.bytesRead();
    const startedAt = clock();
    for (const thread of this.#inOrder(new Set([...waiting.keys(), ...followed]))) {
      const print = waiting.get(thread);
      if (print !== undefined && known.get(thread) === print) continue;
      if (client.bytesRead() - bytesBefore > mostBytesAtOnce || clock() - startedAt > longestRoundMs) break;
      // Whose answer is on its way is looked at when that is known, and what has no room when there is some.
      if (this.#turns.has(thread) || (!followed.has(thread) && isFull(journal, server))) continue;
      await this.#inTurn(thread, () => this.#lookAt(thread, print));
      if (this.#state.kind !== "answers") return;
    }
  }

  /** Those that could not be read wait for their neighbours. */
  #inOrder(threads: ReadonlySet<string>): string[] {
    const isFailing = (thread: string) => Number(this.#failing.has(thread));
    return [...threads].sort((one, other) => isFailing(one) - isFailing(other));
  }

  async #lookAt(thread: string, print: string | undefined): Promise<void> {
    let isShown = true;
    try {
      isShown = await this.#refresh(thread);
      this.#failing.delete(thread);
      this.#silentThreads = 0;
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      this.#failing.add(thread);
      if (!this.#isOfThread(error)) return this.#sayFailed(error);
      this.#say({ ...this.#state, problem: `A thread cannot be read: ${error.message}` });
      // What makes no sense is read again when it changes, and what failed in the next round.
      isShown = error.kind === "odd";
    }
    if (print !== undefined && isShown) this.#known.set(thread, print);
  }

  /** The server has just told its list: one thread that it does not tell is no reason to leave its neighbours. */
  #isOfThread({ kind, status }: ServerError): boolean {
    if (kind === "odd") return true;
    if (status !== undefined) return status !== 401 && status !== 429;
    this.#silentThreads += 1;
    return this.#silentThreads < mostSilentThreads;
  }

  /** What an earlier start had begun to send: nothing is sent again, it is found out. */
  #settleLeft(): void {
    const { journal, server } = this.#parts;
    const left = journal.executions.started().filter(({ threadId }) => isOf(server, threadId));
    for (const begun of leftOf(journal, left)) {
      const thread = begun[0]?.row.server?.thread;
      if (thread === undefined || this.#turns.has(thread)) continue;
      void this.#inTurn(thread, async () => {
        try {
          await settle(this.#parts, begun);
          await this.#refresh(thread);
        } catch (error) {
          // The next round tries it once more.
          if (!(error instanceof ServerError)) throw error;
        }
      });
    }
  }

  /** What was decided before this start, and what its grace ended for while nothing was listening. */
  #deliverLeft(): void {
    const { journal, server } = this.#parts;
    for (const threadId of journal.approvals.threadsWithUnconsumed())
      if (isOf(server, threadId)) for (const row of journal.approvals.unconsumed(threadId)) this.deliver(row);
  }

  #sayFailed({ kind, message: problem }: ServerError): void {
    this.#say({ kind: kind === "key" ? "refused" : "silent", waiting: this.#state.waiting, problem });
  }

  #say({ kind, waiting, problem }: Pick<ServerState, "kind" | "waiting" | "problem">): void {
    const { journal, server } = this.#parts;
    const isSame = kind === this.#state.kind;
    const since = isSame ? this.#state.since : journal.now();
    this.#state = { kind, waiting, since, ...(problem !== undefined && { problem }) };
    if (isSame || kind === "answers") return;
    // What was seen before may have changed meanwhile, so each thread is looked at again.
    this.#known.clear();
    this.#showUnseen(cardsWaiting(journal, server));
  }

  /** Nothing can be decided about what stands in the queue while its server does not answer. */
  #showUnseen(rows: readonly ApprovalRow[]): void {
    const { kind, since, problem: why = "" } = this.#state;
    if (kind !== "answers")
      for (const row of rows) showStanding(this.#parts.journal, row, { kind: "unseen", since, why });
  }

  async #deliverGroup(row: ApprovalRow): Promise<void> {
    const { journal } = this.#parts;
    if (isUnknown(row)) return this.#putAway(row);
    const rows = readyRows(journal, row);
    if (rows === undefined) return;
    await deliver(this.#parts, rows);
    // What was not sent is asked again, and the server may be silent by now.
    this.#showUnseen(journal.approvals.pending(row.threadId));
    const thread = row.server?.thread ?? "";
    this.#known.delete(thread);
    await this.#refresh(thread).catch((error: unknown) => {
      if (!(error instanceof ServerError)) throw error;
    });
    // What works there now is not looked at, and nothing of it waits any more.
    settleStatus(journal, row.threadId);
  }

  #putAway(row: ApprovalRow): void {
    const { journal } = this.#parts;
    if (!journal.approvals.consume(row.id)) return;
    endCall(journal, row, "cancelled", "Put away: nobody knows here whether the answer arrived.");
    settleStatus(journal, row.threadId);
  }
}

const printOf = ({ updated_at = "", status = "" }: ListedThread) => `${updated_at} ${status}`;
