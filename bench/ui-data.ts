/** Fills a data directory through the host's own stores with what the window has to show: long threads and a long queue. */
import { mkdirSync } from "node:fs";
import type { NewApproval } from "../src/main/approvals/approval-row.ts";
import type { ThreadEventData } from "../src/shared/contract/thread-events.ts";
import type { ApprovalId, MessageId, ThreadId, TurnId } from "../src/shared/ids.ts";
import { asked, demo, openStores, sentIn } from "./filled-data-dir.ts";

export type UiData = {
  /** How many approvals wait, spread over `waitingThreads` threads. */
  pending: number;
  /** One finished thread for each number, with that many messages; pinned, so that the list shows it at once. */
  conversations: readonly number[];
};

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
  const { threads, log, approvals, create, begin, fill } = openStores(dataDir, workspace);
  fill(() => {
    for (const messages of conversations) {
      const id = `conversation-${messages}` as ThreadId;
      create(id, titleOf(messages));
      for (let turn = 0; turn < messages / 2; turn += 1) log.append(id, exchange(id, turn));
      threads.update(id, { status: "done", pinned: true });
    }
    for (let index = 0; index < Math.min(waitingThreads, pending); index += 1) {
      const id = waitingThread(index);
      create(id, `Work on part ${index} of the project`);
      begin(id, turnOf(id), `${id}-message` as MessageId, "running");
    }
    for (let index = 0; index < pending; index += 1) approvals.ask(question(index, workspace));
  });
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
  const isQuestion = index % 7 === 6;
  const command =
    index % 3 === 0
      ? `npm run build -- --filter part-${index}`
      : `git add part-${index} && git commit -m "Change part ${index}" && npm test -- --run part-${index}`;
  const callKey = `${threadId}:${index}`;
  return {
    ...asked,
    id: `approval-${index}` as ApprovalId,
    callKey,
    threadId,
    turnId: turnOf(threadId),
    itemId: callKey,
    agentPath: index % 5 === 0 ? ["reviewer"] : [],
    tool: isQuestion ? "ask_human" : "execute",
    args: isQuestion ? { question: `Which branch is part ${index} for?` } : { command },
    cwd,
    subject: isQuestion
      ? { kind: "question", question: `Which branch is part ${index} for?`, wants: "text" }
      : { kind: "command", command, cwd },
    verdict: {
      verdict: "new",
      units: isQuestion
        ? []
        : command
            .split(" && ")
            .map((text) => ({ text, verdict: "new" as const, reason: "no rule covers it" })),
    },
    risk: index % 11 === 0 ? "high" : index % 2 === 0 ? "medium" : "low",
    allowed: isQuestion ? ["respond", "reject"] : ["approve", "edit", "reject"],
    argsSchema: undefined,
    digest: `digest-${index}`,
    shape: index % 3 === 0 ? "npm run build" : "git add && git commit && npm test",
  };
}
