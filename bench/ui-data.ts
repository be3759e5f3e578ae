/** Fills a data directory through the host's own stores with what the window has to show: long threads and a long queue. */
import { mkdirSync } from "node:fs";
import type { NewApproval } from "../src/main/approvals/approval-row.ts";
import { createApprovalStore } from "../src/main/approvals/approval-store.ts";
import { openDatabase } from "../src/main/storage/open-database.ts";
import { createEventLog } from "../src/main/threads/event-log.ts";
import { builtInSource, createThreadStore } from "../src/main/threads/thread-store.ts";
import type { ThreadEventData } from "../src/shared/contract/thread-events.ts";
import type { AgentId, ApprovalId, MessageId, ThreadId, TurnId } from "../src/shared/ids.ts";
import { createMemory, sentIn } from "./filled-data-dir.ts";

export type UiData = {
  /** How many approvals wait, spread over `waitingThreads` threads. */
  pending: number;
  /** One finished thread for each number, with that many messages; pinned, so that the list shows it at once. */
  conversations: readonly number[];
};

const demo = { provider: "demo" as const, model: "demo" };
const waitingThreads = 100;

/** The title of the thread with this many messages; its last message is `lastWords(messages)`. */
export function titleOf(messages: number): string {
  return `Conversation of ${messages} messages`;
}

export function lastWords(messages: number): string {
  return `That was step ${messages / 2 - 1} of the work.`;
}

/** Writes the database. Both folders are made. */
export function fillUiData(dataDir: string, workspace: string, { pending, conversations }: UiData): void {
  mkdirSync(dataDir, { recursive: true });
  mkdirSync(workspace, { recursive: true });
  const { database } = openDatabase(dataDir, Date.now);
  // Durability is not what is measured here.
  database.pragma("synchronous = OFF");
  const threads = createThreadStore(database, Date.now, () => undefined);
  const log = createEventLog(database, Date.now, () => undefined);
  const approvals = createApprovalStore(database, Date.now, () => undefined);
  const create = (id: ThreadId, title: string) =>
    threads.create({
      id,
      title,
      titled: true,
      workspace,
      source: builtInSource,
      agentId: "default" as AgentId,
      model: demo,
      forkedFrom: undefined,
    });
  database.transaction(() => {
    for (const messages of conversations) {
      const id = `conversation-${messages}` as ThreadId;
      create(id, titleOf(messages));
      for (let turn = 0; turn < messages / 2; turn += 1) log.append(id, exchange(id, turn));
      threads.update(id, { status: "done", pinned: true });
    }
    for (let index = 0; index < Math.min(waitingThreads, pending); index += 1) {
      const id = waitingThread(index);
      create(id, `Work on part ${index} of the project`);
      threads.addTurn({
        id: turnOf(id),
        threadId: id,
        messageId: `${id}-message` as MessageId,
        text: "go on",
        attachments: [],
        status: "running",
        checkpointBefore: null,
      });
      threads.update(id, { status: "running" });
    }
    for (let index = 0; index < pending; index += 1) approvals.ask(question(index, workspace));
  })();
  database.close();
  createMemory(dataDir);
}

const waitingThread = (index: number) => `waiting-${index}` as ThreadId;
const turnOf = (threadId: ThreadId) => `${threadId}-turn` as TurnId;

/** A message and an answer; every tenth answer has a table and a block of code. */
function exchange(threadId: ThreadId, turn: number): ThreadEventData[] {
  const turnId = `${threadId}-turn-${turn}` as TurnId;
  const rich =
    turn % 10 === 9
      ? "\n\n| file | tests |\n| --- | ---: |\n| parser.ts | 214 |\n\n```ts\nexport const line = (at: number) => at + 1;\n```\n\n"
      : "\n\n";
  return [
    sentIn(threadId, turn),
    {
      type: "message.finished",
      itemId: `${threadId}-answer-${turn}` as MessageId,
      turnId,
      agentPath: [],
      text: `The parser **names the line** now, and the tests cover both forms.${rich}That was step ${turn} of the work.`,
      model: demo,
      partial: false,
    },
  ];
}

/** Commands of several forms, lengths and risks; every seventh is a question to the person. */
function question(index: number, cwd: string): NewApproval {
  const threadId = waitingThread(index % waitingThreads);
  const asked = index % 7 === 6;
  const command =
    index % 3 === 0
      ? `npm run build -- --filter part-${index}`
      : `git add part-${index} && git commit -m "Change part ${index}" && npm test -- --run part-${index}`;
  const callKey = `${threadId}:${index}`;
  return {
    id: `approval-${index}` as ApprovalId,
    callKey,
    kind: "tool",
    askedBy: "gate",
    threadId,
    turnId: turnOf(threadId),
    itemId: callKey,
    agentPath: index % 5 === 0 ? ["reviewer"] : [],
    tool: asked ? "ask_human" : "execute",
    args: asked ? { question: `Which branch is part ${index} for?` } : { command },
    cwd,
    subject: asked
      ? { kind: "question", question: `Which branch is part ${index} for?`, wants: "text" }
      : { kind: "command", command, cwd },
    description: undefined,
    verdict: {
      verdict: "new",
      units: asked
        ? []
        : command
            .split(" && ")
            .map((text) => ({ text, verdict: "new" as const, reason: "no rule covers it" })),
    },
    risk: index % 11 === 0 ? "high" : index % 2 === 0 ? "medium" : "low",
    allowed: asked ? ["respond", "reject"] : ["approve", "edit", "reject"],
    argsSchema: undefined,
    value: undefined,
    interruptId: undefined,
    actionIndex: undefined,
    baseHash: undefined,
    digest: `digest-${index}`,
    shape: index % 3 === 0 ? "npm run build" : "git add && git commit && npm test",
  };
}
