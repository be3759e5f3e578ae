/** Threads of the deepagents CLI, read off a copy of its checkpoint database: all that is said in them, and how much cannot be read. */
import type Database from "better-sqlite3";
import { z } from "zod";
import { jsonBytes } from "../../../shared/wire/json-bytes.ts";
import { SessionsError, withCopy } from "./database-copy.ts";
import { isPythonObject, MessagePackError, readMessagePack } from "./msgpack.ts";

export type SessionThread = {
  id: string;
  agent: string | undefined;
  updatedAt: string | undefined;
  /** The beginning of what a person first wrote in it, where that was read. */
  title?: string;
  /** Calls at its end without a result. */
  waiting: number;
};

/** A call of its agent; without a result it waited, or was cut off. */
type SessionCall = { id: string; name: string; args: Record<string, unknown> };
export type SessionMessage =
  | { kind: "person"; id: string; text: string }
  | { kind: "agent"; id: string; text: string; calls: SessionCall[] }
  | { kind: "result"; id: string; callId: string; name: string; text: string; failed: boolean };

/** What a thread says, and how many messages and calls of it cannot be read. */
export type Session = { said: SessionMessage[]; leftOut: number };

const mostCheckpointBytes = 64_000_000;
const mostThreads = 1_000;
const mostMessages = 5_000;
/** More than any model takes, and as much as the host's own loop can take over at a time. */
const mostMessageBytes = 4_000_000;
/** So many have a title, of so many bytes; the rest stands there by its id. */
const mostTitled = { threads: 200, checkpointBytes: 4_000_000, bytes: 200_000_000 };
const longestTitle = 120;

/** @param folder as `~/.deepagents`. @throws SessionsError */
export function listSessions(folder: string): Promise<SessionThread[]> {
  return withCopy(folder, (database) => {
    const rows = database
      .prepare(
        "SELECT thread_id AS id, json_extract(known, '$.agent_name') AS agent, max(json_extract(known, '$.updated_at')) AS updatedAt FROM (SELECT thread_id, CASE WHEN json_valid(metadata) THEN metadata END AS known FROM checkpoints) GROUP BY thread_id ORDER BY updatedAt DESC LIMIT ?",
      )
      .all(mostThreads);
    const text = z
      .unknown()
      .transform((value) => (typeof value === "string" ? value.slice(0, 200) : undefined));
    const rowSchema = z.object({ id: z.string().min(1).max(200), agent: text, updatedAt: text });
    return withTitles(
      database,
      rows.flatMap((row) => rowSchema.safeParse(row).data ?? []),
    );
  });
}

type Listed = Omit<SessionThread, "title" | "waiting">;

function withTitles(database: Database.Database, listed: readonly Listed[]): SessionThread[] {
  let bytes = 0;
  return listed.map((thread, index) => {
    if (index >= mostTitled.threads || bytes > mostTitled.bytes) return { ...thread, waiting: 0 };
    const row = newestOf(database, thread.id, mostTitled.checkpointBytes);
    bytes += row?.checkpoint instanceof Uint8Array ? row.checkpoint.length : 0;
    return { ...thread, ...glanceAt(row) };
  });
}

/** What cannot be read is said when it is to be taken over. */
function glanceAt(row: CheckpointRow | undefined): Pick<SessionThread, "title" | "waiting"> {
  if (row === undefined) return { waiting: 0 };
  try {
    const { said } = messagesOf(decode(row));
    const first = said.find(({ kind, text }) => kind === "person" && text.trim() !== "");
    const title = first?.text.trim().split("\n", 1)[0]?.slice(0, longestTitle);
    return { ...(title && { title }), waiting: waitingIn(said) };
  } catch (error) {
    if (error instanceof SessionsError) return { waiting: 0 };
    throw error;
  }
}

function waitingIn(said: readonly SessionMessage[]): number {
  const last = said.findLast(({ kind }) => kind !== "result");
  const answered = new Set(said.flatMap((one) => (one.kind === "result" ? [one.callId] : [])));
  return last?.kind === "agent" ? last.calls.filter(({ id }) => !answered.has(id)).length : 0;
}

type CheckpointRow = { id: unknown; type: unknown; checkpoint: unknown };

const newestOf = (database: Database.Database, thread: string, mostBytes: number) =>
  database
    .prepare(
      "SELECT checkpoint_id AS id, type, CASE WHEN length(checkpoint) <= ? THEN checkpoint END AS checkpoint FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = '' ORDER BY checkpoint_id DESC LIMIT 1",
    )
    .get(mostBytes, thread) as CheckpointRow | undefined;

/** What its tools said since the newest checkpoint, which stands beside it until all of a step are done. */
function writtenSince(database: Database.Database, thread: string, { id }: CheckpointRow): Session {
  const isKept = database
    .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'writes'")
    .get();
  if (!isKept) return { said: [], leftOut: 0 };
  const rows = database
    .prepare(
      "SELECT type, value AS checkpoint FROM writes WHERE thread_id = ? AND checkpoint_ns = '' AND checkpoint_id = ? AND channel = 'messages' AND length(value) <= ? ORDER BY task_id, idx LIMIT ?",
    )
    .all(thread, id, mostCheckpointBytes, mostMessages) as CheckpointRow[];
  return readMessages(rows.flatMap((row) => decode(row)));
}

/** The messages of a thread at its newest checkpoint. @throws SessionsError */
export function readSession(folder: string, threadId: string): Promise<Session> {
  return withCopy(folder, (database) => {
    const row = newestOf(database, threadId, mostCheckpointBytes);
    if (row === undefined) throw new SessionsError("This thread is not there.");
    if (row.checkpoint === null)
      throw new SessionsError("Its state is larger than what is read here (64 MB).");
    const [state, since] = [messagesOf(decode(row)), writtenSince(database, threadId, row)];
    const said = [...state.said, ...since.said];
    if (jsonBytes(said) > mostMessageBytes)
      throw new SessionsError("It says more than is taken over here (4 MB).");
    return { said, leftOut: state.leftOut + since.leftOut };
  });
}

function decode({ type, checkpoint }: CheckpointRow): unknown {
  if (!(checkpoint instanceof Uint8Array)) throw new SessionsError("Its state is no data.");
  try {
    if (type === "json") return JSON.parse(Buffer.from(checkpoint).toString("utf8"));
    if (type === "msgpack") return readMessagePack(checkpoint);
  } catch (error) {
    const why = error instanceof MessagePackError ? ` ${error.message}` : "";
    throw new SessionsError(`Its state cannot be read.${why}`);
  }
  // "pickle" would be a program to run.
  throw new SessionsError("Its state is written in a form that is not read here.");
}

const contentSchema = z.union([
  z.string(),
  z
    .array(z.union([z.string(), z.looseObject({ type: z.string().optional(), text: z.string().optional() })]))
    .transform((blocks) => blocks.map((one) => (typeof one === "string" ? one : (one.text ?? ""))).join("")),
]);
const callSchema = z.object({
  id: z.string().min(1).max(200),
  name: z.string().min(1).max(200),
  args: z.record(z.string(), z.unknown()),
});
const messageSchema = z.object({
  type: z.enum(["human", "ai", "tool"]),
  id: z.string().min(1).max(200),
  content: contentSchema.catch(""),
  tool_calls: z.array(z.unknown()).nullish().catch([undefined]),
  tool_call_id: z.string().max(200).nullish().catch(undefined),
  name: z.string().max(200).nullish().catch(undefined),
  status: z.string().nullish().catch(undefined),
});

function messagesOf(state: unknown): Session {
  const shape = z.object({ channel_values: z.object({ messages: z.array(z.unknown()) }) }).safeParse(state);
  if (!shape.success) throw new SessionsError("Its state holds no messages that can be read.");
  const { messages } = shape.data.channel_values;
  if (messages.length > mostMessages) throw new SessionsError("It holds more messages than are taken over.");
  return readMessages(messages);
}

/** No words of a conversation: what the model was told to be, and the order to forget a message. */
const isSilent = z.object({ type: z.enum(["system", "remove"]) });

function readMessages(messages: readonly unknown[]): Session {
  let leftOut = 0;
  const said = messages.flatMap((one): SessionMessage[] => {
    const made = isPythonObject(one) ? one.of : kwargsOf(one);
    const parsed = messageSchema.safeParse(made);
    if (!parsed.success) {
      leftOut += Number(!isSilent.safeParse(made).success);
      return [];
    }
    const { type, id, content: text, tool_calls: calls, tool_call_id: callId, name, status } = parsed.data;
    if (type === "human") return [{ kind: "person", id, text }];
    if (type === "ai") {
      const read = (calls ?? []).flatMap((call) => callSchema.safeParse(call).data ?? []);
      leftOut += (calls ?? []).length - read.length;
      return [{ kind: "agent", id, text, calls: read }];
    }
    return [{ kind: "result", id, callId: callId ?? "", name: name ?? "", text, failed: status === "error" }];
  });
  return { said, leftOut };
}

/** As the older form in JSON holds an object: with the name of its class and what it was made with. */
function kwargsOf(value: unknown): unknown {
  const parsed = z
    .object({ lc: z.number(), id: z.array(z.string()), kwargs: z.record(z.string(), z.unknown()) })
    .safeParse(value);
  if (!parsed.success) return value;
  const kinds: Record<string, string> = { HumanMessage: "human", AIMessage: "ai", ToolMessage: "tool" };
  return { type: kinds[parsed.data.id.at(-1) ?? ""], ...parsed.data.kwargs };
}
