/** Takes back a message that no turn has taken up yet. */
import type { ParsedInput } from "../../../shared/contract/contract.ts";
import { ContractError } from "../../../shared/contract/errors.ts";
import type { ThreadParts } from "./thread-parts.ts";

/** @throws ContractError `conflict` when a turn has taken it up. */
export function cancelQueued(
  { threadId, messageId }: ParsedInput<"threads.cancelQueued">,
  { store, log }: Pick<ThreadParts, "store" | "log">,
): void {
  const turn = store.turnOfMessage(threadId, messageId);
  if (turn?.status !== "queued")
    throw new ContractError("conflict", "This message has been taken up already.", { field: "messageId" });
  store.setTurnStatus(turn.id, "cancelled");
  log.append(threadId, [{ type: "message.dequeued", itemId: messageId, cancelled: true }]);
}
