/** Sends what a person wrote: as a turn of its own, or as the answer to what waits. */
import { randomUUID } from "node:crypto";
import type { Output, ParsedInput } from "../../../shared/contract/contract.ts";
import { ContractError } from "../../../shared/contract/errors.ts";
import type { Attachment } from "../../../shared/contract/threads.ts";
import type { MessageId, TurnId } from "../../../shared/ids.ts";
import { passBarrier } from "../../base/barriers.ts";
import type { TurnRow } from "../../threads/turn-store.ts";
import type { ConsoleParts } from "../console-parts.ts";
import { stopThread } from "./end-thread.ts";
import { requireAbility } from "./require-ability.ts";
import { titleOf } from "./thread-title.ts";

type Message = ParsedInput<"threads.send">;
type Sent = Output<"threads.send">;

/** @throws ContractError when there is nothing to send, or no such thread. */
export async function sendMessage(input: Message, parts: ConsoleParts): Promise<Sent> {
  const { threads, actors, approvals, once } = parts;
  const thread = threads.get(input.threadId);
  if (input.text.trim() === "" && input.attachments.length === 0)
    throw new ContractError("invalid-input", "The message is empty. Write something first.", {
      field: "text",
    });
  requireAbility(thread.id, "messages", parts);
  const isNew = !once.wasSeen(input.commandId);
  const asking = isNew && approvals.pendingCount(thread.id) > 0 ? threads.currentTurn(thread.id) : undefined;
  if (asking && input.whileWaiting === "reject") return rejectWith(input, asking, parts);
  if (asking && input.whileWaiting === "cancel") await stopThread(thread.id, parts);
  // A turn that a crash left behind ends when the person says something new.
  else if (isNew && thread.status === "interrupted") await stopThread(thread.id, parts);
  if (isNew) await parts.worktrees.begin(thread.id, thread.titled ? thread.title : titleOf(input.text));
  const sent = await once.act(input.commandId, () => enqueue(input, parts));
  passBarrier("message-sent");
  actors.poke(thread.id);
  return sent;
}

function enqueue({ threadId, text, attachments }: Message, { threads, log }: ConsoleParts): Sent {
  const { titled } = threads.get(threadId);
  const turnId = `turn-${randomUUID()}` as TurnId;
  const messageId = `msg-${randomUUID()}` as MessageId;
  const queued = threads.currentTurn(threadId) !== undefined || threads.nextQueued(threadId) !== undefined;
  threads.addTurn({
    id: turnId,
    threadId,
    messageId,
    text,
    attachments,
    status: "queued",
    checkpointBefore: null,
  });
  log.append(threadId, [
    {
      type: "message.sent",
      itemId: messageId,
      turnId,
      text,
      attachments: attachments.map(nameAttachment),
      queued,
    },
  ]);
  if (!titled) threads.update(threadId, { title: titleOf(text), titled: true });
  return { messageId, turnId, queued };
}

/** The person's words are the reason, and the agent reads them in place of the calls' results. */
async function rejectWith(
  { commandId, threadId, text }: Message,
  { id: turnId, messageId }: TurnRow,
  { approvals, decisions, once }: ConsoleParts,
): Promise<Sent> {
  const sent = await once.act(commandId, () => ({ messageId, turnId, queued: false }));
  for (const row of approvals.pending(threadId)) {
    const decision = row.allowed.includes("reject")
      ? { type: "reject" as const, message: text }
      : { type: "respond" as const, answer: text };
    await decisions.decide({
      items: [{ id: row.id, digest: row.digest }],
      decision,
      graceMs: 0,
      by: { kind: "person" },
    });
  }
  return sent;
}

function nameAttachment(attachment: Attachment): string {
  return attachment.kind === "file" ? attachment.path : attachment.name;
}
