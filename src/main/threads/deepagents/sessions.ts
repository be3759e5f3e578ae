/** Threads of the deepagents CLI: its checkpoint database, copied and read, never written or opened where it stands. */
import { existsSync, promises, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { z } from "zod";
import { jsonBytes } from "../../../shared/wire/json-bytes.ts";
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

/** Why a database or a thread of it cannot be read, in a sentence. */
export class SessionsError extends Error {
  override name = "SessionsError";
}

/** Where the CLI keeps it, the newer place first. */
const places = [join(".state", "sessions.db"), "sessions.db"];
const mostDatabaseBytes = 512_000_000;
const mostCheckpointBytes = 64_000_000;
const mostThreads = 1_000;
const mostMessages = 5_000;
/** More than any model takes, and as much as the host's own loop can take over at a time. */
const mostMessageBytes = 4_000_000;
/** So many have a title, of so many bytes; the rest stands there by its id. */
const mostTitled = { threads: 200, checkpointBytes: 4_000_000, bytes: 200_000_000 };
const longestTitle = 120;
/** So often a copy is made anew when it was written to meanwhile. */
const mostCopies = 5;

/** @param folder as `~/.deepagents`. @throws SessionsError */
export function listSessions(folder: string): Promise<SessionThread[]> {
  return withCopy(folder, (database) => {
    const rows = database
      .prepare(
        "SELECT thread_id AS id, json_extract(metadata, '$.agent_name') AS agent, max(json_extract(metadata, '$.updated_at')) AS updatedAt FROM checkpoints WHERE json_valid(metadata) GROUP BY thread_id ORDER BY updatedAt DESC LIMIT ?",
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
    const said = messagesOf(decode(row));
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

type CheckpointRow = { type: unknown; checkpoint: unknown };

const newestOf = (database: Database.Database, thread: string, mostBytes: number) =>
  database
    .prepare(
      "SELECT type, checkpoint FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = '' AND length(checkpoint) <= ? ORDER BY checkpoint_id DESC LIMIT 1",
    )
    .get(thread, mostBytes) as CheckpointRow | undefined;

/** The messages of a thread at its newest checkpoint. @throws SessionsError */
export function readSession(folder: string, threadId: string): Promise<SessionMessage[]> {
  return withCopy(folder, (database) => {
    const row = newestOf(database, threadId, mostCheckpointBytes);
    if (row === undefined) throw new SessionsError("This thread is not there, or its state is too large.");
    const said = messagesOf(decode(row));
    if (jsonBytes(said) > mostMessageBytes)
      throw new SessionsError("It says more than is taken over here (4 MB).");
    return said;
  });
}

/** The files that SQLite needs, in a folder of our own: opening them there would write beside the CLI's. */
async function withCopy<T>(folder: string, act: (database: Database.Database) => T): Promise<T> {
  const path = places.map((place) => join(folder, place)).find((one) => existsSync(one));
  if (path === undefined) throw new SessionsError(`There is no database of the deepagents CLI in ${folder}.`);
  const copies = await mkdtemp(join(tmpdir(), "countersign-sessions-"));
  try {
    await copyWhole(path, join(copies, "sessions.db"));
    const database = new Database(join(copies, "sessions.db"));
    try {
      // No view or trigger that somebody put into the file is followed.
      database.unsafeMode(false);
      database.pragma("trusted_schema = OFF");
      return act(database);
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof SessionsError) throw error;
    throw new SessionsError(`${path} cannot be read as a database of the deepagents CLI.`);
  } finally {
    await rm(copies, { recursive: true, force: true });
  }
}

/**
 * The file and its log as they stood in one moment: what the CLI moves from the one into the other between the two copies
 * would be in neither.
 */
async function copyWhole(path: string, to: string): Promise<void> {
  for (let copy = 1; copy <= mostCopies; copy += 1) {
    const before = stampOf(path);
    for (const end of ["", "-wal"]) {
      await rm(`${to}${end}`, { force: true });
      const stat = statSync(`${path}${end}`, { throwIfNoEntry: false });
      if (!stat?.isFile()) continue;
      if (stat.size > mostDatabaseBytes)
        throw new SessionsError(`${path} is larger than what is read here (512 MB).`);
      await promises.copyFile(`${path}${end}`, `${to}${end}`);
    }
    if (stampOf(path) === before) return;
  }
  throw new SessionsError(
    `${path} is being written to all the time. Try again when the deepagents CLI rests.`,
  );
}

const stampOf = (path: string) =>
  ["", "-wal"]
    .map((end) => statSync(`${path}${end}`, { throwIfNoEntry: false, bigint: true }))
    .map((stat) => `${stat?.ino} ${stat?.size} ${stat?.mtimeNs}`)
    .join();

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
const messageSchema = z.object({
  type: z.enum(["human", "ai", "tool"]),
  id: z.string().min(1).max(200),
  content: contentSchema.catch(""),
  tool_calls: z
    .array(
      z.object({
        id: z.string().min(1).max(200),
        name: z.string().min(1).max(200),
        args: z.record(z.string(), z.unknown()),
      }),
    )
    .nullish()
    .catch(undefined),
  tool_call_id: z.string().max(200).nullish().catch(undefined),
  name: z.string().max(200).nullish().catch(undefined),
  status: z.string().nullish().catch(undefined),
});

function messagesOf(state: unknown): SessionMessage[] {
  const shape = z.object({ channel_values: z.object({ messages: z.array(z.unknown()) }) }).safeParse(state);
  if (!shape.success) throw new SessionsError("Its state holds no messages that can be read.");
  const { messages } = shape.data.channel_values;
  if (messages.length > mostMessages) throw new SessionsError("It holds more messages than are taken over.");
  return messages.flatMap((one): SessionMessage[] => {
    const parsed = messageSchema.safeParse(isPythonObject(one) ? one.of : kwargsOf(one));
    if (!parsed.success) return [];
    const { type, id, content: text, tool_calls: calls, tool_call_id: callId, name, status } = parsed.data;
    if (type === "human") return [{ kind: "person", id, text }];
    if (type === "ai") return [{ kind: "agent", id, text, calls: calls ?? [] }];
    return [{ kind: "result", id, callId: callId ?? "", name: name ?? "", text, failed: status === "error" }];
  });
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
