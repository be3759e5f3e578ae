/** Keeps for each thread what its person wrote and what its agents read, and who wrote that; it outlives every start. */
import type Database from "better-sqlite3";
import type { ThreadEvent, ThreadEventData } from "../../shared/contract/thread-events.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { factsOf, kindOf } from "../../shared/tools/tools.ts";
import { giveWay } from "../base/give-way.ts";
import { type Begun, rewrittenBy } from "./find-origins.ts";
import { type SaidText, toSaid } from "./persons-words.ts";
import { type ReadText, type TextSource, toReadText } from "./read-text.ts";

/** `agent`: a sub-agent's own words, which are from wherever it has read. */
export type NotedSource = TextSource | "agent";

/** @property step the how manieth call of the thread it came from */
export type KnownReading = ReadText & { step: number };

/** @property steps how many calls the thread has made; oldest first */
export type KnownTexts = {
  persons: readonly SaidText[];
  read: readonly KnownReading[];
  begun: Begun;
  steps: number;
};

export type Readings = {
  /**
   * Writes down who wrote the result of a call; what is not written down counts as outside.
   * @param whole where the transcript does not keep all of it
   */
  note(threadId: ThreadId, itemId: string, source: NotedSource, whole?: string): void;
  /**
   * Nobody here wrote what a thread from a file says, and what its agents remember may be something else.
   * @param notice the item that tells of it
   */
  noteImported(threadId: ThreadId, notice: string): void;
  /** Reads what was added since it was asked for last; gives way to the loop. */
  of(threadId: ThreadId): Promise<KnownTexts>;
  /** For a fork, once it has its items. */
  copyThread(from: ThreadId, to: ThreadId): void;
  removeThread(threadId: ThreadId): void;
};

/** Of a result more is not kept: then nobody can tell what all of it said. */
const mostKeptChars = 1_000_000;
/** Of threads that were not asked about for long it is read anew. */
const mostThreads = 8;

/**
 * @param eventsAfter reads the log
 * @param shownChars a result of so many characters may not be whole in the transcript
 */
export function createReadings(
  database: Database.Database,
  eventsAfter: EventsAfter,
  shownChars: number,
): Readings {
  const insert = database.prepare(
    "INSERT OR REPLACE INTO readings (thread_id, item_id, source, text, is_cut) VALUES (?, ?, ?, ?, ?)",
  );
  const imported = database.prepare(
    "INSERT OR IGNORE INTO readings (thread_id, item_id, source, is_cut) SELECT n.thread_id, i.item_id, 'outside', i.item_id = ? FROM items i JOIN thread_numbers n ON n.number = i.thread WHERE n.thread_id = ? AND i.position IS NOT NULL",
  );
  const copy = database.prepare(
    "INSERT OR IGNORE INTO readings (thread_id, item_id, source, text, is_cut) SELECT n.thread_id, r.item_id, r.source, r.text, r.is_cut FROM readings r JOIN thread_numbers n ON n.thread_id = ? JOIN items i ON i.thread = n.number AND i.item_id = r.item_id WHERE r.thread_id = ? AND i.position IS NOT NULL",
  );
  const remove = database.prepare("DELETE FROM readings WHERE thread_id = ?");
  const readOn = createReader(database, eventsAfter, shownChars);
  const known = new Map<ThreadId, Promise<Index>>();

  return {
    note(threadId, itemId, source, whole) {
      const isCut = whole !== undefined && whole.length > mostKeptChars;
      insert.run(threadId, itemId, source, whole?.slice(0, mostKeptChars) ?? null, isCut ? 1 : 0);
    },
    noteImported: (threadId, notice) => void imported.run(notice, threadId),
    async of(threadId) {
      const before = known.get(threadId) ?? Promise.resolve(emptyIndex());
      // One after the other: two that read at once would add everything twice.
      const now = before.then((index) => readOn(threadId, index));
      known.delete(threadId);
      known.set(threadId, now);
      now.catch(() => known.delete(threadId));
      const [oldest] = known.keys();
      if (known.size > mostThreads && oldest !== undefined) known.delete(oldest);
      const { persons, read, begun, steps } = await now;
      return { persons, read, begun, steps };
    },
    copyThread: (from, to) => void copy.run(to, from),
    removeThread(threadId) {
      known.delete(threadId);
      remove.run(threadId);
    },
  };
}

type Index = {
  seq: number;
  persons: SaidText[];
  read: KnownReading[];
  begun: Map<string, number>;
  calls: Map<string, { name: string; step: number; changes: string | undefined }>;
  steps: number;
  chars: number;
};

const emptyIndex = (): Index => ({
  seq: 0,
  persons: [],
  read: [],
  begun: new Map(),
  calls: new Map(),
  steps: 0,
  chars: 0,
});

type Noted = { source: NotedSource; text: string | null; isCut: number };

/** Between two turns of the loop; one event may be large. */
const eventsAtOnce = 4;
/** More is not looked through for one thread. */
const mostChars = 20_000_000;

/** The first events of a thread after `seq`, at most `limit`. */
type EventsAfter = (
  threadId: ThreadId,
  seq: number,
  limit: number,
) => readonly Pick<ThreadEvent, "seq" | "data">[];

function createReader(database: Database.Database, eventsAfter: EventsAfter, shownChars: number) {
  const noted = database.prepare(
    "SELECT source, text, is_cut AS isCut FROM readings WHERE thread_id = ? AND item_id = ?",
  );
  return async (threadId: ThreadId, index: Index): Promise<Index> => {
    for (;;) {
      const events = eventsAfter(threadId, index.seq, eventsAtOnce);
      for (const { seq, data: event } of events) {
        await giveWay();
        const row = () => noted.get(threadId, event.itemId) as Noted | undefined;
        await readEvent(index, event, row, shownChars);
        index.seq = seq;
      }
      if (events.length < eventsAtOnce) return index;
    }
  };
}

async function readEvent(
  index: Index,
  event: ThreadEventData,
  noted: () => Noted | undefined,
  shownChars: number,
): Promise<void> {
  if (event.type === "message.sent") {
    const source = noted()?.source ?? "person";
    if (source === "person") index.persons.push(toSaid(event.text));
    else await add(index, "outside", "a message of an imported thread", event.text, false);
  }
  if (event.type === "toolCall.requested" && !index.calls.has(event.itemId)) {
    index.steps += 1;
    const name = nameReading(event.tool, event.args);
    index.calls.set(event.itemId, { name, step: index.steps, changes: rewrittenBy(event.tool, event.args) });
  }
  if (event.type === "notice.added" && noted() !== undefined)
    await add(index, "outside", "the file that this thread was imported from", "", true);
  if (event.type === "toolCall.finished") {
    const row = noted();
    const text = row?.text ?? event.result;
    const isCut = row ? row.isCut === 1 : text.length >= shownChars;
    const source = resolve(row?.source ?? "outside", index);
    if (source === "person") index.persons.push(toSaid(text));
    else {
      const { name, step, changes } = index.calls.get(event.itemId) ?? noCall;
      if (changes !== undefined && event.outcome === "ok" && !index.begun.has(changes))
        index.begun.set(changes, step);
      await add(index, source, name, text, isCut, step);
    }
  }
}

const noCall = { name: "an earlier step", step: 0, changes: undefined };

function resolve(source: NotedSource, { read }: Index): TextSource {
  if (source !== "agent") return source;
  return read.some((one) => one.source === "outside" || one.source === "secret") ? "outside" : "workspace";
}

async function add(
  index: Index,
  source: TextSource,
  name: string,
  text: string,
  isCut: boolean,
  step = index.steps,
): Promise<void> {
  if (source !== "outside" && source !== "secret") return;
  index.chars += text.length;
  const isTooMuch = index.chars > mostChars;
  const read = await toReadText(source, name, isTooMuch ? "" : text, isCut || isTooMuch);
  index.read.push({ ...read, step });
}

/** How what a file gave back is called. */
export const nameOfFile = (path: string) => `the file ${path}`;

const longestName = 200;

/** In the middle of a sentence, behind "from". */
function nameReading(tool: string, args: Record<string, unknown>): string {
  const about = factsOf(tool)?.about(args)?.replaceAll(/\s+/gu, " ");
  const short =
    about === undefined || about.length <= longestName ? about : `${about.slice(0, longestName)}…`;
  switch (kindOf(tool)) {
    case "web":
      // A page has an address; what was searched for is words.
      return "url" in args && short ? short : `a web search for ${short ?? ""}`;
    case "command":
      return `the command ${short ?? ""}`;
    case "read":
    case "change":
      return short ? nameOfFile(short) : "a file";
    case "delegate":
      return "a sub-agent";
    default:
      return `the tool ${tool.slice(0, longestName)}`;
  }
}
