/** How events stand in the database: under numbers of their thread and item, and without the id that the number says. */
import type Database from "better-sqlite3";
import {
  type ThreadEvent,
  type ThreadEventData,
  threadEventDataSchema,
} from "../../shared/contract/thread-events.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { type PackedText, packText, unpackText } from "../storage/packed-text.ts";

/** One row of {@link selectEvents}. */
export type EventRow = { seq: number; at: number; itemId: string; data: PackedText };

/** For a statement that takes the thread's id first. */
export const numberOfThread = "(SELECT number FROM thread_numbers WHERE thread_id = ?)";

const eventColumns = "e.seq, e.at, i.item_id AS itemId, e.data";

/**
 * Goes through the events of a thread.
 * @param rest what follows the condition on the thread, whose id the statement takes first
 */
export function selectEvents(database: Database.Database, rest: string): Database.Statement {
  return database.prepare(
    `SELECT ${eventColumns} FROM events e CROSS JOIN items i ON i.number = e.item WHERE e.thread = ${numberOfThread} ${rest}`,
  );
}

/**
 * The same for a condition on few items: they are found first. CROSS JOIN fixes the order, since for a range of ids
 * SQLite would rather read every event of the thread.
 */
export function selectEventsOfItems(database: Database.Database, rest: string): Database.Statement {
  return database.prepare(
    `SELECT ${eventColumns} FROM items i CROSS JOIN events e ON e.item = i.number WHERE i.thread = ${numberOfThread} ${rest}`,
  );
}

/** @throws ZodError when the database holds what no version of the app wrote. */
export function readEvent(threadId: ThreadId, row: EventRow): ThreadEvent {
  const event = readUnchecked(threadId, row);
  return { ...event, data: threadEventDataSchema.parse(event.data) };
}

/** The same without the look at every field, for who goes through all of a thread. */
export function readUnchecked(threadId: ThreadId, { seq, at, itemId, data }: EventRow): ThreadEvent {
  const content = JSON.parse(unpackText(data)) as ThreadEventData;
  return { threadId, seq, at, data: { ...content, itemId } as ThreadEventData };
}

/** @returns what writes an event and gives its seq; to be called inside a transaction. */
export function createEventWriter(
  database: Database.Database,
): (threadId: ThreadId, data: ThreadEventData, at: number, begins: boolean) => number {
  const numberOf = database.prepare("SELECT number FROM thread_numbers WHERE thread_id = ?").pluck();
  const addThread = database.prepare("INSERT INTO thread_numbers (thread_id) VALUES (?)");
  const findItem = database.prepare("SELECT number, position FROM items WHERE thread = ? AND item_id = ?");
  const addItem = database.prepare("INSERT INTO items (thread, item_id) VALUES (?, ?)");
  const insert = database.prepare("INSERT INTO events (thread, item, at, data) VALUES (?, ?, ?, ?)");
  const begin = database.prepare("UPDATE items SET position = ? WHERE number = ?");
  type Item = { number: number | bigint; position: number | null };

  return (threadId, { itemId, ...data }, at, begins) => {
    const thread = numberOf.get(threadId) ?? addThread.run(threadId).lastInsertRowid;
    const item = (findItem.get(thread, itemId) as Item | undefined) ?? {
      number: addItem.run(thread, itemId).lastInsertRowid,
      position: null,
    };
    const seq = Number(insert.run(thread, item.number, at, packText(JSON.stringify(data))).lastInsertRowid);
    if (begins && item.position === null) begin.run(seq, item.number);
    return seq;
  };
}
