/** The messages of a thread at a checkpoint: as they stand in it, or as what each step wrote since they stood somewhere whole. */
import type Database from "better-sqlite3";
import { z } from "zod";
import { SessionsError } from "./database-copy.ts";
import { isPythonObject, MessagePackError, readMessagePack } from "./msgpack.ts";

/** How much of one checkpoint is read, and of all that a thread's messages are put together from. */
export type ReadBounds = { checkpointBytes: number; bytes: number };

/** As they stand there, of any form, and how many bytes were read for them. */
export type Replayed = { messages: unknown[]; bytes: number };

type Row = { id: string; parent: string | null; type: unknown; checkpoint: unknown; size: number };
type Written = { type: unknown; value: unknown; size: number };

/** So often at least LangGraph writes them whole. */
const mostSteps = 10_000;

/**
 * At the newest checkpoint, with what was written since.
 * @returns nothing where there is no such thread
 * @throws SessionsError
 */
export function replayMessages(
  database: Database.Database,
  thread: string,
  bounds: ReadBounds,
): Replayed | undefined {
  const { rowAt, writesAt } = readerOf(database, thread, bounds.checkpointBytes);
  const steps: unknown[][] = [];
  let bytes = 0;
  for (let row = rowAt(null); row !== undefined; ) {
    bytes += row.size;
    if (row.checkpoint === null) throw tooLarge(bounds.checkpointBytes);
    const written = writesAt(row.id);
    for (const { size } of written) bytes += size;
    if (bytes > bounds.bytes || steps.length > mostSteps) throw tooLarge(bounds.bytes);
    // What a step wrote stands beside the checkpoint that it began at.
    steps.push(written.map(decode));
    const kept = keptIn(decode({ type: row.type, value: row.checkpoint }));
    if (kept !== undefined || row.parent === null) {
      const messages = fold(kept, steps.reverse().flat());
      if (messages === undefined) throw new SessionsError("Its state holds no messages that can be read.");
      return { messages, bytes };
    }
    row = rowAt(row.parent);
    if (row === undefined)
      throw new SessionsError("It holds only what changed since a state that is not there any more.");
  }
  return undefined;
}

const tooLarge = (bytes: number) =>
  new SessionsError(`Its state is larger than what is read here (${bytes / 1_000_000} MB).`);

function readerOf(database: Database.Database, thread: string, mostBytes: number) {
  const row = database.prepare(
    "SELECT checkpoint_id AS id, parent_checkpoint_id AS parent, type, length(checkpoint) AS size, CASE WHEN length(checkpoint) <= ? THEN checkpoint END AS checkpoint FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = '' AND checkpoint_id = coalesce(?, (SELECT max(checkpoint_id) FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ''))",
  );
  const isWritten = database
    .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'writes'")
    .get();
  const writes =
    isWritten === undefined
      ? undefined
      : database.prepare(
          "SELECT type, length(value) AS size, CASE WHEN length(value) <= ? THEN value END AS value FROM writes WHERE thread_id = ? AND checkpoint_ns = '' AND checkpoint_id = ? AND channel = 'messages' ORDER BY task_id, idx",
        );
  return {
    /** The newest where none is named. */
    rowAt: (id: string | null) => row.get(mostBytes, thread, id, thread) as Row | undefined,
    writesAt: (id: string) => (writes?.all(mostBytes, thread, id) ?? []) as Written[],
  };
}

function decode({ type, value }: Pick<Written, "type" | "value">): unknown {
  if (!(value instanceof Uint8Array)) throw new SessionsError("Its state is no data.");
  try {
    if (type === "json") return JSON.parse(Buffer.from(value).toString("utf8"));
    if (type === "msgpack") return readMessagePack(value);
  } catch (error) {
    const why = error instanceof MessagePackError ? ` ${error.message}` : "";
    throw new SessionsError(`Its state cannot be read.${why}`);
  }
  // "pickle" would be a program to run.
  throw new SessionsError("Its state is written in a form that is not read here.");
}

const snapshotSchema = z
  .object({ lc: z.literal(2), type: z.literal("delta_snapshot"), value: z.array(z.unknown()) })
  .transform(({ value }) => value);
const stateSchema = z.object({
  channel_values: z.object({ messages: z.union([z.array(z.unknown()), snapshotSchema]).optional() }),
});

/** The messages of a checkpoint that holds them whole. @throws SessionsError */
function keptIn(state: unknown): unknown[] | undefined {
  const parsed = stateSchema.safeParse(state);
  if (!parsed.success) throw new SessionsError("Its state holds no messages that can be read.");
  return parsed.data.channel_values.messages;
}

/** As LangGraph does it: a message takes the place of the one with its id, and some only take others away. */
function fold(kept: unknown[] | undefined, writes: readonly unknown[]): unknown[] | undefined {
  let all: (unknown | typeof gone)[] = [];
  const places = new Map<unknown, number>();
  const keepPlace = (id: unknown, place: number) => typeof id === "string" && places.set(id, place);
  const begin = (messages: readonly unknown[]) => {
    all = [...messages];
    places.clear();
    for (const [index, one] of all.entries()) keepPlace(membersOf(one).id, index);
  };
  begin(kept ?? []);
  for (const write of writes) {
    const whole = overwriteOf(write);
    if (whole !== undefined) begin(whole);
    else for (const one of Array.isArray(write) ? write : [write]) take(one);
  }
  function take(one: unknown): void {
    const { type, id } = membersOf(one);
    const place = places.get(id);
    if (type !== "remove") {
      if (place === undefined) keepPlace(id, all.length);
      all[place ?? all.length] = one;
    } else if (id === removeAll) begin([]);
    else if (place !== undefined) {
      all[place] = gone;
      places.delete(id);
    }
  }
  return kept === undefined && writes.length === 0 ? undefined : all.filter((one) => one !== gone);
}

const gone = Symbol("taken away");
const removeAll = "__remove_all__";

/** What stands in place of all messages until then. */
function overwriteOf(write: unknown): unknown[] | undefined {
  if (typeof write !== "object" || write === null) return undefined;
  const members = isPythonObject(write) && write.class === "Overwrite" ? write.of : write;
  const { __overwrite__: inner, type, value } = members as Record<string, unknown>;
  const whole = inner ?? (members !== write || type === "__overwrite__" ? value : undefined);
  return Array.isArray(whole) ? whole : undefined;
}

/** Names of what a message is, by class, role or type. */
const kinds: Readonly<Record<string, string>> = {
  HumanMessage: "human",
  user: "human",
  AIMessage: "ai",
  AIMessageChunk: "ai",
  assistant: "ai",
  ToolMessage: "tool",
  SystemMessage: "system",
  RemoveMessage: "remove",
};

/** What a message was made of, whichever language wrote it; of a mapping that a person's program handed in, its members. */
export function membersOf(message: unknown): Record<string, unknown> {
  const python = isPythonObject(message) ? message.of : undefined;
  const script = constructorSchema.safeParse(message).data;
  const members = python ?? script?.kwargs ?? message;
  if (typeof members !== "object" || members === null) return {};
  const { type, role } = members as { type?: unknown; role?: unknown };
  const kind = String(script?.id.at(-1) ?? type ?? role);
  return { ...members, type: kinds[kind] ?? kind };
}

/** As the older form in JSON holds an object: with the name of its class and what it was made with. */
const constructorSchema = z.object({
  lc: z.number(),
  id: z.array(z.string()),
  kwargs: z.record(z.string(), z.unknown()),
});
