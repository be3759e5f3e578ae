/** The ledger: one line for every executed effect and every refusal, saying by whom and why; never changed, never deleted. */
import type Database from "better-sqlite3";
import { z } from "zod";
import { type LedgerEntry, ledgerEntrySchema } from "../../shared/contract/approvals.ts";
import type { ThreadId } from "../../shared/ids.ts";

export type NewLedgerEntry = Omit<LedgerEntry, "id" | "at" | "receipt">;

export type Ledger = {
  add(entry: NewLedgerEntry): void;
  /** Newest first, `limit` lines before an id; the query is looked for in tool, arguments, title and decision. */
  list(filter: { query?: string; threadId?: ThreadId; before?: number; limit: number }): {
    entries: LedgerEntry[];
    hasMore: boolean;
  };
  /** Every line, oldest first, without holding them all in memory. */
  all(): IterableIterator<LedgerEntry>;
};

const columns =
  "l.id, l.at, l.thread_id AS threadId, l.thread_title AS threadTitle, l.agent_path AS agentPath, l.tool, l.original_args AS originalArgs, l.final_args AS finalArgs, l.cwd, l.verdict, l.decision, l.decided_by AS 'by', l.approval_id AS approvalId, l.execution_id AS executionId, e.receipt";
const source = "ledger l LEFT JOIN executions e ON e.id = l.execution_id";

export function createLedger(database: Database.Database, now: () => number): Ledger {
  const insert = database.prepare(
    "INSERT INTO ledger (at, thread_id, thread_title, agent_path, tool, original_args, final_args, cwd, verdict, decision, decided_by, approval_id, execution_id) VALUES (@at, @threadId, @threadTitle, @agentPath, @tool, @originalArgs, @finalArgs, @cwd, @verdict, @decision, @by, @approvalId, @executionId)",
  );
  const page = database.prepare(
    `SELECT ${columns} FROM ${source} WHERE l.id < @before AND (@threadId IS NULL OR l.thread_id = @threadId)
     AND (@query IS NULL OR instr(lower(l.tool || ' ' || l.original_args || ' ' || coalesce(l.final_args, '') || ' ' || l.thread_title || ' ' || l.decision || ' ' || l.decided_by), lower(@query)) > 0)
     ORDER BY l.id DESC LIMIT @limit`,
  );
  const everything = database.prepare(`SELECT ${columns} FROM ${source} ORDER BY l.id`);
  return {
    add(entry) {
      insert.run({
        ...entry,
        at: now(),
        agentPath: JSON.stringify(entry.agentPath),
        originalArgs: JSON.stringify(entry.originalArgs),
        finalArgs: entry.finalArgs ? JSON.stringify(entry.finalArgs) : null,
        verdict: JSON.stringify(entry.verdict),
        decision: JSON.stringify(entry.decision),
        by: JSON.stringify(entry.by),
        approvalId: entry.approvalId ?? null,
        executionId: entry.executionId ?? null,
      });
    },
    list({ query, threadId, before, limit }) {
      const rows = page.all({
        before: before ?? Number.MAX_SAFE_INTEGER,
        threadId: threadId ?? null,
        query: query?.trim() || null,
        limit: limit + 1,
      });
      return { entries: rows.slice(0, limit).map(parseEntry), hasMore: rows.length > limit };
    },
    *all() {
      for (const row of everything.iterate()) yield parseEntry(row);
    },
  };
}

const jsonColumns = ["agentPath", "originalArgs", "finalArgs", "verdict", "decision", "by", "receipt"];

function parseEntry(row: unknown): LedgerEntry {
  const raw = z.record(z.string(), z.unknown()).parse(row);
  const members = Object.entries(raw)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, jsonColumns.includes(name) ? JSON.parse(String(value)) : value]);
  return ledgerEntrySchema.parse(Object.fromEntries(members));
}
