/** Fills a data directory through the host's own stores, as years of use would leave it after the app was killed. */
import { join } from "node:path";
import type { NewApproval } from "../src/main/approvals/approval-row.ts";
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
export const demo = { provider: "demo" as const, model: "demo" };

/** The stores of a data directory that is filled, and what every thread and question in it is alike in. */
export function openStores(dataDir: string, workspace: string) {
  const { database } = openDatabase(dataDir, Date.now);
  // Durability is not what is measured here, and a hundred thousand fsyncs would be.
  database.pragma("synchronous = OFF");
  const threads = createThreadStore(database, Date.now, () => undefined);
  return {
    threads,
    log: createEventLog(database, Date.now, () => undefined),
    approvals: createApprovalStore(database, Date.now, () => undefined),
    create: (id: ThreadId, title: string) =>
      threads.create({
        id,
        title,
        titled: true,
        workspace,
        source: builtInSource,
        agentId: "default" as AgentId,
        model: demo,
        forkedFrom: undefined,
      }),
    begin: (threadId: ThreadId, id: TurnId, messageId: MessageId, status: "running" | "done") => {
      const message = { messageId, text: "go on", attachments: [] };
      threads.addTurn({ id, threadId, ...message, status, checkpointBefore: null });
      threads.update(threadId, { status });
    },
    /** All of it in one transaction; then the directory is closed, with a memory of the agents. */
    fill(write: () => void) {
      database.transaction(write)();
      database.close();
      createMemory(dataDir);
    },
  };
}

/** What every question of the gate has. */
export const asked = {
  kind: "tool",
  askedBy: "gate",
  description: undefined,
  value: undefined,
  interruptId: undefined,
  actionIndex: undefined,
  baseHash: undefined,
} as const;

/** Writes the database; the newest `pending` threads wait for an approval each. `workspace` must exist. */
export function fillDataDir(dataDir: string, workspace: string, size: Size): void {
  const { log, approvals, create, begin, fill } = openStores(dataDir, workspace);
  const turns = Math.ceil(size.events / size.threads / eventsPerTurn);
  fill(() => {
    for (let index = 0; index < size.threads; index += 1) {
      const id = `thread-${index}` as ThreadId;
      create(id, `Work on part ${index} of the project`);
      for (let turn = 0; turn < turns; turn += 1) log.append(id, turnOf(id, turn));
      const waits = index >= size.threads - size.pending;
      const turnId = `${id}-turn` as TurnId;
      begin(id, turnId, `${id}-message-${turns - 1}` as MessageId, waits ? "running" : "done");
      if (waits) approvals.ask(questionOf(id, turnId, workspace));
    }
  });
}

/** An agents' memory with nothing in it: without one the host would end what waits, since no run could go on. */
function createMemory(dataDir: string): void {
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

function questionOf(threadId: ThreadId, turnId: TurnId, cwd: string): NewApproval {
  const command = `npm run build -- --mode production --filter ${threadId}`;
  return {
    ...asked,
    id: `appr-${threadId}` as ApprovalId,
    callKey: `${threadId}:task:call`,
    threadId,
    turnId,
    itemId: `${threadId}:task:call`,
    agentPath: [],
    tool: "execute",
    args: { command },
    cwd,
    subject: { kind: "command", command, cwd },
    verdict: { verdict: "new", units: [{ text: command, verdict: "new", reason: "no rule covers it" }] },
    risk: "medium",
    allowed: ["approve", "edit", "reject"],
    argsSchema: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
    digest: `digest-${threadId}`,
    shape: "npm run",
  };
}
