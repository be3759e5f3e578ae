/** Rewrites what the stock saver stored, so that an old thread shrinks to its linear size. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { WRITES_IDX_MAP } from "@langchain/langgraph-checkpoint";
import type { Database } from "better-sqlite3";
import { packText } from "../packed-text.ts";
import type { ThreadContent } from "./thread-content.ts";
import { stringify, ValueEncoder } from "./value-encoder.ts";

/** Rows rewritten, and the bytes of the whole thread before and after. */
export type MigrationResult = {
  readonly rows: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
};

/** Smaller values hold nothing worth sharing. */
const migrateFromBytes = 256;

/**
 * Rewrites each stock row of a thread in a transaction of its own and lets other work run in between.
 * Rows are equivalent before and after, so it may stop anywhere and start again.
 */
export async function migrateThread(
  db: Database,
  content: ThreadContent,
  threadId: string,
  countBytes: (threadId: string) => number,
): Promise<MigrationResult> {
  const bytesBefore = countBytes(threadId);
  const special = Object.keys(WRITES_IDX_MAP).map((channel) => `'${channel}'`);
  const rows =
    (await migrateTable(db, content, threadId, {
      table: "checkpoints",
      column: "checkpoint",
      condition: "1",
    })) +
    (await migrateTable(db, content, threadId, {
      table: "writes",
      column: "value",
      condition: `channel NOT IN (${special.join(", ")})`,
    }));
  return { rows, bytesBefore, bytesAfter: countBytes(threadId) };
}

async function migrateTable(
  db: Database,
  content: ThreadContent,
  threadId: string,
  { table, column, condition }: { table: string; column: string; condition: string },
): Promise<number> {
  const stock = "coalesce(type, 'json') = 'json'";
  const ids = db
    .prepare(`SELECT rowid FROM ${table} WHERE thread_id = ? AND ${stock}
      AND octet_length(${column}) >= ${migrateFromBytes} AND ${condition} ORDER BY rowid`)
    .pluck()
    .all(threadId) as number[];
  const read = db.prepare(`SELECT ${column} FROM ${table} WHERE rowid = ? AND ${stock}`).pluck();
  const update = db.prepare(`UPDATE ${table} SET type = 'linear', ${column} = ? WHERE rowid = ?`);
  let migrated = 0;
  for (const id of ids) {
    const body = read.get(id) as Buffer | string | undefined;
    const linked =
      body === undefined
        ? undefined
        : linkBody(content, threadId, body, (text) => update.run(packText(text), id));
    if (linked) migrated += 1;
    await nextTurn();
  }
  return migrated;
}

/** Encodes a stock value anew and stores it, in one transaction. @returns false if it has nothing to share. */
function linkBody(
  content: ThreadContent,
  threadId: string,
  body: Buffer | string,
  store: (text: string) => void,
): boolean {
  return content.transact(threadId, (entry) => {
    const encoder = new ValueEncoder(content.sink(entry));
    const text = stringify(encoder.walk(JSON.parse(body.toString())));
    if (encoder.linked) store(text);
    return encoder.linked;
  });
}
