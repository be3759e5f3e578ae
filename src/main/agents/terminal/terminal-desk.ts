/** Where agents in terminals ask: puts the request into the queue, hands over what a person decided, and says when nobody waits any more. */
import { ContractError } from "../../../shared/contract/errors.ts";
import type { ApprovalId, ThreadId } from "../../../shared/ids.ts";
import type { ApprovalRow } from "../../approvals/approval-row.ts";
import type { Journal } from "../../gate/journal.ts";
import { addToLedger, announceCall } from "../../gate/record.ts";
import type { Changes } from "../../threads/changes.ts";
import type { TerminalAnswer, TerminalRequest } from "./hook-words.ts";
import { terminalSource, threadOf, toCall, toGoneQuestion, toTerminalQuestion } from "./terminal-question.ts";

export type TerminalItem =
  /** It stands in the queue. */
  { kind: "asked"; approvalId: ApprovalId } | ({ kind: "answer"; approvalId: ApprovalId } & TerminalAnswer);

export type TerminalDesk = {
  /**
   * Asks a person and gives their answer, if there is one while `signal` is not aborted.
   * @throws ContractError when it cannot be asked.
   */
  ask(request: TerminalRequest, signal: AbortSignal): AsyncGenerator<TerminalItem, void, void>;
  /** The call ended though nobody answered here: it was answered in its terminal, and its hook was not told. */
  ended(call: TerminalRequest): void;
  /** The agent has its answer. @throws ContractError when it was given none. */
  took(id: ApprovalId): void;
  /** After a start nobody waits for what an earlier host was asked; what waits stays, and says so. */
  recover(): void;
  /** From here on what waits stays as it is, for the next start. */
  close(): void;
};

/** Fewer than the door has places, so that answering always finds one. */
export const mostAsking = 24;

/** Each request leaves rows for good: so many may come at once, and then one more each while. */
export const mostAtOnce = 120;
const whileMs = 1_000;

/** What was sent and not confirmed may have arrived. */
type Arrival = "never sent" | "perhaps";

type DeskJournal = Pick<
  Journal,
  "database" | "commitDurably" | "now" | "log" | "threads" | "approvals" | "ledger" | "room"
>;

/** Holds in memory only which requests somebody waits for. */
export function createTerminalDesk(journal: DeskJournal, changes: Pick<Changes, "listen">): TerminalDesk {
  const { approvals, room, now } = journal;
  /** Who waits for an answer, and whether it was given or is needed no more. */
  const asking = new Map<ApprovalId, { call: string; answered: boolean; isOver: boolean }>();
  const mayAskNow = createAllowance(now);
  let closed = false;

  async function* ask(
    request: TerminalRequest,
    signal: AbortSignal,
  ): AsyncGenerator<TerminalItem, void, void> {
    if (asking.size >= mostAsking)
      throw new ContractError("unavailable", "Too many agents in terminals wait already.");
    // It asks in its terminal then.
    if (!mayAskNow()) throw new ContractError("unavailable", "Agents in terminals ask too often.");
    const question = fileQuestion(journal, request);
    const { id, threadId } = question;
    const state = { call: nameOf(request), answered: false, isOver: false };
    asking.set(id, state);
    try {
      await question.onDisk;
      yield { kind: "asked", approvalId: id };
      for (;;) {
        const row = approvals.get(id);
        if (state.isOver) return;
        if (row === undefined || row.status === "cancelled" || row.consumedAt !== undefined) return;
        const isDecided = row.status === "decided" && (row.effectiveAt ?? 0) <= now();
        if (isDecided && !state.answered) {
          // The sync covers the decision, which was committed before.
          await journal.commitDurably(() => undefined);
          state.answered = true;
          yield toAnswer(row);
        } else if ((await room.wait(id, threadId, signal)) === "parked") return;
      }
    } finally {
      asking.delete(id);
      if (!closed) endAsking(journal, id, state.answered ? "perhaps" : "never sent");
    }
  }

  // What nobody waits for any more is put away as soon as it is decided, when that is committed.
  const stop = changes.listen((change) => {
    if (change.kind !== "approval" || asking.has(change.approvalId)) return;
    const { approvalId: id } = change;
    queueMicrotask(() => {
      if (!closed && isPutAway(approvals.get(id))) endAsking(journal, id, "never sent");
    });
  });

  return {
    ask,
    ended(call) {
      const name = nameOf(call);
      const [id, state] = [...asking].find(([, each]) => each.call === name && !each.isOver) ?? [];
      if (id === undefined || state === undefined) return;
      state.isOver = true;
      room.wake(id);
    },
    took(id) {
      if (!asking.get(id)?.answered)
        throw new ContractError("conflict", "No answer was given to this.", { field: "approvalId" });
      recordTaken(journal, id);
      room.wake(id);
    },
    recover: () => recover(journal),
    close() {
      closed = true;
      stop();
    },
  };
}

/** @returns whether one more may be asked now, which is counted. A clock that was set back gives nothing. */
function createAllowance(now: () => number): () => boolean {
  let left = mostAtOnce;
  let last = now();
  return () => {
    const at = now();
    left = Math.min(mostAtOnce, left + Math.max(0, at - last) / whileMs);
    last = at;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}

/** The same for a call when it is asked about and when it ended: its agent tells no name of it at both. */
const nameOf = ({ agent, session, tool, args }: TerminalRequest) =>
  JSON.stringify([agent, session, tool, args]);

const isPutAway = (row: ApprovalRow | undefined) =>
  row?.subject.kind === "terminal" && row.subject.gone && row.status === "decided";

function fileQuestion(
  journal: DeskJournal,
  request: TerminalRequest,
): { id: ApprovalId; threadId: ThreadId; onDisk: Promise<void> } {
  const { threads, approvals, log } = journal;
  const wanted = threadOf(request);
  const call = toCall(request, wanted.id);
  const question = toTerminalQuestion(request, call);
  const onDisk = journal.commitDurably(() => {
    if (!threads.find(wanted.id)) threads.create(wanted);
    announceCall(journal, call);
    approvals.ask(question);
    log.append(wanted.id, [requested(question)]);
    threads.update(wanted.id, { status: "waiting" });
  });
  return { id: question.id, threadId: wanted.id, onDisk };
}

const requested = ({ id, itemId, verdict }: Pick<ApprovalRow, "id" | "itemId" | "verdict">) => ({
  type: "approval.requested" as const,
  itemId,
  approvalId: id,
  verdict,
});

/** Once, never for what is like it. */
function toAnswer({ id, decision }: ApprovalRow): TerminalItem {
  if (decision?.type === "approve") return { kind: "answer", approvalId: id, behavior: "allow" };
  const message = decision?.type === "reject" ? decision.message?.trim() : undefined;
  return { kind: "answer", approvalId: id, behavior: "deny", ...(message && { message }) };
}

/** The decision is used up, the record says who made it, and the call ends: what the agent does with it is not seen here. */
function recordTaken(journal: DeskJournal, id: ApprovalId): void {
  const { approvals, database } = journal;
  database.transaction(() => {
    const row = approvals.get(id);
    if (row?.decision === undefined || !approvals.consume(id)) return;
    addLine(journal, row);
    const allowed = row.decision.type === "approve";
    const result = allowed
      ? `Allowed once, and handed over; what was answered in its terminal before counts. ${agentOf(row)} acts by itself: nothing of it is run, confined or checked here.`
      : `Rejected, and handed over to ${agentOf(row)}; what was answered in its terminal before counts.`;
    endCall(journal, row, allowed ? "answered" : "rejected", result);
  })();
}

const agentOf = ({ subject }: ApprovalRow) => (subject.kind === "terminal" ? subject.agent : "The agent");

function addLine(journal: DeskJournal, row: ApprovalRow): void {
  const { decision, decidedBy, seen, verdict, cwd, id: approvalId } = row;
  if (decision && decidedBy)
    addToLedger(journal, row, { verdict, decision, by: decidedBy, seen, cwd, approvalId });
}

/** Nobody waits any more: what was not answered leaves the queue, and of what was decided nobody said that it arrived. */
function endAsking(journal: DeskJournal, id: ApprovalId, arrived: Arrival): void {
  const { approvals, database, log } = journal;
  database.transaction(() => {
    const row = approvals.get(id);
    if (row === undefined) return;
    if (approvals.cancel(id)) {
      const reason = "it was answered in its terminal, or its agent ended";
      log.append(row.threadId, [{ type: "approval.cancelled", itemId: row.itemId, approvalId: id, reason }]);
      endCall(journal, row, "cancelled", "Nobody answered here: its agent does not wait any more.");
    } else if (approvals.consume(id)) {
      // The record rather has a line too many than a yes that nobody finds in it.
      if (arrived === "perhaps") addLine(journal, row);
      endCall(journal, row, "cancelled", whyUnknown(row));
    }
  })();
}

const whyUnknown = (row: ApprovalRow) =>
  isPutAway(row)
    ? "Put away: its agent did not wait any more."
    : `Decided here, but ${agentOf(row)} did not say that it got the answer. What was answered in its terminal counts.`;

type CallEnd = "answered" | "rejected" | "cancelled";

function endCall(
  { log, threads, approvals }: DeskJournal,
  { threadId, itemId }: ApprovalRow,
  outcome: CallEnd,
  result: string,
): void {
  log.append(threadId, [{ type: "toolCall.finished", itemId, outcome, result }]);
  if (approvals.pendingCount(threadId) === 0) threads.update(threadId, { status: "done" });
}

/** One commit for all. */
function recover(journal: DeskJournal): void {
  const { threads, approvals, database, log } = journal;
  database.transaction(() => {
    for (const { id: threadId } of threads.ofSource(terminalSource)) {
      for (const row of approvals.unconsumed(threadId))
        endAsking(journal, row.id, isPutAway(row) ? "never sent" : "perhaps");
      for (const row of approvals.pending(threadId)) {
        if (!row.allowed.includes("approve") || !approvals.cancel(row.id)) continue;
        const gone = toGoneQuestion(row);
        approvals.ask(gone, row.requestedAt);
        log.append(threadId, [requested({ ...row, id: gone.id })]);
      }
    }
  })();
}
