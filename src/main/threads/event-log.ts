/** The append-only event log of every thread, and the transcript read from it page by page. */
import type Database from "better-sqlite3";
import type { ThreadEvent, ThreadEventData } from "../../shared/contract/thread-events.ts";
import type { TranscriptItem } from "../../shared/contract/transcript.ts";
import { dayOf } from "../../shared/day.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { beginsItem, foldEvent } from "../../shared/transcript/fold-event.ts";
import {
  foldTaken,
  markTaken,
  type TakenTurns,
  takenBackItemId,
} from "../../shared/transcript/taken-back.ts";
import { unpackedBytes } from "../storage/packed-text.ts";
import {
  createEventWriter,
  type EventRow,
  numberOfThread,
  readEvent,
  readUnchecked,
  selectEvents,
  selectEventsOfItems,
} from "./event-rows.ts";
import { createFinder, createSearch, type Found, type Search } from "./find-in-thread.ts";
import { createGlanceStore } from "./glances.ts";
import { createTokenUseStore } from "./token-use.ts";
import { createPageReader, type PagePlace, type TranscriptPage } from "./transcript-pages.ts";

export type EventLog = {
  /**
   * Appends in one transaction and returns the events with their seq; listeners hear of them after the commit.
   * Nothing is written for a thread that was deleted.
   * @param at when they happened, for an imported thread; now for all others.
   */
  append(threadId: ThreadId, data: ThreadEventData[], at?: number): ThreadEvent[];
  /** Whether an item has begun already, so that a replay does not begin it twice. */
  hasItem(threadId: ThreadId, itemId: string): boolean;
  item(threadId: ThreadId, itemId: string): TranscriptItem | undefined;
  /** Items at a place of the transcript, in reading order: at most `limit`, fewer when they are large. */
  page(threadId: ThreadId, limit: number, place?: PagePlace): TranscriptPage;
  /** Events after `seq`, or `undefined` when there are more than `limit`, or large ones, and a fresh page is cheaper. */
  since(threadId: ThreadId, seq: number, limit: number): ThreadEvent[] | undefined;
  /** The first events after `seq`, as many as are asked for, as they stand in the database. */
  after(threadId: ThreadId, seq: number, limit: number): ThreadEvent[];
  lastSeq(threadId: ThreadId): number;
  search: Search["find"];
  /** The items of one thread that show the query, in any case, in reading order. @throws the signal's reason */
  find(threadId: ThreadId, query: string, limit: number, signal: AbortSignal): Promise<Found>;
  bytes(threadId: ThreadId): number;
  removeThread(threadId: ThreadId): void;
  copyThread(from: ThreadId, to: ThreadId, beforePosition: number): void;
};

/** What a person missed is told event by event up to this size; a page of the end shows more for less. */
const sinceBytes = 4_000_000;

/** @param onAppended called once per append, after the transaction that holds it was committed. */
export function createEventLog(
  database: Database.Database,
  now: () => number,
  onAppended: (events: ThreadEvent[]) => void,
): EventLog {
  const search = createSearch(database);
  const taken = createTakenTurnsReader(database);
  const { put, write } = createWriter(database, search, taken.changed);
  return {
    ...createReads(database, taken.of),
    append(threadId, data, at) {
      if (data.length === 0) return [];
      const events = write(threadId, data, at ?? now(), at !== undefined);
      if (events.length === 0) return [];
      // An append inside a larger transaction is announced when that one is committed.
      if (database.inTransaction) queueMicrotask(() => onAppended(events));
      else onAppended(events);
      return events;
    },
    search: search.find,
    removeThread: database.transaction((threadId: ThreadId) => {
      for (const table of ["events", "items"])
        database.prepare(`DELETE FROM ${table} WHERE thread = ${numberOfThread}`).run(threadId);
      for (const table of ["thread_numbers", "search", "token_use", "glances", "drafts"])
        database.prepare(`DELETE FROM ${table} WHERE thread_id = ?`).run(threadId);
    }),
    copyThread: database.transaction((from: ThreadId, to: ThreadId, beforePosition: number) => {
      const kept = selectEvents(database, "AND i.position < ? ORDER BY e.seq").all(from, beforePosition);
      for (const { data, at } of (kept as EventRow[]).map((row) => readEvent(from, row))) put(to, data, at);
    }),
  };
}

/** Writes events with all that is kept beside them: where items begin, the search, token use, glances. */
function createWriter(database: Database.Database, search: Search, onTaken: (threadId: ThreadId) => void) {
  const insert = createEventWriter(database);
  const threadExists = database.prepare("SELECT 1 FROM threads WHERE id = ?");
  const tokenUse = createTokenUseStore(database);
  const glances = createGlanceStore(database);

  /** @returns the seq. */
  function put(threadId: ThreadId, data: ThreadEventData, at: number): number {
    const { itemId } = data;
    const seq = insert(threadId, data, at, beginsItem(data));
    if (data.type === "turns.takenBack" || data.type === "turns.broughtBack") onTaken(threadId);
    if ((data.type === "message.sent" || data.type === "message.finished") && data.text)
      search.add(threadId, itemId, data.text);
    return seq;
  }

  const write = database.transaction(
    (threadId: ThreadId, data: ThreadEventData[], at: number, imported: boolean): ThreadEvent[] => {
      if (!threadExists.get(threadId)) return [];
      return data.map((one) => {
        const seq = put(threadId, one, at);
        tokenUse.count(threadId, one, imported ? undefined : dayOf(at));
        glances.note(threadId, one);
        return { seq, threadId, at, data: one };
      });
    },
  );
  return { put, write };
}

type Reads = Pick<EventLog, "hasItem" | "item" | "page" | "since" | "after" | "lastSeq" | "find" | "bytes">;

function createReads(database: Database.Database, takenTurns: (threadId: ThreadId) => TakenTurns): Reads {
  const has = database.prepare(
    `SELECT 1 FROM items WHERE thread = ${numberOfThread} AND item_id = ? AND position IS NOT NULL`,
  );
  const ofItem = selectEventsOfItems(database, "AND i.item_id = ? ORDER BY e.seq");
  const after = selectEvents(database, "AND e.seq > ? ORDER BY e.seq LIMIT ?");
  const ofThread = (what: string) =>
    database.prepare(`SELECT ${what} FROM events WHERE thread = ${numberOfThread}`).pluck();
  const last = ofThread("coalesce(max(seq), 0)");
  const size = ofThread("coalesce(sum(octet_length(data)), 0)");

  function foldItem(threadId: ThreadId, itemId: string): TranscriptItem | undefined {
    let item: TranscriptItem | undefined;
    for (const row of ofItem.all(threadId, itemId) as EventRow[])
      item = foldEvent(item, readEvent(threadId, row)) ?? item;
    return item && markTaken(item, takenTurns(threadId));
  }
  const readPage = createPageReader(database, foldItem);

  return {
    hasItem: (threadId, itemId) => has.get(threadId, itemId) !== undefined,
    item: foldItem,
    page: (threadId, limit, place = {}) => readPage(threadId, limit, place),
    since(threadId, seq, limit) {
      const rows: EventRow[] = [];
      let bytes = 0;
      for (const row of after.iterate(threadId, seq, limit + 1) as Iterable<EventRow>) {
        bytes += unpackedBytes(row.data);
        if (rows.length === limit || bytes > sinceBytes) return undefined;
        rows.push(row);
      }
      return rows.map((row) => readEvent(threadId, row));
    },
    after: (threadId, seq, limit) =>
      (after.all(threadId, seq, limit) as EventRow[]).map((row) => readUnchecked(threadId, row)),
    lastSeq: (threadId) => Number(last.get(threadId)),
    find: createFinder(database, foldItem),
    bytes: (threadId) => Number(size.get(threadId)),
  };
}

const rememberedThreads = 64;
const itemsFrom = takenBackItemId("");
const itemsTo = itemsFrom.replace(":", ";");

/** @param database with the table of events */
function createTakenTurnsReader(database: Database.Database) {
  const events = selectEventsOfItems(database, "AND i.item_id >= ? AND i.item_id < ? ORDER BY e.seq");
  const known = new Map<ThreadId, TakenTurns>();

  function read(threadId: ThreadId): TakenTurns {
    const found = (events.all(threadId, itemsFrom, itemsTo) as EventRow[]).reduce<TakenTurns>(
      (taken, row) => foldTaken(taken, readEvent(threadId, row).data),
      new Map(),
    );
    if (known.size >= rememberedThreads) known.clear();
    // In a transaction it may still be undone.
    if (!database.inTransaction) known.set(threadId, found);
    return found;
  }

  return {
    of: (threadId: ThreadId): TakenTurns => known.get(threadId) ?? read(threadId),
    /** To be called when such an event was written. */
    changed: (threadId: ThreadId): void => void known.delete(threadId),
  };
}
