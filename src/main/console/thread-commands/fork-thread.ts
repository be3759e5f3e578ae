/** Makes a second thread that goes on from before one of a thread's messages. */
import { randomUUID } from "node:crypto";
import type { ParsedInput } from "../../../shared/contract/contract.ts";
import { ContractError } from "../../../shared/contract/errors.ts";
import type { ThreadSummary } from "../../../shared/contract/threads.ts";
import type { ThreadId } from "../../../shared/ids.ts";
import type { TurnRow } from "../../threads/turn-store.ts";
import type { ConsoleParts } from "../console-parts.ts";
import { requireAbility } from "./require-ability.ts";
import { sendMessage } from "./send-message.ts";

type Fork = ParsedInput<"threads.fork">;

/** @throws ContractError when the source cannot fork, or knows nothing any more of that point. */
export async function forkThread(input: Fork, parts: ConsoleParts): Promise<ThreadSummary> {
  const { commandId, threadId, text } = input;
  requireAbility(threadId, "fork", parts);
  const memory = parts.sources.of(parts.threads.get(threadId)).fork!;
  const { turn, position } = findForkPoint(input, parts);
  if (!parts.once.wasSeen(commandId) && !(await memory.has(threadId, turn.checkpointBefore)))
    throw new ContractError(
      "conflict",
      "What the agent knew before this message was pruned. Fork at a later message.",
      { field: "messageId" },
    );
  const id = await parts.once.act(commandId, () => copyThread(threadId, turn, position, parts));
  await memory.copy(threadId, id, turn.checkpointBefore);
  if (text !== undefined)
    await sendMessage(
      {
        commandId: `${commandId}:send` as typeof commandId,
        threadId: id,
        text,
        attachments: turn.attachments,
        whileWaiting: "queue",
      },
      parts,
    );
  return parts.summaries.of(parts.threads.get(id));
}

/** @throws ContractError when the message is not in the thread, or nothing has been done about it yet. */
function findForkPoint(
  { threadId, messageId }: Fork,
  { threads, log }: ConsoleParts,
): { turn: TurnRow; position: number } {
  const turn = threads.turnOfMessage(threadId, messageId);
  const item = log.item(threadId, messageId);
  if (!turn || !item)
    throw new ContractError("not-found", "This message is not in the thread.", { field: "messageId" });
  if (turn.status === "queued" || turn.status === "cancelled")
    throw new ContractError(
      "conflict",
      "The agent has not taken up this message, so there is nothing to fork from yet.",
      { field: "messageId" },
    );
  return { turn, position: item.position };
}

function copyThread(
  threadId: ThreadId,
  turn: TurnRow,
  position: number,
  { threads, log, readings }: ConsoleParts,
): ThreadId {
  const { title, workspace, source, agentId, model } = threads.get(threadId);
  const forked = `thread-${randomUUID()}` as ThreadId;
  threads.create({
    id: forked,
    title: `${title} (fork)`,
    titled: true,
    workspace,
    source,
    agentId,
    model,
    forkedFrom: threadId,
  });
  log.copyThread(threadId, forked, position);
  readings.copyThread(threadId, forked);
  threads.copyTurns(threadId, forked, turn.id);
  return forked;
}
