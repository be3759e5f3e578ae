/** What an agent in a terminal asks, as a thread, a call in its transcript and a row of the queue. */
import { createHash, randomUUID } from "node:crypto";
import { basename } from "node:path";
import type { Subject } from "../../../shared/contract/subjects.ts";
import type { AgentId, ThreadId, TurnId } from "../../../shared/ids.ts";
import { type NewApproval, newApprovalId } from "../../approvals/approval-row.ts";
import { digestOf } from "../../approvals/digest.ts";
import { visibleText } from "../../base/visible-text.ts";
import { bareCall, type GatedCall, placeOf } from "../../gate/call.ts";
import { TurnStopped } from "../../gate/run-context.ts";
import type { ThreadStore } from "../../threads/thread-store.ts";
import { type AgentSource, fewAbilities, type SourceServices } from "../source.ts";
import { type TerminalRequest, terminalAgentTitles } from "./hook-words.ts";

const longestName = 60;

/** One thread for each session of an agent, found again after a start. */
export function threadOf({ agent, session, cwd }: TerminalRequest): Parameters<ThreadStore["create"]>[0] {
  const name = createHash("sha256")
    .update(JSON.stringify([agent, session]))
    .digest("hex")
    .slice(0, 32);
  const title = terminalAgentTitles[agent];
  return {
    id: `thread-terminal-${name}` as ThreadId,
    title: `${title} in ${visibleText(basename(cwd) || cwd).slice(0, longestName)}`,
    titled: true,
    workspace: cwd,
    source: terminalSource,
    agentId: title as AgentId,
    // It chooses by itself and does not say what.
    model: { provider: "openai-compatible", model: "its own" },
    forkedFrom: undefined,
  };
}

/** @param key names this one request. */
export function toCall(request: TerminalRequest, threadId: ThreadId): GatedCall {
  const key = `${threadId}:${randomUUID()}`;
  return bareCall({
    key,
    threadId,
    turnId: key as TurnId,
    itemId: key,
    parentItemId: undefined,
    agentPath: [],
    toolCallId: key,
    // No name that an agent gives its tool is that of one of ours.
    tool: `${terminalAgentTitles[request.agent]}: ${request.tool}`,
    args: request.args,
  });
}

/** It is asked of a person and nobody else: high risk, and alone of its shape. */
export function toTerminalQuestion(request: TerminalRequest, call: GatedCall): NewApproval {
  const { key: callKey, threadId, tool, args } = call;
  const agent = terminalAgentTitles[request.agent];
  const { cwd } = request;
  const subject: Subject = { kind: "terminal", agent, cwd, about: aboutOf(args), gone: false };
  const reason = `${agent} asks, and acts by itself`;
  return {
    askedBy: "hook",
    ...placeOf(call),
    id: newApprovalId(),
    callKey,
    kind: "terminal",
    cwd,
    subject,
    verdict: { verdict: "ask", units: [{ text: request.tool, verdict: "ask", reason }] },
    risk: "high",
    allowed: ["approve", "reject"],
    digest: digestOf({ threadId, callKey, tool, args, cwd }),
    shape: callKey,
  };
}

/** The same question when nobody waits for its answer: it can be put away, and that is all. */
export function toGoneQuestion(row: NewApproval): NewApproval {
  if (row.subject.kind !== "terminal") throw new Error("This was not asked in a terminal.");
  const { id: _, ...asked } = row;
  return { ...asked, id: newApprovalId(), allowed: ["reject"], subject: { ...row.subject, gone: true } };
}

/** Where the agents' tools say what they are about. */
function aboutOf(args: Record<string, unknown>): string | undefined {
  const named = ["command", "file_path", "notebook_path", "url"].map((name) => args[name]);
  return named.find((value): value is string => typeof value === "string" && value !== "");
}

/** The name that such threads carry of it. */
export const terminalSource = "terminal";

/** @returns a source whose threads only ask: they have no turn of their own. */
export function createTerminalSource({ journal }: SourceServices): AgentSource {
  return {
    can: { ...fewAbilities, messages: false },
    async run() {
      throw new TurnStopped("failed", "This agent works in its terminal. Write to it there.");
    },
    // What it still waits for ends without an answer, so that it asks by itself.
    forget: async (threadId) => void journal.room.park(threadId),
  };
}
