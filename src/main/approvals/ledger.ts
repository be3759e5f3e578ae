/** The ledger: one line for every executed effect and every refusal, saying by whom and why; never changed, never deleted. */
import type Database from "better-sqlite3";
import { z } from "zod";
import { type LedgerEntry, ledgerEntrySchema } from "../../shared/contract/ledger.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { jsonBytes } from "../../shared/wire/json-bytes.ts";
import { shorten } from "../../shared/wire/shorten.ts";
import { giveWay } from "../base/give-way.ts";

export type NewLedgerEntry = Omit<LedgerEntry, "id" | "at" | "itemId" | "position" | "receipt" | "imported">;

export type LedgerFilter = {
  query?: string;
  threadId?: ThreadId;
  /** Only what a person decided, seen in full, or not known to have been. */
  seen?: "inFull" | "notInFull";
  /** Leaves out what was said to a second run that reaches further: it tells nothing of whether a command may run. */
  firstRunsOnly?: boolean;
  before?: number;
  limit: number;
};

export type Ledger = {
  add(entry: NewLedgerEntry): void;
  get(id: number): LedgerEntry | undefined;
  /**
   * Newest first, at most `limit` lines before an id, fewer when they are large; long texts are shortened. The query is
   * looked for in whatever stands in a line.
   */
  list(filter: LedgerFilter): Promise<{ entries: LedgerEntry[]; hasMore: boolean }>;
  /** The lines of executed tool calls by their transcript items, oldest first, shortened. */
  ofCalls(threadId: ThreadId, itemIds: readonly string[]): LedgerEntry[];
  /** A thread's lines, oldest first. */
  ofThread(threadId: ThreadId): LedgerEntry[];
  /**
   * Adds a line of an imported thread, marked as such. What it names (approval, execution, the line itself) is kept in
   * the mark only, so that it never stands for anything of this machine.
   */
  addImported(threadId: ThreadId, entry: LedgerEntry): void;
  /** Every line, oldest first, without holding them all in memory. */
  all(): IterableIterator<LedgerEntry>;
};

const columns =
  "l.id, l.at, l.thread_id AS threadId, l.thread_title AS threadTitle, l.agent_path AS agentPath, l.tool, l.original_args AS originalArgs, l.final_args AS finalArgs, l.cwd, l.verdict, l.decision, l.decided_by AS 'by', l.width, l.seen, l.approval_id AS approvalId, l.execution_id AS executionId, i.item_id AS itemId, i.position, coalesce(e.receipt, l.imported -> '$.receipt') AS receipt, json_remove(l.imported, '$.receipt', '$.itemId') AS imported";
const source =
  "ledger l LEFT JOIN executions e ON e.id = l.execution_id LEFT JOIN thread_numbers n ON n.thread_id = l.thread_id LEFT JOIN items i ON i.thread = n.number AND i.item_id = coalesce(iif(e.item_id = '', e.call_key, e.item_id), l.imported ->> '$.itemId') AND i.position IS NOT NULL";

/** What one line may take in a list, and what a list may take in all. */
const lineBytes = 8_000;
const listBytes = 400_000;
/** What is read from the disk for one list, before it is shortened. */
const readBytes = 8_000_000;
/** So many lines are looked through before others get their turn. */
const linesAtOnce = 50;

/** Adds lines and never changes one. */
export function createLedger(database: Database.Database, now: () => number): Ledger {
  const insert = database.prepare(
    "INSERT INTO ledger (at, thread_id, thread_title, agent_path, tool, original_args, final_args, cwd, verdict, decision, decided_by, width, seen, approval_id, execution_id, imported, second_run) VALUES (@at, @threadId, @threadTitle, @agentPath, @tool, @originalArgs, @finalArgs, @cwd, @verdict, @decision, @by, @width, @seen, @approvalId, @executionId, @imported, EXISTS (SELECT 1 FROM approvals WHERE id = @approvalId AND kind = 'escalation'))",
  );
  const calls = database.prepare(
    `SELECT ${columns} FROM ${source} WHERE l.thread_id = ? AND i.item_id IN (SELECT value FROM json_each(?)) ORDER BY l.id`,
  );
  const one = database.prepare(`SELECT ${columns} FROM ${source} WHERE l.id = ?`);
  const everything = database.prepare(`SELECT ${columns} FROM ${source} ORDER BY l.id`);
  const ofThread = database.prepare(`SELECT ${columns} FROM ${source} WHERE l.thread_id = ? ORDER BY l.id`);

  function readEntry(id: number): LedgerEntry | undefined {
    const row = one.get(id);
    return row === undefined ? undefined : parseEntry(row);
  }

  function write(entry: NewLedgerEntry, at: number, imported: string | null): void {
    insert.run({
      ...entry,
      at,
      agentPath: JSON.stringify(entry.agentPath),
      originalArgs: JSON.stringify(entry.originalArgs),
      finalArgs: entry.finalArgs ? JSON.stringify(entry.finalArgs) : null,
      verdict: JSON.stringify(entry.verdict),
      decision: JSON.stringify(entry.decision),
      by: JSON.stringify(entry.by),
      width: entry.width ?? null,
      seen: entry.seen ? JSON.stringify(entry.seen) : null,
      approvalId: entry.approvalId ?? null,
      executionId: entry.executionId ?? null,
      imported,
    });
  }

  return {
    add: (entry) => write(entry, now(), null),
    addImported(threadId, line) {
      const { id, approvalId, executionId, itemId, position: _, receipt, imported, ...entry } = line;
      const origin = imported ?? { threadId: entry.threadId, line: id, approvalId, executionId };
      write({ ...entry, threadId }, entry.at, JSON.stringify({ ...origin, at: now(), itemId, receipt }));
    },
    ofThread: (threadId) => ofThread.all(threadId).map(parseEntry),
    get: readEntry,
    list: createLister(database, readEntry),
    ofCalls: (threadId, itemIds) =>
      calls.all(threadId, JSON.stringify(itemIds)).map((row) => shortenEntry(parseEntry(row))),
    *all() {
      for (const row of everything.iterate()) yield parseEntry(row);
    },
  };
}

/** Reads the record from its newest line back, some lines at a time, until a page is full. */
function createLister(
  database: Database.Database,
  readEntry: (id: number) => LedgerEntry | undefined,
): Ledger["list"] {
  const ids = database.prepare("SELECT id FROM ledger WHERE id < ? ORDER BY id DESC LIMIT ?").pluck();
  const idsOfThread = database
    .prepare("SELECT id FROM ledger WHERE thread_id = ? AND id < ? ORDER BY id DESC LIMIT ?")
    .pluck();
  const matching = database
    .prepare(
      `SELECT l.id FROM ledger l WHERE l.id IN (SELECT value FROM json_each(@ids))
     AND (@query IS NULL OR instr(lower(l.tool || ' ' || l.original_args || ' ' || coalesce(l.final_args, '') || ' ' || l.thread_title || ' ' || l.agent_path || ' ' || l.cwd || ' ' || l.decision || ' ' || l.decided_by), lower(@query)) > 0)
     AND (@inFull IS NULL OR (l.decided_by ->> '$.kind' = 'person' AND coalesce(l.seen ->> '$.inFull', 0) = @inFull))
     AND (@firstRunsOnly = 0 OR l.second_run = 0)
     ORDER BY l.id DESC`,
    )
    .pluck();

  return async ({
    query,
    threadId,
    seen,
    firstRunsOnly = false,
    before: first = Number.MAX_SAFE_INTEGER,
    limit,
  }) => {
    const entries: LedgerEntry[] = [];
    let bytes = 0;
    let read = 0;
    const filter = {
      query: query?.trim() || null,
      inFull: seen === undefined ? null : Number(seen === "inFull"),
      firstRunsOnly: Number(firstRunsOnly),
    };
    for (let before = first; ; ) {
      const looked = (
        threadId === undefined ? ids.all(before, linesAtOnce) : idsOfThread.all(threadId, before, linesAtOnce)
      ) as number[];
      const last = looked.at(-1);
      if (last === undefined) return { entries, hasMore: false };
      before = last;
      for (const id of matching.all({ ...filter, ids: JSON.stringify(looked) }) as number[]) {
        await giveWay();
        const entry = shortenEntry(readEntry(id)!);
        const size = jsonBytes(entry);
        const full = entries.length === limit || bytes + size > listBytes || read > readBytes;
        // Always one, so that reading gets on.
        if (full && entries.length > 0) return { entries, hasMore: true };
        entries.push(entry);
        bytes += size;
        read += size + (entry.leftOut ?? 0);
      }
      await giveWay();
    }
  };
}

function shortenEntry(entry: LedgerEntry): LedgerEntry {
  const { value, leftOut } = shorten(entry, lineBytes);
  return leftOut === 0 ? value : { ...value, leftOut };
}

const jsonColumns = [
  "agentPath",
  "originalArgs",
  "finalArgs",
  "verdict",
  "decision",
  "by",
  "seen",
  "receipt",
  "imported",
];

function parseEntry(row: unknown): LedgerEntry {
  const raw = z.record(z.string(), z.unknown()).parse(row);
  const members = Object.entries(raw)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, jsonColumns.includes(name) ? JSON.parse(String(value)) : value]);
  return ledgerEntrySchema.parse(Object.fromEntries(members));
}
