/** Threads of the deepagents CLI, read off a copy of its checkpoint database: all that is said in them, and how much cannot be read. */
import type Database from "better-sqlite3";
import { z } from "zod";
import { jsonBytes } from "../../../shared/wire/json-bytes.ts";
import { SessionsError, withCopy } from "./database-copy.ts";
import { membersOf, type ReadBounds, replayMessages } from "./replay-messages.ts";

export type SessionThread = {
  id: string;
  agent: string | undefined;
  updatedAt: string | undefined;
  /** Where it worked last, as it says. */
  folder: string | undefined;
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

const mostRead: ReadBounds = { checkpointBytes: 64_000_000, bytes: 256_000_000 };
const mostThreads = 1_000;
const mostMessages = 5_000;
/** More than any model takes, and as much as the host's own loop can take over at a time. */
const mostMessageBytes = 4_000_000;
/** So many have a title, of so many bytes; the rest stands there by its id. */
const mostTitled = { threads: 200, bytes: 200_000_000 };
const mostGlanced: ReadBounds = { checkpointBytes: 4_000_000, bytes: 4_000_000 };
const longestTitle = 120;

/** @param folder as `~/.deepagents`. @throws SessionsError */
export function listSessions(folder: string): Promise<SessionThread[]> {
  return withCopy(folder, (database) => {
    const rows = database
      .prepare(
        "SELECT thread_id AS id, json_extract(known, '$.agent_name') AS agent, max(json_extract(known, '$.updated_at')) AS updatedAt, json_extract(known, '$.cwd') AS folder FROM (SELECT thread_id, CASE WHEN json_valid(metadata) THEN metadata END AS known FROM checkpoints) GROUP BY thread_id ORDER BY updatedAt DESC LIMIT ?",
      )
      .all(mostThreads);
    const text = z
      .unknown()
      .transform((value) => (typeof value === "string" ? value.slice(0, 200) : undefined));
    const rowSchema = z.object({
      id: z.string().min(1).max(200),
      agent: text,
      updatedAt: text,
      folder: text,
    });
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
    // What cannot be read is said when it is to be taken over.
    try {
      const replayed = replayMessages(database, thread.id, mostGlanced);
      bytes += replayed?.bytes ?? 0;
      return { ...thread, ...glanceAt(readMessages(replayed?.messages ?? []).said) };
    } catch (error) {
      if (!(error instanceof SessionsError)) throw error;
      bytes += mostGlanced.bytes;
      return { ...thread, waiting: 0 };
    }
  });
}

function glanceAt(said: readonly SessionMessage[]): Pick<SessionThread, "title" | "waiting"> {
  const first = said.find(({ kind, text }) => kind === "person" && text.trim() !== "");
  const title = first?.text.trim().split("\n", 1)[0]?.slice(0, longestTitle);
  return { ...(title && { title }), waiting: waitingIn(said) };
}

function waitingIn(said: readonly SessionMessage[]): number {
  const last = said.findLast(({ kind }) => kind !== "result");
  const answered = new Set(said.flatMap((one) => (one.kind === "result" ? [one.callId] : [])));
  return last?.kind === "agent" ? last.calls.filter(({ id }) => !answered.has(id)).length : 0;
}

/** The messages of a thread at its newest checkpoint, with what its tools said since. @throws SessionsError */
export function readSession(folder: string, threadId: string): Promise<Session> {
  return withCopy(folder, (database) => {
    const replayed = replayMessages(database, threadId, mostRead);
    if (replayed === undefined) throw new SessionsError("This thread is not there.");
    if (replayed.messages.length > mostMessages)
      throw new SessionsError("It holds more messages than are taken over.");
    const session = readMessages(replayed.messages);
    if (jsonBytes(session.said) > mostMessageBytes)
      throw new SessionsError("It says more than is taken over here (4 MB).");
    return session;
  });
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

/** No words of a conversation: what the model was told to be, and the order to forget a message. */
const isSilent = z.object({ type: z.enum(["system", "remove"]) });

function readMessages(messages: readonly unknown[]): Session {
  let leftOut = 0;
  const said = messages.flatMap((one): SessionMessage[] => {
    const made = membersOf(one);
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
