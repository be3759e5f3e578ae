/** A thread as one file, its disk use, and pruning: what moves or shrinks a thread without running it. */
import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type Database from "better-sqlite3";
import { z } from "zod";
import { ledgerEntrySchema } from "../../shared/contract/approvals.ts";
import type { Output, ParsedInput } from "../../shared/contract/contract.ts";
import { ContractError } from "../../shared/contract/errors.ts";
import { modelRefSchema } from "../../shared/contract/models.ts";
import { threadEventDataSchema } from "../../shared/contract/thread-events.ts";
import type { ThreadSummary } from "../../shared/contract/threads.ts";
import type { AgentId, ThreadId } from "../../shared/ids.ts";
import type { ExecutionStore } from "../approvals/execution-store.ts";
import type { Ledger } from "../approvals/ledger.ts";
import type { LinearSqliteSaver } from "../storage/checkpointer/linear-sqlite-saver.ts";
import type { EventLog } from "../threads/event-log.ts";
import type { ThreadRow, ThreadStore } from "../threads/thread-store.ts";

export type ThreadTransferParts = {
  dataDir: string;
  database: Database.Database;
  now: () => number;
  store: ThreadStore;
  log: EventLog;
  ledger: Ledger;
  executions: ExecutionStore;
  checkpointer(): Promise<LinearSqliteSaver>;
  openWorkspace(path: string): Promise<string>;
  isRunning(threadId: ThreadId): boolean;
  summary(row: ThreadRow): ThreadSummary;
};

export type ThreadTransfer = {
  diskUse(threadId: ThreadId): Promise<Output<"threads.diskUse">>;
  prune(input: ParsedInput<"threads.prune">): Promise<Output<"threads.prune">>;
  exportThread(threadId: ThreadId): Promise<{ path: string }>;
  importThread(input: ParsedInput<"threads.import">): Promise<ThreadSummary>;
};

const base64 = z.string().transform((text) => Buffer.from(text, "base64"));
const rows = z.array(
  z.record(z.string(), z.union([z.string(), z.number(), z.null(), z.strictObject({ base64 })])),
);

const exportSchema = z.strictObject({
  format: z.literal("countersign-thread"),
  version: z.literal(1),
  thread: z.strictObject({ title: z.string(), agentId: z.string(), model: modelRefSchema }),
  events: z.array(z.strictObject({ at: z.number(), data: threadEventDataSchema })),
  ledger: z.array(ledgerEntrySchema),
  checkpoints: z.record(z.string(), rows),
});

const maxImportBytes = 512 * 1024 * 1024;

export function createThreadTransfer(parts: ThreadTransferParts): ThreadTransfer {
  const { store, log, ledger, database } = parts;

  return {
    async diskUse(threadId) {
      store.get(threadId);
      const saver = await parts.checkpointer();
      const logs = parts.executions
        .ofThread(threadId)
        .flatMap((execution) =>
          execution.logPath && existsSync(execution.logPath) ? [statSync(execution.logPath).size] : [],
        );
      return {
        checkpointBytes: totalBytes(saver.threadBytes(threadId)),
        eventBytes: log.bytes(threadId),
        logBytes: logs.reduce((sum, size) => sum + size, 0),
      };
    },

    async prune({ threadId, keepTurns, preview }) {
      store.get(threadId);
      if (!preview && parts.isRunning(threadId))
        throw new ContractError("conflict", "The thread is running. Stop it or wait, then prune it.", {
          field: "threadId",
        });
      const bookmarks = database
        .prepare(
          "SELECT checkpoint_before FROM turns WHERE thread_id = ? AND checkpoint_before IS NOT NULL ORDER BY rowid DESC LIMIT ?",
        )
        .pluck()
        .all(threadId, keepTurns) as string[];
      const saver = await parts.checkpointer();
      const result = saver.pruneThread(
        threadId,
        { keepLast: 1, keepCheckpointIds: bookmarks },
        preview ? "preview" : "apply",
      );
      return { checkpoints: result.checkpoints, bytes: result.bytes };
    },

    async exportThread(threadId) {
      const thread = store.get(threadId);
      const saver = await parts.checkpointer();
      const events = database
        .prepare("SELECT at, data FROM events WHERE thread_id = ? ORDER BY seq")
        .all(threadId) as { at: number; data: string }[];
      const lines = [...ledger.all()].filter((entry) => entry.threadId === threadId);
      const content = {
        format: "countersign-thread",
        version: 1,
        thread: { title: thread.title, agentId: thread.agentId, model: thread.model },
        events: events.map(({ at, data }) => ({ at, data: JSON.parse(data) as unknown })),
        ledger: lines,
        checkpoints: readTables(saver.db, threadId),
      };
      const dir = join(parts.dataDir, "exports");
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      const path = join(
        dir,
        `${fileNameOf(thread.title)}-${createHash("sha256").update(threadId).digest("hex").slice(0, 8)}.countersign.json`,
      );
      writeFileSync(path, JSON.stringify(content), { mode: 0o600 });
      return { path };
    },

    async importThread({ path, workspace }) {
      const folder = await parts.openWorkspace(workspace);
      const content = readExport(path);
      const saver = await parts.checkpointer();
      const id = `thread-${randomUUID()}` as ThreadId;
      const { title, agentId, model } = content.thread;
      // First, so that an export it refuses leaves no thread behind.
      writeTables(saver.db, id, content.checkpoints);
      database.transaction(() => {
        store.create({
          id,
          title,
          titled: true,
          workspace: folder,
          agentId: agentId as AgentId,
          model,
          forkedFrom: undefined,
        });
        for (const { data } of content.events) log.append(id, [data]);
        store.update(id, { status: "done" });
      })();
      return parts.summary(store.get(id));
    },
  };
}

function readExport(path: string): z.infer<typeof exportSchema> {
  if (!existsSync(path)) throw new ContractError("not-found", `There is no file ${path}.`, { field: "path" });
  if (statSync(path).size > maxImportBytes)
    throw new ContractError("invalid-input", "This file is larger than an exported thread can be.", {
      field: "path",
    });
  try {
    return exportSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    const where =
      error instanceof z.ZodError ? `: ${error.issues[0]?.path.join(".")} ${error.issues[0]?.message}` : "";
    throw new ContractError("invalid-input", `This is not a thread exported by Countersign${where}.`, {
      field: "path",
    });
  }
}

type ThreadTable = { name: string; owner: "thread_id" | "thread" };

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

function readTables(db: Database.Database, threadId: ThreadId): Record<string, unknown[]> {
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

function writeTables(
  db: Database.Database,
  threadId: ThreadId,
  tables: z.infer<typeof exportSchema>["checkpoints"],
): void {
  const known = new Set(threadTables(db).map(({ name }) => name));
  db.transaction(() => {
    const number = db
      .prepare(`INSERT INTO ${numbers} (thread_id, inherited) VALUES (?, ?)`)
      .run(threadId, tables[numbers]?.[0]?.inherited ?? 1).lastInsertRowid;
    // Row ids are this database's own to give.
    const own: Record<string, unknown> = { thread_id: threadId, thread: number, id: null };
    for (const [table, content] of Object.entries(tables)) {
      if (!known.has(table))
        throw new ContractError(
          "invalid-input",
          `The export holds a table ${table} that this version does not know.`,
          { field: "path" },
        );
      if (table === numbers) continue;
      const columns = db.prepare(`SELECT name FROM pragma_table_info('${table}')`).pluck().all() as string[];
      const insert = db.prepare(
        `INSERT INTO "${table}" (${columns.map((name) => `"${name}"`).join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
      );
      for (const row of content) {
        const value = (name: string) => {
          if (name in own) return own[name];
          const cell = row[name] ?? null;
          return typeof cell === "object" && cell !== null ? cell.base64 : cell;
        };
        insert.run(...columns.map(value));
      }
    }
  })();
}

function totalBytes(bytes: number | { total: number }): number {
  return typeof bytes === "number" ? bytes : bytes.total;
}

function fileNameOf(title: string): string {
  return (
    title
      .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
      .replaceAll(/^-|-$/g, "")
      .slice(0, 60) || "thread"
  );
}
