/** What transcript and ledger are told of a call. */
import type { ThreadEventData } from "../../shared/contract/thread-events.ts";
import type { ExecutionId } from "../../shared/ids.ts";
import { kindOf } from "../../shared/tools/tools.ts";
import type { NewLedgerEntry } from "../approvals/ledger.ts";
import { sourceOfResult } from "../provenance/read-text.ts";
import type { NotedSource } from "../provenance/readings.ts";
import { tellAside } from "../sandbox/made-confined.ts";
import type { GatedCall, Route } from "./call.ts";
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

/** What is told of a call at its end. */
export type EndedCall = Pick<GatedCall, "threadId" | "itemId" | "tool" | "args" | "key">;

/**
 * Shows how the call ended, and writes down with it who wrote what it gave back.
 * @returns whether the transcript holds the result to its last character.
 */
export function recordEnd(journal: Journal, call: EndedCall, end: CallEnd): boolean {
  const { database, log, readings } = journal;
  const { threadId, itemId } = call;
  const result = shorten(end.result);
  return database.transaction(() => {
    const data = { type: "toolCall.finished" as const, itemId, ...end, result };
    if (log.append(threadId, [data]).length === 0) return false;
    readings.note(
      threadId,
      itemId,
      sourceOf(journal, call, end),
      result === end.result ? undefined : end.result,
    );
    return result === end.result;
  })();
}

/** The result of a call that ended, as the transcript holds it. */
export function toldResult(
  { log }: Pick<Journal, "log">,
  call: Pick<GatedCall, "threadId" | "itemId">,
): string {
  const item = log.item(call.threadId, call.itemId);
  return item?.kind === "toolCall" ? (item.result ?? "") : "";
}

/** Tells the person what a command made that was moved aside: the model has it in the result, where nobody has to look. */
export function noteAside(
  { log }: Pick<Journal, "log">,
  { threadId }: Pick<GatedCall, "threadId">,
  executionId: ExecutionId,
  names: readonly string[],
): void {
  if (names.length === 0) return;
  const itemId = `set-aside:${executionId}`;
  log.append(threadId, [{ type: "notice.added", itemId, level: "warning", text: tellAside(names) }]);
}

/** Closed: what is not known to be from here or from the person is from outside. */
function sourceOf({ routes, workspaces, threads }: Journal, call: EndedCall, end: CallEnd): NotedSource {
  if (end.outcome === "answered" || end.outcome === "rejected") return "person";
  // The refusal is the policy's own.
  if (end.outcome === "denied") return "workspace";
  const { tool, args, threadId, key } = call;
  if (kindOf(tool) === "delegate") return "agent";
  const isTrusted = workspaces.isTrusted(threads.get(threadId).workspace);
  return sourceOfResult({ tool, args, isTrusted, readsOnlyHere: readsOnly(routes.find(key)) });
}

/** Whether the policy found that a call only reads in its folder. */
export function readsOnly(route: Route | undefined): boolean {
  return route?.kind === "free" || (route?.kind === "run" && route.verdict.verdict === "safe");
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

/** What the transcript keeps of a result at most. */
export const shownResultChars = 20_000;

/** The transcript keeps the head and the tail of a long result; the model's own copy is in the checkpoint. */
function shorten(text: string): string {
  if (text.length <= shownResultChars) return text;
  const half = shownResultChars / 2;
  return `${text.slice(0, half)}\n… ${text.length - shownResultChars} characters left out …\n${text.slice(-half)}`;
}
