/** Reads from a thread's log which of its turns were taken back, once for all items that are read. */
import type Database from "better-sqlite3";
import { threadEventDataSchema } from "../../shared/contract/thread-events.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { foldTaken, type TakenTurns, takenBackItemId } from "../../shared/transcript/taken-back.ts";

const rememberedThreads = 64;
const itemsFrom = takenBackItemId("");
const itemsTo = itemsFrom.replace(":", ";");

/** @param database with the table of events */
export function createTakenTurnsReader(database: Database.Database) {
  const events = database
    .prepare("SELECT data FROM events WHERE thread_id = ? AND item_id >= ? AND item_id < ? ORDER BY seq")
    .pluck();
  const known = new Map<ThreadId, TakenTurns>();

  function read(threadId: ThreadId): TakenTurns {
    const found = (events.all(threadId, itemsFrom, itemsTo) as string[]).reduce<TakenTurns>(
      (taken, data) => foldTaken(taken, threadEventDataSchema.parse(JSON.parse(data))),
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
