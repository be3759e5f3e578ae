/** How many rows a host's databases hold, read beside it. */
import { join } from "node:path";
import Database from "better-sqlite3";
import type { ThreadId } from "../../../shared/ids.ts";
import type { Folders } from "./host-fixture.ts";

function countRows(
  file: string,
  tables: string[],
  where: string,
  ...values: unknown[]
): Record<string, number> {
  const database = new Database(file, { readonly: true });
  const count = (table: string) =>
    database
      .prepare(`SELECT count(*) FROM ${table} ${where}`)
      .pluck()
      .get(...values) as number;
  const rows = Object.fromEntries(tables.map((table) => [table, count(table)]));
  database.close();
  return rows;
}

const numberedTables = ["events", "items"];
const threadTables = [
  "thread_numbers",
  "turns",
  "ledger",
  "executions",
  "approvals",
  "tool_calls",
  "token_use",
];

/** How many rows a thread has, by table. */
export function tablesOf(folders: Folders, threadId: ThreadId): Record<string, number> {
  const file = join(folders.dataDir, "countersign.db");
  const ofNumber = "WHERE thread = (SELECT number FROM thread_numbers WHERE thread_id = ?)";
  return {
    ...countRows(file, threadTables, "WHERE thread_id = ?", threadId),
    ...countRows(file, numberedTables, ofNumber, threadId),
  };
}

/** How many rows there are in everything that an import writes to. */
export function everything(folders: Folders): unknown {
  const main = countRows(
    join(folders.dataDir, "countersign.db"),
    [...threadTables, ...numberedTables, "threads"],
    "",
  );
  const memory = ["checkpoints", "writes", "thread_keys", "thread_channels"];
  return { ...main, ...countRows(join(folders.dataDir, "checkpoints.db"), memory, "") };
}
