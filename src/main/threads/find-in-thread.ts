/** Finds text: in one whole thread, a piece at a time so that the host goes on, and words in all threads by SQLite's index. */
import { setImmediate as breathe } from "node:timers/promises";
import type Database from "better-sqlite3";
import type { TranscriptItem } from "../../shared/contract/transcript.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { matcherOf, matches, textsOf } from "../../shared/transcript/find-text.ts";
import { endOfFit } from "../../shared/wire/json-bytes.ts";
import { type PackedText, unpackText } from "../storage/packed-text.ts";
import { numberOfThread } from "./event-rows.ts";

export type FoundPlace = { itemId: string; position: number };

/** `complete` is false when there are more than were asked for; the newest are kept. */
export type Found = { hits: FoundPlace[]; complete: boolean };

/** A few milliseconds of work, also when most of them are tool calls with long results. */
const itemsAtOnce = 40;
const mostWords = 4;

type Candidate = FoundPlace & { number: number };

/**
 * @param fold reads one item from its events.
 * @returns a search for the items that show the query, in reading order; it throws the signal's reason when that aborts.
 */
export function createFinder(
  database: Database.Database,
  fold: (threadId: ThreadId, itemId: string) => TranscriptItem | undefined,
): (threadId: ThreadId, query: string, limit: number, signal: AbortSignal) => Promise<Found> {
  const scan = database.prepare(
    `SELECT number, item_id AS itemId, position FROM items WHERE thread = ${numberOfThread} AND position < ? ORDER BY position DESC LIMIT ${itemsAtOnce}`,
  );
  const stored = database.prepare("SELECT data FROM events WHERE item = ?").pluck();

  return async (threadId, query, limit, signal) => {
    const matcher = matcherOf(query);
    const mayMatch = roughMatcher(query);
    const hits: FoundPlace[] = [];
    for (let before = Number.MAX_SAFE_INTEGER; ; ) {
      const candidates = scan.all(threadId, before) as Candidate[];
      for (const { itemId, position, number } of candidates) {
        const maybe = (stored.all(number) as PackedText[]).some((data) => mayMatch(unpackText(data)));
        const item = maybe ? fold(threadId, itemId) : undefined;
        if (!item || !matches(textsOf(item), matcher)) continue;
        if (hits.length === limit) return { hits: hits.reverse(), complete: false };
        hits.push({ itemId, position });
      }
      const last = candidates.at(-1);
      if (!last || candidates.length < itemsAtOnce) return { hits: hits.reverse(), complete: true };
      before = last.position;
      await breathe();
      signal.throwIfAborted();
    }
  };
}

/**
 * Leaves out what cannot match without reading it item by item: the plain words of the query, in its order. They stand
 * in the stored JSON as they are, whatever else has to be escaped there.
 */
function roughMatcher(query: string): (json: string) => boolean {
  const words = (query.toLowerCase().match(/[a-z0-9]+/g) ?? []).slice(0, mostWords);
  return (json) => {
    const text = json.toLowerCase();
    let from = 0;
    return words.every((word) => {
      const at = text.indexOf(word, from);
      from = at + word.length;
      return at >= 0;
    });
  };
}

type SearchHit = { threadId: ThreadId; itemId: string; position: number; snippet: string };

export type Search = {
  add(threadId: ThreadId, itemId: string, text: string): void;
  /** The newest messages with every word of the query: to weigh them all would take as long as there are messages. */
  find(query: string, limit: number): SearchHit[];
};

/** What the search over all threads knows of a message; finding in its thread reads all of it. */
const indexedBytes = 100_000;
/** SQLite weighs every pair of hits in a text for the best excerpt: of a longer one the first hit is shown. */
const snippetChars = 1_000;

/** @param database holds the table `search` beside the items, and forgets a thread's lines with its events. */
export function createSearch(database: Database.Database): Search {
  const index = database.prepare("INSERT INTO search (text, thread_id, item_id) VALUES (?, ?, ?)");
  const find = database.prepare(
    `SELECT thread_id AS threadId, item_id AS itemId,
      CASE WHEN length(text) <= ${snippetChars} THEN snippet(search, 0, '', '', '…', 16)
        ELSE substr(text, max(1, instr(lower(substr(text, 1, ${indexedBytes})), lower(?)) - 40), 160) || '…' END AS snippet,
      (SELECT position FROM thread_numbers n JOIN items i ON i.thread = n.number WHERE n.thread_id = search.thread_id AND i.item_id = search.item_id) AS position
    FROM search WHERE search MATCH ? ORDER BY rowid DESC LIMIT ?`,
  );
  return {
    add: (threadId, itemId, text) =>
      void index.run(text.slice(0, endOfFit(text, indexedBytes)), threadId, itemId),
    find(query, limit) {
      const expression = toMatchExpression(query);
      const [word = ""] = query.trim().split(/[\s\0]+/);
      return expression === "" ? [] : (find.all(word, expression, limit) as SearchHit[]);
    },
  };
}

/** Every word must occur; the last one may be the beginning of a longer word. Quoted, so that FTS5 syntax in it is text. */
function toMatchExpression(query: string): string {
  const words = query.split(/[\s\0]+/).filter(Boolean);
  return words
    .map((word, i) => `"${word.replaceAll('"', '""')}"${i === words.length - 1 ? "*" : ""}`)
    .join(" ");
}
