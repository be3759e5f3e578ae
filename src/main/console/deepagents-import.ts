/** Takes over threads of the deepagents CLI: their conversation, what their agent knew, and the calls that waited. */
import { createHash, randomUUID } from "node:crypto";
import type { Output, ParsedInput } from "../../shared/contract/contract.ts";
import { ContractError } from "../../shared/contract/errors.ts";
import type { ThreadEventData } from "../../shared/contract/thread-events.ts";
import type { ThreadSummary } from "../../shared/contract/threads.ts";
import type { MessageId, ThreadId, TurnId } from "../../shared/ids.ts";
import { shorten, shortenText } from "../../shared/wire/shorten.ts";
import { giveWayAfter } from "../base/give-way.ts";
import { deepestArguments, isDeeperThan } from "../models/nesting.ts";
import { SessionsError } from "../threads/deepagents/database-copy.ts";
import type { Session, SessionMessage } from "../threads/deepagents/sessions.ts";
import { listSessionsAside, readSessionAside } from "../threads/deepagents/sessions-thread.ts";
import { builtInSource } from "../threads/thread-store.ts";
import type { ConsoleParts } from "./console-parts.ts";
import { titleOf } from "./thread-commands/thread-title.ts";

const mostTextBytes = 600_000;
const mostArgumentBytes = 256_000;

/** Nothing is ever written to the CLI's database. */
export async function listSessions({ options }: ConsoleParts): Promise<Output<"deepagents.threads">> {
  return { threads: await read(() => listSessionsAside(options.deepagentsFolder)) };
}

/** Makes a thread of one, with what its agent knew. */
export async function takeSession(
  { id, workspace }: ParsedInput<"deepagents.import">,
  parts: ConsoleParts,
): Promise<ThreadSummary> {
  const { threads, log, sources, summaries } = parts;
  const source = sources.of({ source: builtInSource });
  const folder = await parts.openWorkspace(workspace);
  const session = await read(() => readSessionAside(parts.options.deepagentsFolder, id));
  const said = withOwnIds(session.said);
  const leftOut = session.leftOut + tooLargeIn(session.said);
  const threadId = `thread-${randomUUID()}` as ThreadId;
  try {
    await writeThread(parts, threadId, folder, { said, leftOut });
    await source.adopt?.(threads.get(threadId), said);
    finish(parts, threadId, said);
  } catch (error) {
    await source.forget(threadId);
    log.removeThread(threadId);
    if (threads.find(threadId)) threads.remove(threadId);
    throw error;
  }
  return summaries.of(threads.get(threadId));
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
 * Under ids of our own, each once. Of calls only those that can be shown, each with the first result behind it, and only the
 * last ones can be without one: no model takes a conversation with others.
 */
function withOwnIds(said: readonly SessionMessage[]): SessionMessage[] {
  const prefix = `imported-${randomUUID()}`;
  const { makers, results, lastSpoken } = pairsOf(said);
  return said.flatMap((one, index): SessionMessage[] => {
    const id = `${prefix}-${index}-${createHash("sha256").update(one.id).digest("hex").slice(0, 8)}`;
    const text = shortenText(one.text, mostTextBytes);
    if (one.kind === "person") return [{ ...one, id, text }];
    if (one.kind === "result") return results.get(one.callId) === index ? [{ ...one, id, text }] : [];
    const own = new Map(one.calls.map((call) => [call.id, call]));
    const calls = [...own.values()].filter(
      (call) => makers.get(call.id) === index && (results.has(call.id) || index === lastSpoken),
    );
    return [{ ...one, id, text, calls }];
  });
}

/** The places of the message that first made each call, of the first result behind that, and of the last that is no result. */
function pairsOf(said: readonly SessionMessage[]) {
  const makers = new Map<string, number>();
  const results = new Map<string, number>();
  let lastSpoken = -1;
  for (const [index, one] of said.entries()) {
    if (one.kind === "result") {
      if (makers.has(one.callId) && !results.has(one.callId)) results.set(one.callId, index);
      continue;
    }
    lastSpoken = index;
    if (one.kind === "agent")
      for (const { id, args } of one.calls) if (!makers.has(id) && canBeShown(args)) makers.set(id, index);
  }
  return { makers, results, lastSpoken };
}

/** How many calls do not come along for what they hold. */
const tooLargeIn = (said: readonly SessionMessage[]) =>
  said.flatMap((one) => (one.kind === "agent" ? one.calls : [])).filter(({ args }) => !canBeShown(args))
    .length;

const canBeShown = (args: Record<string, unknown>) =>
  !isDeeperThan(args, deepestArguments) && shorten({ args }, mostArgumentBytes).leftOut === 0;

/** A turn at a time where they are long, so that the host's loop has room between them; until the last it says that it is not done. */
async function writeThread(
  parts: ConsoleParts,
  id: ThreadId,
  workspace: string,
  { said, leftOut }: Session,
): Promise<void> {
  const { database, threads, log, readings } = parts;
  const results = new Map(said.flatMap((one) => (one.kind === "result" ? [[one.callId, one] as const] : [])));
  const waits = waitsIn(said);
  database.transaction(() => createThread(parts, id, workspace, said))();
  const turns = turnsOf(said);
  for (const [index, turn] of turns.entries()) {
    await giveWayAfter(turn);
    // Deleted meanwhile, it is not to be filled.
    threads.get(id);
    const isOpen = waits && index === turns.length - 1;
    database.transaction(() => writeTurn(parts, id, turn, results, isOpen))();
  }
  database.transaction(() => {
    const text = [noticeOf(waits), ...(leftOut > 0 ? [leftOutNotice(leftOut)] : [])].join(" ");
    log.append(id, [{ type: "notice.added", itemId: `imported:${id}`, level: "info", text }]);
    readings.noteImported(id, `imported:${id}`);
  })();
}

function createThread(
  { threads, toolbox, models }: ConsoleParts,
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
    agentId: toolbox.defaultAgentId(),
    model: models.defaultModel(),
    forkedFrom: undefined,
  });
  threads.update(id, { status: "interrupted", problem: unfinished });
}

/** Its agent knows all of it now. */
function finish({ threads }: ConsoleParts, id: ThreadId, said: readonly SessionMessage[]): void {
  const waits = waitsIn(said);
  threads.update(
    id,
    waits ? { status: "interrupted", problem: noticeOf(true) } : { status: "done", problem: undefined },
  );
}

function waitsIn(said: readonly SessionMessage[]): boolean {
  const answered = new Set(said.flatMap((one) => (one.kind === "result" ? [one.callId] : [])));
  return said.some((one) => one.kind === "agent" && one.calls.some((call) => !answered.has(call.id)));
}

const unfinished =
  "This thread is being taken over. Where that stays, the app ended meanwhile: delete it and take it over again.";

function writeTurn(
  { threads, log, now }: ConsoleParts,
  threadId: ThreadId,
  { message, parts }: ToldTurn,
  results: ReadonlyMap<string, Result>,
  isOpen: boolean,
): void {
  const id = `turn-${message.id}` as TurnId;
  const messageId = message.id as MessageId;
  for (const one of parts) log.append(threadId, eventsOf(one, id, results));
  const past = { messageId, text: message.text, attachments: [], checkpointBefore: null };
  if (isOpen) threads.addTurn({ ...past, id, threadId, status: "interrupted" });
  else threads.addPastTurn(threadId, { ...past, status: "done", createdAt: now(), finishedAt: now() });
}

const noticeOf = (waits: boolean) =>
  waits
    ? "This thread was taken over from the deepagents CLI while calls of its agent waited there. Resume to ask about them here."
    : "This thread was taken over from the deepagents CLI. What stands above happened there.";

const leftOutNotice = (count: number) =>
  `Not taken over: ${count === 1 ? "one message or call" : `${count} messages or calls`} that cannot be read or shown here. Look there.`;

type Result = Extract<SessionMessage, { kind: "result" }>;
type ToldTurn = { message: Extract<SessionMessage, { kind: "person" }>; parts: SessionMessage[] };

function turnsOf(said: readonly SessionMessage[]): ToldTurn[] {
  const turns: ToldTurn[] = [];
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
  results: ReadonlyMap<string, Result>,
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
