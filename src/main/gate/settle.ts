/** Ends a call without its effect: refused by the policy, rejected or answered by a person, or found impossible. */
import type { DecidedBy, Decision } from "../../shared/contract/decisions.ts";
import type { Receipt, ToolOutcome } from "../../shared/contract/thread-events.ts";
import type { Decided, GatedCall, Judged, Passed, Stale } from "./call.ts";
import type { Journal, Pass } from "./journal.ts";
import { addToLedger, finishCall, recordEnd } from "./record.ts";
import { type RunContext, TurnStopped } from "./run-context.ts";

/** A refused call that the model repeats this often ends the turn. */
const sameRefusalLimit = 3;

/**
 * The policy does not allow it.
 * @param decided what a person had decided of it before.
 * @throws TurnStopped when the model asks for it again and again.
 */
export function refuse<T>(
  { journal, call, run }: Pass<T>,
  judged: Judged,
  message: string,
  decided?: Decided,
): Passed<T> {
  const decision = { type: "reject" as const, message };
  const by = decided?.by ?? { kind: "policy" as const };
  settle(journal, call, judged, { decision, by, decided, outcome: "denied", result: message });
  countRefusal(call, run);
  return { kind: "text", text: message, isError: true };
}

/**
 * A person does not want it, for the reason that they gave.
 * @throws TurnStopped when the model asks for it again and again.
 */
export function reject<T>(
  { journal, call, run }: Pass<T>,
  judged: Judged,
  decided: Decided & { decision: { type: "reject" } },
): Passed<T> {
  const result = rejectionText(decided.decision.message);
  settle(journal, call, judged, { ...decided, decided, outcome: "rejected", result });
  countRefusal(call, run);
  return { kind: "text", text: result, isError: true };
}

/** A person answered in the tool's place. */
export function respond<T>(
  { journal, call }: Pass<T>,
  judged: Judged,
  decided: Decided,
  result: string,
): Passed<T> {
  settle(journal, call, judged, { ...decided, decided, outcome: "answered", result });
  return { kind: "text", text: result, isError: false };
}

/** Nothing happened and nobody needs to be asked: the reason is the tool's answer. */
export function answerUnable<T>({ journal, call }: Pass<T>, why: string): Passed<T> {
  finishCall(journal, call, { outcome: "failed", result: why });
  return { kind: "text", text: why, isError: true };
}

/** Nobody was asked about this call, so nobody is asked again; the model looks and decides anew. */
export function answerStale<T>(pass: Pass<T>, { face }: Stale): Passed<T> {
  const why = face
    ? `The server changed ${pass.call.tool} since it was offered to you, so it was not called. What it is now: ${face.description}`
    : "The file changed in the meantime, so nothing was written. Read it again before you change it.";
  return answerUnable(pass, why);
}

type Settled = {
  decision: Decision;
  by: DecidedBy;
  decided: Decided | undefined;
  outcome: ToolOutcome;
  result: string;
  /** Where an effect came before it. */
  receipt?: Receipt | undefined;
};

/** In one transaction: the ledger says it, the decision is used up, the call ends in the transcript. Done before, it stays as it is. */
export function settle(journal: Journal, call: GatedCall, judged: Judged, end: Settled): void {
  const { decision, by, decided, outcome, result, receipt } = end;
  journal.database.transaction(() => {
    const item = journal.log.item(call.threadId, call.itemId);
    if (decided) journal.approvals.consume(decided.approvalId);
    if (item?.kind === "toolCall" && item.state === "finished") return;
    const { verdict, cwd } = judged;
    addToLedger(journal, call, {
      verdict,
      decision,
      by,
      width: receipt && decided?.width,
      seen: decided?.seen,
      cwd,
      approvalId: decided?.approvalId,
    });
    recordEnd(journal, call, { outcome, result, receipt });
    if (outcome === "denied") journal.autoApprove.turnOff(call.threadId, "the policy denied a call");
  })();
}

function countRefusal(call: GatedCall, run: RunContext): void {
  const same = `${call.tool} ${JSON.stringify(call.args)}`;
  const times = (run.refusals.get(same) ?? 0) + 1;
  run.refusals.set(same, times);
  if (times >= sameRefusalLimit)
    throw new TurnStopped(
      "failed",
      `The agent asked for the same refused ${call.tool} call ${times} times, so the turn was stopped. Tell it another way.`,
    );
}

/** What the model reads of a rejection: the person's words where there are any. */
export function rejectionText(message: string | undefined): string {
  const reason = message?.trim();
  return reason
    ? `The person rejected this call and says: ${reason}`
    : "The person rejected this call. Do not try it again unchanged; ask what they want instead, or go on without it.";
}
