/** Brings the cards of a server's threads to what was seen there: files what is asked, and withdraws what is not any more. */
import type { RemoteServer, ServerCard } from "../../../shared/contract/remote-servers.ts";
import type { ThreadId } from "../../../shared/ids.ts";
import type { ApprovalRow, NewApproval } from "../../approvals/approval-row.ts";
import { announceCall } from "../../gate/record.ts";
import { type AnswerJournal, ask, endCall, settleStatus, withdraw } from "./answer-records.ts";
import {
  type Group,
  isOf,
  serverThreadPrefix,
  threadIdOf,
  threadPrefixOf,
  toCall,
  toGroup,
  toThread,
} from "./server-cards.ts";
import type { Seen } from "./waiting-in.ts";

/** More cards of one server than anybody decides; the rest comes when some are gone. */
const mostCards = 1_000;
/** As much is read each time that the queue is looked through. */
const mostCardBytes = 16_000_000;

/**
 * @param seen what stands there now; `undefined` where the thread is gone.
 * @returns false where something that waits there has no card yet, for want of room or since it is worked on
 */
export function showSeen(
  journal: AnswerJournal,
  server: RemoteServer,
  thread: string,
  seen: Seen | undefined,
): boolean {
  const threadId = threadIdOf(server, thread);
  // Somebody's answer is being worked on: what the server tells meanwhile is of before.
  if (seen?.status === "busy") return false;
  const groups =
    seen === undefined || seen.status === "error"
      ? []
      : seen.waiting.map((one) => toGroup(server, seen, one));
  return journal.database.transaction(() => {
    const { threads } = journal;
    if (seen && groups.length > 0 && !threads.find(threadId)) threads.create(toThread(server, seen));
    if (!threads.find(threadId)) return true;
    journal.serverThreads.note(threadId, thread);
    withdrawMissing(journal, threadId, groups, reasonOf(seen));
    const left = groups.filter((group) => !fileGroup(journal, server, group));
    settleStatus(journal, threadId);
    if (seen?.status === "error") {
      const problem = `It failed on ${server.name}: ${seen.failed ?? "the server does not say why"}. Look at it there; nothing is sent to mend it.`;
      threads.update(threadId, { status: "failed", problem });
    }
    return left.length === 0;
  })();
}

function reasonOf(seen: Seen | undefined): string {
  if (seen === undefined) return "its thread was deleted on the server";
  if (seen.status === "error") return "its thread failed on the server";
  return "it is not asked on the server any more, or it changed";
}

/** What is not asked like this any more leaves the queue, also what was decided and waits for its siblings. */
function withdrawMissing(journal: AnswerJournal, threadId: ThreadId, groups: Group[], reason: string): void {
  const { approvals } = journal;
  const asked = new Set(groups.flatMap(({ questions }) => questions.map(digestAt)));
  for (const row of approvals.pending(threadId))
    if (row.server?.standing.kind !== "unknown" && !asked.has(digestAt(row))) withdraw(journal, row, reason);
  for (const row of approvals.unconsumed(threadId)) {
    if (asked.has(digestAt(row)) || !approvals.consume(row.id)) continue;
    endCall(journal, row, "cancelled", `Nothing was sent: ${reason}.`);
  }
}

const digestAt = ({ callKey, digest }: Pick<NewApproval, "callKey" | "digest">) => `${callKey} ${digest}`;

/** @returns false where there is no room for its cards. */
function fileGroup(journal: AnswerJournal, server: RemoteServer, { questions }: Group): boolean {
  const { approvals } = journal;
  const latest = questions.map(({ callKey }) => approvals.latestOf(callKey));
  const open = latest.filter(
    (row) => row?.status === "pending" || (row?.status === "decided" && row.consumedAt === undefined),
  );
  for (const row of open) if (row?.status === "pending") showStanding(journal, row, { kind: "waits" });
  if (open.length > 0) return true;
  const wasAnswered = latest.some(
    (row, index) => row?.status === "decided" && row.digest === questions[index]!.digest,
  );
  if (wasAnswered && !stoodThereAgain(journal, questions[0]!.callKey)) return true;
  if (cardsOf(journal, server) + questions.length > mostCards) return false;
  if (ofServer(approvals.pendingBytes(threadPrefixOf(server)), server) > mostCardBytes) return false;
  for (const question of questions) {
    announceCall(journal, toCall(question));
    ask(journal, question);
  }
  return true;
}

/** Whether no question of this server has room any more. */
export function isFull(journal: AnswerJournal, server: RemoteServer): boolean {
  return cardsOf(journal, server) >= mostCards;
}

/**
 * What was answered comes back as a ghost on some servers; only where it is known to be asked anew, or where nothing was
 * begun for it, it is a card.
 */
function stoodThereAgain({ executions }: AnswerJournal, callKey: string): boolean {
  const begun = executions.latestOf(callKey);
  if (!begun) return true;
  const answer = begun.receipt?.answer;
  return answer?.proof === "unsent" || answer?.proof === "lost" || answer?.again === true;
}

const cardsOf = ({ approvals }: AnswerJournal, server: RemoteServer) =>
  ofServer(approvals.pendingCounts(threadPrefixOf(server)), server);

function ofServer(amounts: ReadonlyMap<ThreadId, number>, server: RemoteServer): number {
  let sum = 0;
  for (const [threadId, amount] of amounts) if (isOf(server, threadId)) sum += amount;
  return sum;
}

/** Says on a card whether an answer can be delivered now; its digest stays. */
export function showStanding(
  { approvals }: AnswerJournal,
  row: ApprovalRow,
  standing: ServerCard["standing"],
): void {
  const { server } = row;
  if (!server || server.standing.kind === "unknown" || server.standing.kind === standing.kind) return;
  approvals.redraw(row.id, { ...row, server: { ...server, standing } });
}

/** The threads of one server in which something waits, without reading what. */
export function threadsWaiting({ approvals }: AnswerJournal, server: Pick<RemoteServer, "id">): ThreadId[] {
  return [...approvals.pendingCounts(threadPrefixOf(server)).keys()].filter((id) => isOf(server, id));
}

/** What waits of one server. */
export function cardsWaiting(journal: AnswerJournal, server: Pick<RemoteServer, "id">): ApprovalRow[] {
  return threadsWaiting(journal, server).flatMap((id) => journal.approvals.pending(id));
}

/** What waits in threads of any server, also of one that is entered no more. */
export function allCardsWaiting({ approvals }: AnswerJournal): ApprovalRow[] {
  return [...approvals.pendingCounts(serverThreadPrefix).keys()].flatMap((id) => approvals.pending(id));
}
