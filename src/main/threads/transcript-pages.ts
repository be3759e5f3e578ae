/** Reads a transcript page by page: the newest items, or those before, after or around a place in it. */
import type Database from "better-sqlite3";
import type { TranscriptItem } from "../../shared/contract/transcript.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { jsonBytes } from "../../shared/wire/json-bytes.ts";
import { shorten } from "../../shared/wire/shorten.ts";
import { numberOfThread } from "./event-rows.ts";

/** Positions; `around` starts with the item there or the next one. With none of them it is the end. */
export type PagePlace = { before?: number; after?: number; around?: number };

export type TranscriptPage = {
  /** In reading order. */
  items: TranscriptItem[];
  /** Whether there is more before the first and after the last of them. */
  hasMore: boolean;
  hasNewer: boolean;
};

/** A page has to fit into one frame of the wire with room to spare. */
const pageBytes = 400_000;
/** An item above this comes shortened; one alone is asked for to have it whole. */
const itemBytes = 128_000;

type Run = { items: TranscriptItem[]; more: boolean; bytes: number };

/** @param fold reads one item from its events. */
export function createPageReader(
  database: Database.Database,
  fold: (threadId: ThreadId, itemId: string) => TranscriptItem | undefined,
): (threadId: ThreadId, limit: number, place: PagePlace) => TranscriptPage {
  const select = (sql: string) =>
    database.prepare(`SELECT item_id FROM items WHERE thread = ${numberOfThread} AND ${sql}`);
  const older = select("position < ? ORDER BY position DESC LIMIT ?").pluck();
  const newer = select("position >= ? ORDER BY position LIMIT ?").pluck();

  /** Takes items until there are enough or they are too large; always one, so that reading gets on. */
  function take(
    from: Database.Statement,
    threadId: ThreadId,
    at: number,
    limit: number,
    budget: number,
  ): Run {
    const ids = from.all(threadId, at, limit + 1) as string[];
    const run: Run = { items: [], more: ids.length > limit, bytes: 0 };
    for (const id of ids.slice(0, limit)) {
      const folded = fold(threadId, id);
      if (!folded) continue;
      const item = shortenItem(folded);
      const bytes = jsonBytes(item);
      if (run.bytes + bytes > budget && run.items.length > 0) return { ...run, more: true };
      run.items.push(item);
      run.bytes += bytes;
    }
    return run;
  }

  const exists = (from: Database.Statement, threadId: ThreadId, at: number) =>
    from.get(threadId, at, 1) !== undefined;

  return (threadId, limit, { before, after, around }) => {
    if (after !== undefined) {
      const { items, more } = take(newer, threadId, after + 1, limit, pageBytes);
      return { items, hasMore: exists(older, threadId, after + 1), hasNewer: more };
    }
    if (around !== undefined) {
      const from = take(newer, threadId, around, Math.ceil(limit / 2), pageBytes / 2);
      const rest = Math.max(1, limit - from.items.length);
      const above = take(older, threadId, around, rest, pageBytes - from.bytes);
      return { items: [...above.items.reverse(), ...from.items], hasMore: above.more, hasNewer: from.more };
    }
    const { items, more } = take(older, threadId, before ?? Number.MAX_SAFE_INTEGER, limit, pageBytes);
    const hasNewer = before !== undefined && exists(newer, threadId, before);
    return { items: items.reverse(), hasMore: more, hasNewer };
  };
}

function shortenItem(item: TranscriptItem): TranscriptItem {
  const { value, leftOut } = shorten(item, itemBytes);
  return leftOut === 0 ? value : { ...value, leftOut };
}
