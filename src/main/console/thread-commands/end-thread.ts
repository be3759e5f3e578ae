/** Ends what a person wants to end: a message that waits, a turn, a thread with all that is kept for it. */
import { rm } from "node:fs/promises";
import type { ParsedInput } from "../../../shared/contract/contract.ts";
import { ContractError } from "../../../shared/contract/errors.ts";
import type { ThreadId } from "../../../shared/ids.ts";
import { StoppedByPerson } from "../../gate/run-context.ts";
import type { ConsoleParts } from "../console-parts.ts";

/** @throws ContractError `conflict` when a turn has taken up the message. */
export function cancelQueued(
  { threadId, messageId }: ParsedInput<"threads.cancelQueued">,
  { threads, log }: Pick<ConsoleParts, "threads" | "log">,
): void {
  const turn = threads.turnOfMessage(threadId, messageId);
  if (turn?.status !== "queued")
    throw new ContractError("conflict", "This message has been taken up already.", { field: "messageId" });
  threads.setTurnStatus(turn.id, "cancelled");
  log.append(threadId, [{ type: "message.dequeued", itemId: messageId, cancelled: true }]);
}

/** Resolves when its run has ended; queued messages stay queued. */
export function stopThread(threadId: ThreadId, { actors }: Pick<ConsoleParts, "actors">): Promise<void> {
  return actors.stop(threadId, new StoppedByPerson("You stopped the turn."));
}

/** Removes it after its run has ended. @returns what became of its worktree, where that matters. */
export async function deleteThread(threadId: ThreadId, parts: ConsoleParts): Promise<{ left?: string }> {
  await parts.actors.retire(threadId, new StoppedByPerson("the thread is being deleted"));
  parts.autoApprove.turnOff(threadId, "its thread was deleted");
  // Before its rows are gone, since they alone tell which processes are its own.
  await parts.shell.endLeftBehind(parts.executions.ofThread(threadId).map(({ id }) => id));
  // First of all that goes: when its work cannot be kept, the thread stays.
  const left = await parts.worktrees.end(threadId).catch((error: unknown) => {
    parts.actors.takeUpAgain(threadId);
    throw error;
  });
  await parts.sources.of(parts.threads.get(threadId)).forget(threadId);
  await removeData(threadId, parts);
  parts.log.removeThread(threadId);
  parts.threads.remove(threadId);
  return { ...(left !== undefined && { left }) };
}

/** All that is kept for it besides its rows and its log. */
async function removeData(
  threadId: ThreadId,
  { executions, tracker, takeBacks, approvals, routes, readings }: ConsoleParts,
): Promise<void> {
  const ended = executions.ofThread(threadId);
  await tracker.forget(threadId);
  await takeBacks.forget(threadId);
  for (const { logPath } of ended) if (logPath) await rm(logPath, { force: true });
  for (const store of [executions, approvals, routes, readings]) store.removeThread(threadId);
}
