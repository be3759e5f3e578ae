/** Finds words in the messages of all threads, by SQLite's own index of texts. */
import type Database from "better-sqlite3";
import type { ThreadId } from "../../shared/ids.ts";
import { endOfFit } from "../../shared/wire/json-bytes.ts";

export type SearchHit = { threadId: ThreadId; itemId: string; position: number; snippet: string };

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
