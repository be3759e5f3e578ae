/** Fills a data directory through the host's own stores, as years of use would leave it after the app was killed. */
import { join } from "node:path";
import { createApprovalStore } from "../src/main/approvals/approval-store.ts";
import { createCheckpointer } from "../src/main/storage/checkpointer/create-checkpointer.ts";
import { openDatabase } from "../src/main/storage/open-database.ts";
import { createEventLog } from "../src/main/threads/event-log.ts";
import { builtInSource, createThreadStore } from "../src/main/threads/thread-store.ts";
import type { ThreadEventData } from "../src/shared/contract/thread-events.ts";
import type { AgentId, ApprovalId, MessageId, ThreadId, TurnId } from "../src/shared/ids.ts";

export type Size = { threads: number; events: number; pending: number };

/** What one exchange leaves: the message, the answer, a tool call from request to result, and the turn's end. */
const eventsPerTurn = 5;
const demo = { provider: "demo" as const, model: "demo" };

/** Writes the database; the newest `pending` threads wait for an approval each. `workspace` must exist. */
export function fillDataDir(dataDir: string, workspace: string, size: Size): void {
  const { database } = openDatabase(dataDir, Date.now);
  // Durability is not what is measured here, and a hundred thousand fsyncs would be.
  database.pragma("synchronous = OFF");
  const threads = createThreadStore(database, Date.now, () => undefined);
  const log = createEventLog(database, Date.now, () => undefined);
  const approvals = createApprovalStore(database, Date.now, () => undefined);
  const turns = Math.ceil(size.events / size.threads / eventsPerTurn);
  database.transaction(() => {
    for (let index = 0; index < size.threads; index += 1) {
      const id = `thread-${index}` as ThreadId;
      threads.create({
        id,
        title: `Work on part ${index} of the project`,
        titled: true,
        workspace,
        source: builtInSource,
        agentId: "default" as AgentId,
        model: demo,
        forkedFrom: undefined,
      });
      for (let turn = 0; turn < turns; turn += 1) log.append(id, turnOf(id, turn));
      const waits = index >= size.threads - size.pending;
      const turnId = `${id}-turn` as TurnId;
      const messageId = `${id}-message-${turns - 1}` as MessageId;
      threads.addTurn({
        id: turnId,
        threadId: id,
        messageId,
        text: "go on",
        attachments: [],
        status: waits ? "running" : "done",
        checkpointBefore: null,
      });
      threads.update(id, { status: waits ? "running" : "done" });
      if (waits) approvals.ask(questionOf(id, turnId, workspace));
    }
  })();
  database.close();
  createMemory(dataDir);
}

/** An agents' memory with nothing in it: without one the host would end what waits, since no run could go on. */
export function createMemory(dataDir: string): void {
  createCheckpointer(join(dataDir, "checkpoints.db")).db.close();
}

/** What a person sent in this turn. */
export function sentIn(threadId: ThreadId, turn: number): ThreadEventData {
  return {
    type: "message.sent",
    itemId: `${threadId}-message-${turn}` as MessageId,
    turnId: `${threadId}-turn-${turn}` as TurnId,
    text: `Please change step ${turn} so that the parser reports the line of the error.`,
    attachments: [],
    queued: false,
  };
}

function turnOf(threadId: ThreadId, turn: number): ThreadEventData[] {
  const turnId = `${threadId}-turn-${turn}` as TurnId;
  const itemId = `${threadId}-call-${turn}`;
  const result = `${turn} files changed, all 214 tests of the module passed in 3.2 s.\n`.repeat(6);
  return [
    sentIn(threadId, turn),
    {
      type: "toolCall.requested",
      itemId,
      turnId,
      agentPath: [],
      toolCallId: `call-${turn}`,
      tool: "execute",
      args: { command: "npm test -- --run src/parser" },
    },
    { type: "toolCall.finished", itemId, outcome: "ok", result },
    {
      type: "message.finished",
      itemId: `${threadId}-answer-${turn}` as MessageId,
      turnId,
      agentPath: [],
      text: `Step ${turn} is done: the parser now names the line, and the tests cover both forms.`,
      model: demo,
      partial: false,
    },
    { type: "turn.finished", itemId: `${threadId}-end-${turn}`, turnId, outcome: "done" },
  ];
}

function questionOf(
  threadId: ThreadId,
  turnId: TurnId,
  cwd: string,
): Parameters<ReturnType<typeof createApprovalStore>["ask"]>[0] {
  const command = `npm run build -- --mode production --filter ${threadId}`;
  return {
    id: `appr-${threadId}` as ApprovalId,
    callKey: `${threadId}:task:call`,
    kind: "tool",
    askedBy: "gate",
    threadId,
    turnId,
    itemId: `${threadId}:task:call`,
    agentPath: [],
    tool: "execute",
    args: { command },
    cwd,
    subject: { kind: "command", command, cwd },
    description: undefined,
    verdict: { verdict: "new", units: [{ text: command, verdict: "new", reason: "no rule covers it" }] },
    risk: "medium",
    allowed: ["approve", "edit", "reject"],
    argsSchema: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
    value: undefined,
    interruptId: undefined,
    actionIndex: undefined,
    baseHash: undefined,
    digest: `digest-${threadId}`,
    shape: "npm run",
  };
}
