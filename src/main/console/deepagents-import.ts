/** Takes over threads of the deepagents CLI: their conversation, what their agent knew, and the calls that waited. */
import { createHash, randomUUID } from "node:crypto";
import type Database from "better-sqlite3";
import type { Output, ParsedInput } from "../../shared/contract/contract.ts";
import { ContractError } from "../../shared/contract/errors.ts";
import type { ModelRef } from "../../shared/contract/models.ts";
import type { ThreadEventData } from "../../shared/contract/thread-events.ts";
import type { ThreadSummary } from "../../shared/contract/threads.ts";
import type { AgentId, MessageId, ThreadId, TurnId } from "../../shared/ids.ts";
import { shorten, shortenText } from "../../shared/wire/shorten.ts";
import type { AgentSource } from "../agents/source.ts";
import { deepestArguments, isDeeperThan } from "../models/nesting.ts";
import type { Readings } from "../provenance/readings.ts";
import {
  listSessions,
  readSession,
  type SessionMessage,
  SessionsError,
} from "../threads/deepagents/sessions.ts";
import type { EventLog } from "../threads/event-log.ts";
import { builtInSource, type ThreadRow, type ThreadStore } from "../threads/thread-store.ts";
import { titleOf } from "./thread-commands/thread-title.ts";

export type DeepagentsImportParts = {
  /** As `~/.deepagents`. */
  folder: string;
  database: Database.Database;
  now: () => number;
  threads: ThreadStore;
  log: EventLog;
  readings: Pick<Readings, "noteImported">;
  source: Pick<AgentSource, "adopt" | "forget">;
  openWorkspace(path: string): Promise<string>;
  defaultAgent(): AgentId;
  defaultModel(): ModelRef;
  summary(row: ThreadRow): ThreadSummary;
};

export type DeepagentsImport = {
  list(): Promise<Output<"deepagents.threads">>;
  take(input: ParsedInput<"deepagents.import">): Promise<ThreadSummary>;
};

const mostTextBytes = 600_000;
const mostArgumentBytes = 256_000;

/** Nothing is ever written to the CLI's database. */
export function createDeepagentsImport(parts: DeepagentsImportParts): DeepagentsImport {
  return {
    list: async () => ({ threads: await read(() => listSessions(parts.folder)) }),
    async take({ id, workspace }) {
      const { threads, source } = parts;
      const folder = await parts.openWorkspace(workspace);
      const said = withOwnIds(await read(() => readSession(parts.folder, id)));
      const threadId = `thread-${randomUUID()}` as ThreadId;
      parts.database.transaction(() => writeThread(parts, threadId, folder, said))();
      try {
        await source.adopt?.(threads.get(threadId), said);
      } catch (error) {
        await source.forget(threadId);
        parts.log.removeThread(threadId);
        threads.remove(threadId);
        throw error;
      }
      return parts.summary(threads.get(threadId));
    },
  };
}

/** @throws ContractError that says what is wrong with what was read */
async function read<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof SessionsError)
      throw new ContractError("invalid-input", error.message, { field: "id" });
    throw error;
  }
}

/**
 * Under ids of our own, each once. Of calls only those that can be shown, and only the last ones can be without a result:
 * no model takes a conversation with others.
 */
function withOwnIds(said: readonly SessionMessage[]): SessionMessage[] {
  const prefix = `imported-${randomUUID()}`;
  const answered = new Set(said.flatMap((one) => (one.kind === "result" ? [one.callId] : [])));
  const made = new Set<string>();
  return said.flatMap((one, index): SessionMessage[] => {
    const id = `${prefix}-${index}-${createHash("sha256").update(one.id).digest("hex").slice(0, 8)}`;
    const text = shortenText(one.text, mostTextBytes);
    if (one.kind === "person") return [{ ...one, id, text }];
    if (one.kind === "result") return made.has(one.callId) ? [{ ...one, id, text }] : [];
    const isLast = said.slice(index + 1).every(({ kind }) => kind === "result");
    const calls = one.calls.filter((call) => {
      const isKept = (answered.has(call.id) || isLast) && !made.has(call.id) && canBeShown(call.args);
      if (isKept) made.add(call.id);
      return isKept;
    });
    return [{ ...one, id, text, calls }];
  });
}

const canBeShown = (args: Record<string, unknown>) =>
  !isDeeperThan(args, deepestArguments) && shorten({ args }, mostArgumentBytes).leftOut === 0;

function writeThread(
  { threads, log, readings, defaultAgent, defaultModel, now }: DeepagentsImportParts,
  id: ThreadId,
  workspace: string,
  said: readonly SessionMessage[],
): void {
  const first = said.find(({ kind }) => kind === "person");
  threads.create({
    id,
    title: titleOf(first?.text ?? "From the deepagents CLI"),
    titled: true,
    workspace,
    source: builtInSource,
    agentId: defaultAgent(),
    model: defaultModel(),
    forkedFrom: undefined,
  });
  const turns = turnsOf(said);
  const results = new Map(said.flatMap((one) => (one.kind === "result" ? [[one.callId, one] as const] : [])));
  const waits = said.some((one) => one.kind === "agent" && one.calls.some((call) => !results.has(call.id)));
  for (const { message, parts } of turns) {
    const turnId = `turn-${message.id}` as TurnId;
    for (const one of parts) log.append(id, eventsOf(one, turnId, results));
  }
  log.append(id, [{ type: "notice.added", itemId: `imported:${id}`, level: "info", text: noticeOf(waits) }]);
  readings.noteImported(id, `imported:${id}`);
  for (const [index, { message }] of turns.entries()) {
    const messageId = message.id as MessageId;
    const past = { messageId, text: message.text, attachments: [], checkpointBefore: null };
    const isOpen = waits && index === turns.length - 1;
    const turnId = `turn-${message.id}` as TurnId;
    if (isOpen) threads.addTurn({ ...past, id: turnId, threadId: id, status: "interrupted" });
    else threads.addPastTurn(id, { ...past, status: "done", createdAt: now(), finishedAt: now() });
  }
  threads.update(id, waits ? { status: "interrupted", problem: noticeOf(true) } : { status: "done" });
}

const noticeOf = (waits: boolean) =>
  waits
    ? "This thread was taken over from the deepagents CLI while calls of its agent waited there. Resume to ask about them here."
    : "This thread was taken over from the deepagents CLI. What stands above happened there.";

type PersonMessage = Extract<SessionMessage, { kind: "person" }>;

function turnsOf(said: readonly SessionMessage[]): { message: PersonMessage; parts: SessionMessage[] }[] {
  const turns: { message: PersonMessage; parts: SessionMessage[] }[] = [];
  for (const one of said) {
    if (one.kind === "person") turns.push({ message: one, parts: [] });
    turns.at(-1)?.parts.push(one);
  }
  return turns;
}

/** A call that waits is announced when it is asked about. */
function eventsOf(
  one: SessionMessage,
  turnId: TurnId,
  results: ReadonlyMap<string, Extract<SessionMessage, { kind: "result" }>>,
): ThreadEventData[] {
  const place = { turnId, agentPath: [] };
  const { id, text } = one;
  if (one.kind === "person")
    return [{ type: "message.sent", itemId: id as MessageId, turnId, text, attachments: [], queued: false }];
  if (one.kind === "result") return [];
  const message: ThreadEventData = {
    type: "message.finished",
    ...place,
    itemId: id as MessageId,
    text,
    partial: false,
  };
  const calls = one.calls.flatMap((call, index): ThreadEventData[] => {
    const result = results.get(call.id);
    if (!result) return [];
    const itemId = `${id}:${index}`;
    return [
      { type: "toolCall.requested", ...place, itemId, toolCallId: call.id, tool: call.name, args: call.args },
      {
        type: "toolCall.finished",
        itemId,
        outcome: result.failed ? "failed" : "ok",
        result: result.text,
      },
    ];
  });
  return [...(text.trim() === "" ? [] : [message]), ...calls];
}
