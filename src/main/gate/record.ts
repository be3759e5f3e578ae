/** What transcript and ledger are told of a call. */
import type { ThreadEventData } from "../../shared/contract/thread-events.ts";
import type { NewLedgerEntry } from "../approvals/ledger.ts";
import type { GatedCall } from "./call.ts";
import type { Journal } from "./journal.ts";

/** Shows the call in the transcript, once. */
export function announceCall({ log }: Pick<Journal, "log">, call: GatedCall): void {
  if (log.hasItem(call.threadId, call.itemId)) return;
  const { itemId, turnId, parentItemId, agentPath, toolCallId, tool } = call;
  const args = Object.fromEntries(
    Object.entries(call.args).map(([name, value]) => [
      name,
      typeof value === "string" ? shorten(value) : value,
    ]),
  );
  log.append(call.threadId, [
    { type: "toolCall.requested", itemId, turnId, parentItemId, agentPath, toolCallId, tool, args },
  ]);
}

type CallEnd = Omit<Extract<ThreadEventData, { type: "toolCall.finished" }>, "type" | "itemId">;

/** Shows how the call ended. */
export function recordEnd({ log }: Journal, call: GatedCall, end: CallEnd): void {
  log.append(call.threadId, [
    { type: "toolCall.finished", itemId: call.itemId, ...end, result: shorten(end.result) },
  ]);
}

/** Shows how the call ended, unless it ended already: then it stays as it is. */
export function finishCall(journal: Journal, call: GatedCall, end: CallEnd): void {
  const item = journal.log.item(call.threadId, call.itemId);
  if (item?.kind === "toolCall" && item.state !== "finished") recordEnd(journal, call, end);
}

/** Writes the line of the ledger about a call, or about what else was decided. */
export function addToLedger(
  { ledger, threads }: Pick<Journal, "ledger" | "threads">,
  call: Pick<GatedCall, "threadId" | "agentPath" | "tool" | "args">,
  entry: Pick<
    NewLedgerEntry,
    "verdict" | "decision" | "by" | "width" | "seen" | "cwd" | "approvalId" | "executionId" | "finalArgs"
  >,
): void {
  const { threadId, agentPath, tool, args } = call;
  const threadTitle = threads.find(threadId)?.title ?? "";
  ledger.add({ threadId, threadTitle, agentPath, tool, originalArgs: args, ...entry });
}

const shownResultChars = 20_000;

/** The transcript keeps the head and the tail of a long result; the model's own copy is in the checkpoint. */
function shorten(text: string): string {
  if (text.length <= shownResultChars) return text;
  const half = shownResultChars / 2;
  return `${text.slice(0, half)}\n… ${text.length - shownResultChars} characters left out …\n${text.slice(-half)}`;
}
