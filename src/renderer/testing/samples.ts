/** Threads, approvals and transcripts for component tests, complete and parsed by the contract. */
import { type Approval, approvalSchema } from "../../shared/contract/approvals.ts";
import { type ThreadSummary, threadSummarySchema } from "../../shared/contract/threads.ts";
import { type TranscriptItem, transcriptItemSchema } from "../../shared/contract/transcript.ts";

export function sampleThread(id: string, change: Record<string, unknown> = {}): ThreadSummary {
  return threadSummarySchema.parse({
    id,
    title: `Thread ${id}`,
    workspace: "/home/ada/shop",
    agentId: "default",
    model: { provider: "demo", model: "scripted" },
    status: "waiting",
    waiting: 0,
    mailbox: 0,
    unread: false,
    pinned: false,
    archived: false,
    can: {
      fork: true,
      chooseModel: true,
      chooseAgent: true,
      editArguments: true,
      subAgents: true,
      resume: true,
      export: true,
      messages: true,
    },
    autoApprove: null,
    createdAt: Date.now() - 600_000,
    updatedAt: Date.now() - 60_000,
    ...change,
  });
}

export function sampleApproval(id: string, command: string, change: Record<string, unknown> = {}): Approval {
  return approvalSchema.parse({
    id,
    kind: "tool",
    threadId: "t1",
    threadTitle: "Thread t1",
    workspace: "/home/ada/shop",
    itemId: `item-${id}`,
    agentPath: [],
    tool: "execute",
    subject: { kind: "command", command, cwd: "/home/ada/shop" },
    verdict: {
      verdict: "new",
      units: [{ text: command, verdict: "new", reason: "No rule covers it yet." }],
    },
    risk: "medium",
    allowedDecisions: ["approve", "edit", "reject", "respond"],
    digest: `digest-${id}`,
    status: "pending",
    requestedAt: Date.now() - 120_000,
    shape: `${command.split(" ").slice(0, 2).join(" ")} *`,
    ...change,
  });
}

let position = 0;

/** Where the newest sample item stands, which is also how far the log has come. */
export function lastPosition(): number {
  return position;
}

/** An item of a transcript; each stands after the one made before it. */
export function sampleItem(id: string, kind: string, change: Record<string, unknown>): TranscriptItem {
  position += 1;
  return transcriptItemSchema.parse({ id, kind, position, at: position, turnId: "turn", ...change });
}

/** A message of the agent. */
export function says(id: string, text: string, change: Record<string, unknown> = {}): TranscriptItem {
  return sampleItem(id, "agentMessage", { agentPath: [], text, partial: false, ...change });
}

/** A finished tool call; without a change, a command that reads like its id. */
export function call(id: string, change: Record<string, unknown>): TranscriptItem {
  return sampleItem(id, "toolCall", {
    agentPath: [],
    toolCallId: id,
    tool: "execute",
    args: { command: id },
    state: "finished",
    outcome: "ok",
    ...change,
  });
}
