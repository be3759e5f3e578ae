/** Keys of an outer agent's calls by what they say, so that a decision finds the same call after a restart, and no other. */
import { createHash } from "node:crypto";
import { canonicalJson } from "../../approvals/digest.ts";
import { asideKey } from "../../gate/aside.ts";
import type { GatedCall } from "../../gate/call.ts";
import { escalationKey } from "../../gate/escalation.ts";
import type { Journal } from "../../gate/journal.ts";
import { finishCall } from "../../gate/record.ts";
import { responseKey } from "../../gate/response.ts";
import { takesBackNote } from "./card-notes.ts";

/**
 * The same words have the same key in a turn, so that after a restart the same call finds what was decided about it; once
 * that is used up, the next one is asked anew.
 * @param underway keys of calls that are made right now
 * @param unheard keys of calls that the agent knows no end of, until it calls for anything new: then it went on. What it
 * called for before is nothing new, since some do all of their turn again
 */
export function keyOfWords(
  journal: Journal,
  { threadId, turnId, tool, args }: Pick<GatedCall, "threadId" | "turnId" | "tool" | "args">,
  underway: ReadonlySet<string>,
  unheard: Set<string> = new Set(),
): string {
  const words = createHash("sha256")
    .update(canonicalJson([tool, args]))
    .digest("hex")
    .slice(0, 32);
  for (let count = 0; ; count += 1) {
    const key = `${threadId}:${turnId}:outer:${words}:${count}`;
    if (underway.has(key)) continue;
    if (unheard.delete(key)) return key;
    if (isUsedUp(journal, key)) continue;
    const isNew = count === 0 && !journal.approvals.latestOf(key) && !journal.executions.latestOf(key);
    if (isNew) unheard.clear();
    takesBackNote(journal.approvals, key);
    return key;
  }
}

/** What may be asked about the end of a call: what the sandbox refused it, what it made, what it brought back. */
const endKeys = (key: string) => [escalationKey(key), asideKey(key), responseKey(key)];

function isUsedUp({ executions, approvals, routes }: Journal, key: string): boolean {
  const execution = executions.latestOf(key);
  // It waits for an answer yet.
  for (const asked of endKeys(key)) {
    const row = approvals.latestOf(asked);
    if (row && row.status !== "cancelled" && row.consumedAt === undefined) return false;
  }
  if (execution) return execution.state !== "started";
  const row = approvals.latestOf(key);
  if (row) return row.status === "cancelled" || row.consumedAt !== undefined;
  const route = routes.find(key)?.kind;
  return route === "free" || route === "unable" || route === "refuse";
}

/** Why nothing that a card shows is asked any more. */
const whyGone = {
  changed: "the agent changed what it asks",
  withdrawn: "the agent took its request back",
  ended: "the agent told the end of this call and waited for no answer",
};

/** The card goes; a call that is only worded anew goes on. */
export function takeBack(journal: Journal, call: GatedCall, why: keyof typeof whyGone): void {
  const { approvals, log } = journal;
  const { key, threadId, itemId } = call;
  for (const asked of [key, ...endKeys(key)]) {
    const row = approvals.latestOf(asked);
    if (row && approvals.cancel(row.id))
      log.append(threadId, [
        { type: "approval.cancelled", itemId, approvalId: row.id, reason: whyGone[why] },
      ]);
    else if (row) approvals.consume(row.id);
  }
  if (why === "changed") return;
  const result = why === "ended" ? "The agent waited for no answer." : "The agent took its request back.";
  finishCall(journal, call, { outcome: "cancelled", result });
}
