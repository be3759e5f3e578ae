/** What a person does with threads: begins them, sends, stops, forks and removes them; each command acts once. */
import { randomUUID } from "node:crypto";
import type { ParsedInput } from "../../shared/contract/contract.ts";
import { ContractError } from "../../shared/contract/errors.ts";
import type { ModelRef } from "../../shared/contract/models.ts";
import type { Attachment, ThreadSummary } from "../../shared/contract/threads.ts";
import type { AgentId, MessageId, ThreadId, TurnId } from "../../shared/ids.ts";
import type { ApprovalStore } from "../approvals/approval-store.ts";
import type { AutoApproveSwitch } from "../approvals/auto-approve.ts";
import type { Decisions } from "../approvals/decisions.ts";
import { passBarrier } from "../base/barriers.ts";
import type { OnceOnly } from "../threads/commands.ts";
import type { EventLog } from "../threads/event-log.ts";
import type { ThreadActors } from "../threads/thread-actors.ts";
import type { ThreadRow, ThreadStore } from "../threads/thread-store.ts";

export type ThreadDeskParts = {
  store: ThreadStore;
  log: EventLog;
  actors: ThreadActors;
  approvals: ApprovalStore;
  autoApprove: AutoApproveSwitch;
  decisions: Decisions;
  once: OnceOnly;
  summary(row: ThreadRow): ThreadSummary;
  /** Checks a folder and answers its real path. @throws ContractError naming what is wrong with it. */
  openWorkspace(path: string): Promise<string>;
  defaultModel(): ModelRef;
  defaultAgent(): AgentId;
  modelOfAgent(agentId: AgentId): ModelRef | undefined;
  /** Whether the agent's memory at this checkpoint is still kept; `null` is before the first one. */
  hasCheckpoint(threadId: ThreadId, checkpointId: string | null): Promise<boolean>;
  forkCheckpoints(from: ThreadId, to: ThreadId, checkpointId: string | null): Promise<void>;
  /** Removes everything kept for a thread besides its rows: checkpoints, command logs, originals of changed files. */
  removeData(threadId: ThreadId): Promise<void>;
};

export type ThreadDesk = {
  create(input: ParsedInput<"threads.create">): Promise<ThreadSummary>;
  send(
    input: ParsedInput<"threads.send">,
  ): Promise<{ messageId: MessageId; turnId: TurnId; queued: boolean }>;
  cancelQueued(threadId: ThreadId, messageId: MessageId): void;
  stop(threadId: ThreadId): Promise<void>;
  fork(input: ParsedInput<"threads.fork">): Promise<ThreadSummary>;
  remove(threadId: ThreadId): Promise<void>;
};

const untitled = "New thread";

export function createThreadDesk(parts: ThreadDeskParts): ThreadDesk {
  const { store, log, actors, approvals, once } = parts;

  async function send(
    input: ParsedInput<"threads.send">,
  ): Promise<{ messageId: MessageId; turnId: TurnId; queued: boolean }> {
    const thread = store.get(input.threadId);
    if (input.text.trim() === "" && input.attachments.length === 0)
      throw new ContractError("invalid-input", "The message is empty. Write something first.", {
        field: "text",
      });
    const isNew = !once.wasSeen(input.commandId);
    const waits = isNew && approvals.pending(thread.id).length > 0;
    if (waits && input.whileWaiting === "reject") return rejectWith(input);
    if (waits && input.whileWaiting === "cancel") await stop(thread.id);
    // A turn that a crash left behind ends when the person says something new.
    else if (isNew && thread.status === "interrupted") await stop(thread.id);
    const sent = await once.act(input.commandId, () => enqueue(input));
    passBarrier("message-sent");
    actors.poke(thread.id);
    return sent;
  }

  function enqueue({ threadId, text, attachments }: ParsedInput<"threads.send">) {
    const { titled } = store.get(threadId);
    const turnId = `turn-${randomUUID()}` as TurnId;
    const messageId = `msg-${randomUUID()}` as MessageId;
    const queued = store.currentTurn(threadId) !== undefined || store.nextQueued(threadId) !== undefined;
    store.addTurn({
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
    if (!titled) store.update(threadId, { title: titleOf(text), titled: true });
    return { messageId, turnId, queued };
  }

  /** The person's words are the reason, and the agent reads them in place of the calls' results. */
  async function rejectWith({ commandId, threadId, text }: ParsedInput<"threads.send">) {
    const turn = store.currentTurn(threadId);
    const sent = await once.act(commandId, () => ({
      messageId: turn?.messageId ?? ("" as MessageId),
      turnId: turn?.id ?? ("" as TurnId),
      queued: false,
    }));
    for (const row of approvals.pending(threadId)) {
      const decision = row.allowed.includes("reject")
        ? { type: "reject" as const, message: text }
        : { type: "respond" as const, answer: text };
      await parts.decisions.decide(
        { id: row.id, digest: row.digest, decision, graceMs: 0 },
        { kind: "person" },
      );
    }
    return sent;
  }

  async function stop(threadId: ThreadId): Promise<void> {
    await actors.stop(threadId, new Error("You stopped the turn."));
  }

  return {
    async create(input) {
      const workspace = await parts.openWorkspace(input.workspace);
      const id = await once.act(input.commandId, () => {
        const agentId = input.agentId ?? parts.defaultAgent();
        const model = input.model ?? parts.modelOfAgent(agentId) ?? parts.defaultModel();
        const threadId = `thread-${randomUUID()}` as ThreadId;
        store.create({
          id: threadId,
          title: input.title || untitled,
          titled: Boolean(input.title),
          workspace,
          agentId,
          model,
          forkedFrom: undefined,
        });
        return threadId;
      });
      return parts.summary(store.get(id));
    },
    send,
    cancelQueued(threadId, messageId) {
      const turn = store.turnOfMessage(threadId, messageId);
      if (turn?.status !== "queued")
        throw new ContractError("conflict", "This message has been taken up already.", {
          field: "messageId",
        });
      store.setTurnStatus(turn.id, "cancelled");
      log.append(threadId, [{ type: "message.dequeued", itemId: messageId, cancelled: true }]);
    },
    stop,
    async fork({ commandId, threadId, messageId, text }) {
      const thread = store.get(threadId);
      const turn = store.turnOfMessage(threadId, messageId);
      const item = log.item(threadId, messageId);
      if (!turn || !item)
        throw new ContractError("not-found", "This message is not in the thread.", { field: "messageId" });
      if (turn.status === "queued" || turn.status === "cancelled")
        throw new ContractError(
          "conflict",
          "The agent has not taken up this message, so there is nothing to fork from yet.",
          { field: "messageId" },
        );
      if (!once.wasSeen(commandId) && !(await parts.hasCheckpoint(threadId, turn.checkpointBefore)))
        throw new ContractError(
          "conflict",
          "What the agent knew before this message was pruned. Fork at a later message.",
          { field: "messageId" },
        );
      const id = await once.act(commandId, () => {
        const forked = `thread-${randomUUID()}` as ThreadId;
        const { workspace, agentId, model } = thread;
        store.create({
          id: forked,
          title: `${thread.title} (fork)`,
          titled: true,
          workspace,
          agentId,
          model,
          forkedFrom: threadId,
        });
        log.copyThread(threadId, forked, item.position);
        store.copyTurns(threadId, forked, turn.id);
        return forked;
      });
      await parts.forkCheckpoints(threadId, id, turn.checkpointBefore);
      if (text !== undefined)
        await send({
          commandId: `${commandId}:send` as typeof commandId,
          threadId: id,
          text,
          attachments: turn.attachments,
          whileWaiting: "queue",
        });
      return parts.summary(store.get(id));
    },
    async remove(threadId) {
      await actors.retire(threadId, new Error("the thread is being deleted"));
      parts.autoApprove.turnOff(threadId, "its thread was deleted");
      await parts.removeData(threadId);
      log.removeThread(threadId);
      store.remove(threadId);
    },
  };
}

function nameAttachment(attachment: Attachment): string {
  return attachment.kind === "file" ? attachment.path : attachment.name;
}

/** The first line, cut at a word. */
function titleOf(text: string): string {
  const line = text.trim().split("\n")[0]!.trim();
  if (line === "") return untitled;
  if (line.length <= 60) return line;
  const cut = line.slice(0, 60);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), 30))}…`;
}
