/** Ends what a person wants to end: a message that waits, a turn, a thread with all that is kept for it. */
import type { ParsedInput } from "../../../shared/contract/contract.ts";
import { ContractError } from "../../../shared/contract/errors.ts";
import type { ThreadId } from "../../../shared/ids.ts";
import { StoppedByPerson } from "../../gate/run-context.ts";
import type { ThreadParts } from "./thread-parts.ts";

/** @throws ContractError `conflict` when a turn has taken up the message. */
export function cancelQueued(
  { threadId, messageId }: ParsedInput<"threads.cancelQueued">,
  { threads, log }: Pick<ThreadParts, "threads" | "log">,
): void {
  const turn = threads.turnOfMessage(threadId, messageId);
  if (turn?.status !== "queued")
    throw new ContractError("conflict", "This message has been taken up already.", { field: "messageId" });
  threads.setTurnStatus(turn.id, "cancelled");
  log.append(threadId, [{ type: "message.dequeued", itemId: messageId, cancelled: true }]);
}

/** Resolves when its run has ended; queued messages stay queued. */
export function stopThread(threadId: ThreadId, { actors }: Pick<ThreadParts, "actors">): Promise<void> {
  return actors.stop(threadId, new StoppedByPerson("You stopped the turn."));
}

/** Removes it after its run has ended. @returns what became of its worktree, where that matters. */
export async function deleteThread(threadId: ThreadId, parts: ThreadParts): Promise<{ left?: string }> {
  await parts.actors.retire(threadId, new StoppedByPerson("the thread is being deleted"));
  parts.autoApprove.turnOff(threadId, "its thread was deleted");
  await parts.endLeftBehind(threadId);
  // First of all that goes: when its work cannot be kept, the thread stays.
  const left = await parts.worktrees.end(threadId).catch((error: unknown) => {
    parts.actors.takeUpAgain(threadId);
    throw error;
  });
  await parts.sources.of(parts.threads.get(threadId)).forget(threadId);
  await parts.removeData(threadId);
  parts.log.removeThread(threadId);
  parts.threads.remove(threadId);
  return { ...(left !== undefined && { left }) };
}
