/** Rows of threads: the truth about what each thread is doing, readable without any agent. */
import type Database from "better-sqlite3";
import { ContractError } from "../../shared/contract/errors.ts";
import { type ModelRef, modelRefSchema } from "../../shared/contract/models.ts";
import type { ThreadStatus } from "../../shared/contract/threads.ts";
import type { AgentId, ThreadId } from "../../shared/ids.ts";
import { createTurnStore, type TurnStore } from "./turn-store.ts";

/** The source of agents that are configured here. */
export const builtInSource = "deep-agent";

export type ThreadRow = {
  id: ThreadId;
  title: string;
  titled: boolean;
  workspace: string;
  /** The name of the agent source that works on its turns. */
  source: string;
  agentId: AgentId;
  model: ModelRef;
  status: ThreadStatus;
  problem: string | undefined;
  unread: boolean;
  pinned: boolean;
  archived: boolean;
  forkedFrom: ThreadId | undefined;
  createdAt: number;
  updatedAt: number;
};

type NewThread = Pick<
  ThreadRow,
  "id" | "title" | "titled" | "workspace" | "source" | "agentId" | "model" | "forkedFrom"
>;
type ThreadPatch = Partial<
  Pick<
    ThreadRow,
    "title" | "titled" | "workspace" | "model" | "status" | "problem" | "unread" | "pinned" | "archived"
  >
> & { agent_id?: AgentId };

/** The rows of threads, and of the turns that belong to them. */
export type ThreadStore = TurnStore & {
  create(thread: NewThread): ThreadRow;
  /** @throws ContractError `not-found` */
  get(id: ThreadId): ThreadRow;
  find(id: ThreadId): ThreadRow | undefined;
  list(): ThreadRow[];
  /** Those that work in a folder, the newest first. @param path as they name it */
  inFolder(path: string): ThreadRow[];
  /** Those of a source, the newest first. */
  ofSource(source: string): ThreadRow[];
  /** Changes the given columns; `updatedAt` moves only when the status does. */
  update(id: ThreadId, patch: ThreadPatch): void;
  remove(id: ThreadId): void;
  threadsWithStatus(statuses: ThreadStatus[]): ThreadId[];
};

type RawThread = Omit<
  ThreadRow,
  "model" | "titled" | "unread" | "pinned" | "archived" | "problem" | "forkedFrom"
> & {
  model: string;
  titled: number;
  unread: number;
  pinned: number;
  archived: number;
  problem: string | null;
  forkedFrom: ThreadId | null;
};

const threadColumns =
  "id, title, titled, workspace, source, agent_id AS agentId, model, status, problem, unread, pinned, archived, forked_from AS forkedFrom, created_at AS createdAt, updated_at AS updatedAt";

/** @param onChanged called after a thread's row changed, also when it is gone. */
export function createThreadStore(
  database: Database.Database,
  now: () => number,
  onChanged: (id: ThreadId) => void,
): ThreadStore {
  const one = database.prepare(`SELECT ${threadColumns} FROM threads WHERE id = ?`);
  const listed = (condition = "") =>
    database.prepare(`SELECT ${threadColumns} FROM threads ${condition} ORDER BY updated_at DESC`);
  const all = listed();
  const inFolder = listed("WHERE workspace = ?");
  const ofSource = listed("WHERE source = ?");
  const insert = database.prepare(
    "INSERT INTO threads (id, title, titled, workspace, source, agent_id, model, forked_from, created_at, updated_at) VALUES (@id, @title, @titled, @workspace, @source, @agentId, @model, @forkedFrom, @at, @at)",
  );
  /** By their assignments: the columns that change together are few combinations. */
  const updates = new Map<string, Database.Statement>();
  const find = (id: ThreadId) => {
    const row = one.get(id) as RawThread | undefined;
    return row && parseThread(row);
  };

  return {
    ...createTurnStore(database, now),
    create(thread) {
      insert.run({
        ...thread,
        titled: thread.titled ? 1 : 0,
        model: JSON.stringify(thread.model),
        forkedFrom: thread.forkedFrom ?? null,
        at: now(),
      });
      onChanged(thread.id);
      return find(thread.id)!;
    },
    get(id) {
      const row = find(id);
      if (!row)
        throw new ContractError("not-found", "This thread does not exist any more.", { field: "threadId" });
      return row;
    },
    find,
    list: () => (all.all() as RawThread[]).map(parseThread),
    inFolder: (path) => (inFolder.all(path) as RawThread[]).map(parseThread),
    ofSource: (source) => (ofSource.all(source) as RawThread[]).map(parseThread),
    update(id, patch) {
      const columns = Object.entries({ ...patch, ...(patch.status ? { updated_at: now() } : {}) });
      if (columns.length === 0) return;
      const assignments = columns.map(([name]) => `${name} = ?`).join(", ");
      const statement =
        updates.get(assignments) ?? database.prepare(`UPDATE threads SET ${assignments} WHERE id = ?`);
      updates.set(assignments, statement);
      statement.run(...columns.map(([, value]) => toColumn(value)), id);
      onChanged(id);
    },
    remove(id) {
      database.prepare("DELETE FROM threads WHERE id = ?").run(id);
      onChanged(id);
    },
    threadsWithStatus: (statuses) =>
      database
        .prepare(`SELECT id FROM threads WHERE status IN (${statuses.map(() => "?").join(", ")})`)
        .pluck()
        .all(...statuses) as ThreadId[],
  };
}

function toColumn(value: unknown): string | number | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "boolean") return value ? 1 : 0;
  return typeof value === "number" || typeof value === "string" ? value : JSON.stringify(value);
}

/** Thousands of threads share a handful of models, so each distinct text is checked once. */
const knownModels = new Map<string, ModelRef>();

function parseModel(text: string): ModelRef {
  const model = knownModels.get(text) ?? modelRefSchema.parse(JSON.parse(text));
  knownModels.set(text, model);
  return model;
}

function parseThread(row: RawThread): ThreadRow {
  return {
    ...row,
    model: parseModel(row.model),
    titled: row.titled === 1,
    unread: row.unread === 1,
    pinned: row.pinned === 1,
    archived: row.archived === 1,
    problem: row.problem ?? undefined,
    forkedFrom: row.forkedFrom ?? undefined,
  };
}
