/** Reads from a thread's log which of its turns were taken back, once for all items that are read. */
import type Database from "better-sqlite3";
import type { ThreadId } from "../../shared/ids.ts";
import { foldTaken, type TakenTurns, takenBackItemId } from "../../shared/transcript/taken-back.ts";
import { type EventRow, readEvent, selectEventsOfItems } from "./event-rows.ts";

const rememberedThreads = 64;
const itemsFrom = takenBackItemId("");
const itemsTo = itemsFrom.replace(":", ";");

/** @param database with the table of events */
export function createTakenTurnsReader(database: Database.Database) {
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
