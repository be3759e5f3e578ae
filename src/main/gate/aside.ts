/** The question about what a confined command newly made that steers others: does it stay aside, or is it taken in? */
import type { Subject } from "../../shared/contract/subjects.ts";
import type { NewApproval } from "../approvals/approval-row.ts";
import { digestOf } from "../approvals/digest.ts";
import type { ExecutionRow } from "../approvals/execution-store.ts";
import { passBarrier } from "../base/barriers.ts";
import { type AsideLook, lookAside, takeIn } from "../sandbox/look-aside.ts";
import { listAside, nameBefore } from "../sandbox/made-confined.ts";
import { aboutExecution, fileQuestion, waitForDecision } from "./ask.ts";
import type { Decided, GatedCall } from "./call.ts";
import type { Journal, Pass } from "./journal.ts";
import { addToLedger } from "./record.ts";

/** One for a call: what a second run of it makes stays aside, with the line about it. */
export const asideKey = (callKey: string) => `${callKey}#aside`;

/** Puts the question into the queue; nothing where the command made nothing of the kind, or nobody is there to ask. */
export function fileAside(
  journal: Journal,
  { agentPath }: Pick<GatedCall, "agentPath">,
  execution: ExecutionRow,
  names: readonly string[],
): void {
  if (names.length === 0 || journal.isUnattended) return;
  if (journal.approvals.latestOf(asideKey(execution.callKey))) return;
  const { workspace: cwd } = journal.threads.get(execution.threadId);
  fileQuestion(journal, toQuestion(execution, lookAside(cwd, names), { names: [...names], agentPath, cwd }));
}

type Known = { names: string[]; agentPath: string[]; cwd: string };

function toQuestion(execution: ExecutionRow, look: AsideLook, known: Known): NewApproval {
  const { id: executionId, threadId, tool, what } = execution;
  const { files, whole, hash: baseHash } = look;
  const { cwd, names } = known;
  const callKey = asideKey(execution.callKey);
  const reason = "it newly made what steers agents or other programs, which was moved aside";
  const subject: Subject = {
    kind: "setAside",
    command: what,
    names,
    files: files.map((each) => ({ ...each })),
    whole,
    executionId,
  };
  return {
    ...aboutExecution(execution, known, reason),
    callKey,
    kind: "setAside",
    subject,
    baseHash,
    allowed: whole ? ["approve", "reject"] : ["reject"],
    digest: digestOf({ threadId, callKey, tool, args: names, cwd, baseHash }),
    shape: `setAside ${tool}`,
  };
}

/**
 * Waits for the answer before the call goes on, and does what it says; nothing where nothing was asked.
 * @throws GateParked, or the abort reason of the run.
 */
export async function answerAside<T>({ journal, call, run }: Pass<T>): Promise<void> {
  const { approvals } = journal;
  const key = asideKey(call.key);
  const row = approvals.latestOf(key);
  if (row?.subject.kind !== "setAside" || row.status === "cancelled" || row.consumedAt !== undefined) return;
  const { names } = row.subject;
  const gone = () => ({ unable: "It is asked about no more." });
  const decided = await waitForDecision(journal, key, run, gone);
  if ("unable" in decided) return;
  const isWanted = decided.decision.type === "approve";
  const isTaken = isWanted && takeIn(row.cwd, names, decided.baseHash ?? "");
  passBarrier("aside-taken");
  endAside(journal, call, decided, { names, cwd: row.cwd, isWanted, isTaken });
}

type End = { names: readonly string[]; cwd: string; isWanted: boolean; isTaken: boolean };

function endAside(
  journal: Journal,
  call: GatedCall,
  { approvalId, decision, by, seen, verdict }: Decided,
  { names, cwd, isWanted, isTaken }: End,
): void {
  journal.database.transaction(() => {
    if (!journal.approvals.consume(approvalId)) return;
    // No decision about the command: it says nothing of whether that may run another time.
    addToLedger(journal, { ...call, args: { names } }, { verdict, decision, by, seen, cwd, approvalId });
    if (!isWanted) return;
    const text = isTaken
      ? `Taken in: ${listAside(names.map(nameBefore))}.`
      : `Not taken in, since it is not what the card showed, or something else stands in its place: ${listAside(names)} stays aside.`;
    const level = isTaken ? ("info" as const) : ("warning" as const);
    journal.log.append(call.threadId, [{ type: "notice.added", itemId: `aside:${approvalId}`, level, text }]);
  })();
}
