/** A thread's rows of the checkpoint database, read as they are and written under another thread and number. */
import type Database from "better-sqlite3";
import type { ThreadId } from "../../shared/ids.ts";
import { type FileRow, refuseFile, type ThreadFile } from "./thread-file.ts";

type ThreadTable = { name: string; owner: "thread_id" | "thread" };
type Tables = ThreadFile["checkpoints"];

/** The saver numbers its threads; its tables of content are owned by that number, which differs from database to database. */
const numbers = "thread_keys";

/** Every table of the checkpoint database that belongs to a thread, whichever they are. */
function threadTables(db: Database.Database): ThreadTable[] {
  return db
    .prepare(
      "SELECT m.name, c.name AS owner FROM sqlite_master m JOIN pragma_table_info(m.name) c ON c.name IN ('thread_id', 'thread') WHERE m.type = 'table'",
    )
    .all() as ThreadTable[];
}

/** @returns rows by table, with bytes as `{ base64 }`. */
export function readCheckpointTables(db: Database.Database, threadId: ThreadId): Record<string, unknown[]> {
  const encode = (value: unknown) => (Buffer.isBuffer(value) ? { base64: value.toString("base64") } : value);
  const number: unknown = db.prepare(`SELECT key FROM ${numbers} WHERE thread_id = ?`).pluck().get(threadId);
  const read = ({ name, owner }: ThreadTable) =>
    db
      .prepare(`SELECT * FROM "${name}" WHERE ${owner} = ?`)
      .all(owner === "thread" ? (number ?? null) : threadId) as Record<string, unknown>[];
  return Object.fromEntries(
    threadTables(db).map((table) => [
      table.name,
      read(table).map((row) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, encode(value)])),
      ),
    ]),
  );
}

/** Writes all or nothing. @throws ContractError that names the table or the row which does not fit. */
export function writeCheckpointTables(db: Database.Database, threadId: ThreadId, tables: Tables): void {
  const known = new Set(threadTables(db).map(({ name }) => name));
  const strange = Object.keys(tables).find((name) => !known.has(name));
  if (strange !== undefined) throw refuseFile(`checkpoints.${strange}: this version knows no such table.`);
  db.transaction(() => {
    const inherited = tables[numbers]?.[0]?.inherited === 0 ? 0 : 1;
    const number = db
      .prepare(`INSERT INTO ${numbers} (thread_id, inherited) VALUES (?, ?)`)
      .run(threadId, inherited).lastInsertRowid;
    // Row ids are this database's own to give.
    const own: Record<string, unknown> = { thread_id: threadId, thread: number, id: null };
    for (const [table, content] of Object.entries(tables))
      if (table !== numbers) writeRows(db, table, content, own);
  })();
}

function writeRows(
  db: Database.Database,
  table: string,
  rows: FileRow[],
  own: Record<string, unknown>,
): void {
  const columns = db.prepare(`SELECT name FROM pragma_table_info('${table}')`).pluck().all() as string[];
  const insert = db.prepare(
    `INSERT INTO "${table}" (${columns.map((name) => `"${name}"`).join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
  );
  for (const [i, row] of rows.entries()) {
    const strange = Object.keys(row).find((name) => !columns.includes(name));
    if (strange !== undefined)
      throw refuseFile(`checkpoints.${table}.${i}.${strange}: this version knows no such column.`);
    const value = (name: string) => {
      if (name in own) return own[name];
      const cell = row[name] ?? null;
      return typeof cell === "object" && cell !== null ? cell.base64 : cell;
    };
    try {
      insert.run(...columns.map(value));
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      if (!code.startsWith("SQLITE_CONSTRAINT") && code !== "SQLITE_MISMATCH") throw error;
      throw refuseFile(`checkpoints.${table}.${i}: ${error instanceof Error ? error.message : code}.`);
    }
  }
}
