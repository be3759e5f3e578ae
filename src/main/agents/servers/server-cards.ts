/** What waits in a thread of a server, as a thread of this console, calls in its transcript and rows of the queue. */
import { createHash, randomUUID } from "node:crypto";
import type { Decision } from "../../../shared/contract/decisions.ts";
import type { RemoteServer, ServerCard } from "../../../shared/contract/remote-servers.ts";
import type { AgentId, ApprovalId, ThreadId, TurnId } from "../../../shared/ids.ts";
import { jsonBytes } from "../../../shared/wire/json-bytes.ts";
import { shorten } from "../../../shared/wire/shorten.ts";
import { type ApprovalRow, type NewApproval, newApprovalId } from "../../approvals/approval-row.ts";
import { digestOf } from "../../approvals/digest.ts";
import { visibleText } from "../../base/visible-text.ts";
import { bareCall, type GatedCall } from "../../gate/call.ts";
import type { ThreadStore } from "../../threads/thread-store.ts";
import { toQuestionSubject } from "../../tools/question-subject.ts";
import { type Action, type Asked, readAsked } from "./dialects.ts";
import { hiddenKey } from "./hide-key.ts";
import type { Seen, Waiting } from "./waiting-in.ts";

/** The name that such threads carry of their source. */
export const serverSource = "langgraph-server";

/** What one card can show whole. */
const mostValueBytes = 256_000;
/** So much is kept of what is larger. */
const mostKeptBytes = 16_000;
/** As many as a person can read one by one before they are answered together. */
const mostActions = 50;

const hash = (...parts: unknown[]) =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);

/** How the ids of the threads of all servers begin. */
export const serverThreadPrefix = "thread-server-";

/** How the ids of a server's threads begin, and those of one whose name goes on like this. */
export const threadPrefixOf = ({ id }: Pick<RemoteServer, "id">) => `${serverThreadPrefix}${id}-`;

/** Found again after a start, and never that of another server. */
export function threadIdOf(server: Pick<RemoteServer, "id">, thread: string): ThreadId {
  return `${threadPrefixOf(server)}${hash(server.id, thread)}` as ThreadId;
}

/** Whether a thread was filled by this server. */
export function isOf(server: Pick<RemoteServer, "id">, threadId: ThreadId): boolean {
  const prefix = threadPrefixOf(server);
  return threadId.startsWith(prefix) && threadId.length === prefix.length + 32;
}

/** The row of a thread that was seen on a server; it has no folder, and stands under the address of its server. */
export function toThread(
  server: RemoteServer,
  seen: Pick<Seen, "thread" | "title" | "graph">,
): Parameters<ThreadStore["create"]>[0] {
  const title = seen.title === undefined ? seen.thread.slice(0, 13) : visibleText(seen.title);
  return {
    id: threadIdOf(server, seen.thread),
    title: `${server.name}: ${title}`,
    titled: true,
    workspace: server.url,
    source: serverSource,
    agentId: visibleText(seen.graph).slice(0, 100) as AgentId,
    // It chooses by itself and does not say what.
    model: { provider: "openai-compatible", model: "its own" },
    forkedFrom: undefined,
  };
}

/** One interrupt, with the questions it is asked by. */
export type Group = { questions: NewApproval[] };

/** @returns the questions of one interrupt: one for each action, in their order. */
export function toGroup(server: RemoteServer, seen: Seen, waiting: Waiting): Group {
  const { thread, checkpoint, graph, assistant } = seen;
  const { task, interrupt, value, schema, isShared } = waiting;
  const threadId = threadIdOf(server, thread);
  const key = `${threadId}:${hash(checkpoint, task, interrupt)}`;
  const asked = readAsked(value, schema);
  const isLarge = jsonBytes([value, schema ?? null]) > mostValueBytes;
  const limit = limitOf(asked, waiting, assistant, isLarge);
  const actions = actionsOf(asked, isLarge);
  const card: ServerCard = {
    id: server.id,
    name: server.name,
    url: server.url,
    graph,
    assistant: assistant ?? "",
    thread,
    checkpoint,
    task,
    interrupt,
    dialect: asked.dialect,
    among: asked.actions.length,
    ...(limit !== undefined && { limit }),
    standing: { kind: "waits" },
  };
  const bound = {
    server: server.id,
    url: server.url,
    assistant,
    thread,
    checkpoint,
    task,
    interrupt,
    value,
    schema,
    ...(isShared && { isShared }),
  };
  const questions = actions.map((action, index) =>
    toQuestion({
      key,
      index,
      threadId,
      card,
      action,
      waiting,
      isLarge,
      bound,
      isFree: asked.dialect === "free",
    }),
  );
  return { questions };
}

/** What cannot be decided whole stands there as one, which can be told no where each of them can; too much is not kept. */
function actionsOf({ actions }: Asked, isLarge: boolean): Action[] {
  const [first] = actions;
  if (!first || (actions.length <= mostActions && !isLarge)) return actions;
  const canReject = actions.every(({ allowed }) => allowed.includes("reject"));
  return [
    { ...(isLarge ? shorten(first, mostKeptBytes).value : first), allowed: canReject ? ["reject"] : [] },
  ];
}

type QuestionParts = {
  key: string;
  index: number;
  threadId: ThreadId;
  card: ServerCard;
  action: Action;
  waiting: Waiting;
  /** It cannot be shown whole, and so is not kept whole. */
  isLarge: boolean;
  bound: Record<string, unknown>;
  isFree: boolean;
};

/** It is asked of a person and nobody else: high risk, and alone of its shape. */
function toQuestion(parts: QuestionParts): NewApproval {
  const { key, index, threadId, card, action, waiting, isLarge, bound, isFree } = parts;
  const callKey = `${key}:${index}`;
  const asked = toAskedValue(waiting);
  const kept = isLarge ? shorten({ value: asked }, mostKeptBytes).value.value : asked;
  const place = { threadId, callKey, tool: action.name, cwd: card.url };
  const reason = `${card.name} asks, and its agent acts there`;
  return {
    askedBy: "server",
    id: idAt(index),
    ...place,
    kind: isFree ? "interrupt" : "batch",
    turnId: key as TurnId,
    itemId: `${callKey}:${randomUUID()}`,
    agentPath: [],
    args: action.args,
    subject: isFree ? toQuestionSubject(kept) : { kind: "arguments" },
    description: action.description,
    verdict: { verdict: "ask", units: [{ text: action.name, verdict: "ask", reason }] },
    risk: "high",
    allowed: card.limit === undefined ? action.allowed : action.allowed.filter((type) => type === "reject"),
    // The others show their arguments; a batch would hold all of it once for each of its actions.
    ...(isFree && { value: isLarge ? kept : waiting.value }),
    interruptId: key,
    actionIndex: index,
    digest: digestOf({ ...place, args: bound }),
    shape: callKey,
    server: card,
  };
}

/** What the graph says of the answer stands with what it asks: nobody here checks it. */
function toAskedValue({ value, schema }: Waiting): unknown {
  return schema === undefined || schema === null ? value : { asks: value, takes: schema };
}

/** @returns why no yes can be given to it, in a sentence. */
function limitOf(
  { actions }: Asked,
  { value, schema, isShared }: Waiting,
  assistant: string | undefined,
  isLarge: boolean,
): string | undefined {
  if (isShared)
    return "Another question stands there under the same id, so that a yes to the one would be taken for both.";
  if (assistant === undefined)
    return "The server does not tell which assistant asks, so nothing can be answered here.";
  if (actions.length > mostActions)
    return `It asks about ${actions.length} actions at once, more than can be decided here.`;
  if (isLarge) return "It is too large to be shown whole, so it cannot be allowed here.";
  // Whoever knows the key could put behind it what nobody reads.
  if (JSON.stringify([value, schema ?? null]).includes(hiddenKey))
    return "It holds the key of its server, which is not shown, so it cannot be allowed here.";
  if (!isShownExactly(value))
    return "It holds numbers or characters that cannot be shown exactly here, so it cannot be allowed here.";
  return undefined;
}

/**
 * JSON here rounds whole numbers beyond 2^53 and makes nothing of those beyond all, halves of characters are lost on the way
 * to the disk, and a member of the name of an object's prototype on the way to the card.
 */
function isShownExactly(value: unknown): boolean {
  if (typeof value === "number")
    return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  if (typeof value === "string") return value.isWellFormed() && !value.includes("\0");
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(
    ([name, member]) => name !== "__proto__" && isShownExactly(name) && isShownExactly(member),
  );
}

/** The call in the transcript that a question is about. */
export function toCall(
  row: Pick<NewApproval, "callKey" | "threadId" | "turnId" | "itemId" | "tool" | "args">,
): GatedCall {
  const { callKey: key, threadId, turnId, itemId, tool, args } = row;
  return bareCall({
    key,
    threadId,
    turnId,
    itemId,
    parentItemId: undefined,
    agentPath: [],
    toolCallId: itemId,
    tool,
    args,
  });
}

/** The same question once more; what is not said anew stays. */
export function askedAnew(row: ApprovalRow, change: Partial<NewApproval>): NewApproval {
  return { ...row, ...change, id: idAt(row.actionIndex ?? 0) };
}

/** The questions of one interrupt are asked in the same moment, and stand in their order all the same. */
const idAt = (index: number) => `${String(index).padStart(4, "0")}-${newApprovalId()}` as ApprovalId;

/** @returns the decisions of a group's rows, one for each action, or `undefined` while one of them has none. */
export function decisionsIn(rows: readonly ApprovalRow[], asked: Asked): Decision[] | undefined {
  const decisions = rows.flatMap(({ decision }) => decision ?? []);
  const [first] = decisions;
  if (!first || decisions.length !== rows.length) return undefined;
  // One that stands there for all of them.
  return rows.length === 1 ? asked.actions.map(() => first) : decisions;
}
