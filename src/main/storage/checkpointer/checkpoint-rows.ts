/** Reads and writes the two tables of the stock saver, `checkpoints` and `writes`. */
import type { RunnableConfig } from "@langchain/core/runnables";
import { type CheckpointListOptions, TASKS, WRITES_IDX_MAP } from "@langchain/langgraph-checkpoint";
import type { Database, Statement } from "better-sqlite3";
import { type PackedText, packText, unpackText } from "../packed-text.ts";

export type CheckpointKey = {
  readonly threadId: string;
  readonly namespace: string;
  /** Absent: the newest. */
  readonly checkpointId?: string;
};

/** A value as a column holds it. `json` is the stock text, `linear` is text with links, other types are the serialiser's. */
export type EncodedValue = {
  readonly type: string;
  readonly body: PackedText;
};

export type CheckpointRow = EncodedValue & {
  readonly threadId: string;
  readonly namespace: string;
  readonly checkpointId: string;
  readonly parentId: string | undefined;
  readonly metadata: PackedText;
};

type WriteRow = EncodedValue & {
  readonly taskId: string;
  readonly channel: string;
};

const checkpointColumns = `thread_id AS threadId, checkpoint_ns AS namespace, checkpoint_id AS checkpointId,
  parent_checkpoint_id AS parentId, coalesce(type, 'json') AS type, checkpoint AS body, metadata`;
const writeColumns = `task_id AS taskId, channel, coalesce(type, 'json') AS type, coalesce(value, '') AS body`;
const insertWrite = `INTO writes (thread_id, checkpoint_ns, checkpoint_id, task_id, idx, channel, type, value)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

export class CheckpointRows {
  readonly #db: Database;
  readonly #one: Statement;
  readonly #newest: Statement;
  readonly #writes: Statement;
  readonly #sends: Statement;
  readonly #putCheckpoint: Statement;
  readonly #replaceWrite: Statement;
  readonly #addWrite: Statement;
  readonly #passedStep: Statement;
  readonly #removals: Statement[];
  readonly #setParent: Statement;

  /** @param db a database in which the stock saver has created its tables */
  constructor(db: Database) {
    this.#db = db;
    const from = `SELECT ${checkpointColumns} FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ?`;
    this.#one = db.prepare(`${from} AND checkpoint_id = ?`);
    this.#newest = db.prepare(`${from} ORDER BY checkpoint_id DESC LIMIT 1`);
    this.#writes = db.prepare(`SELECT ${writeColumns} FROM writes
      WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ? ORDER BY task_id, idx`);
    this.#sends = db.prepare(`SELECT ${writeColumns} FROM writes
      WHERE thread_id = ? AND checkpoint_id = ? AND channel = '${TASKS}' ORDER BY task_id, idx`);
    this.#putCheckpoint = db.prepare(`INSERT OR REPLACE INTO checkpoints
      (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata)
      VALUES (?, ?, ?, ?, ?, ?, ?)`);
    this.#replaceWrite = db.prepare(`INSERT OR REPLACE ${insertWrite}`);
    this.#addWrite = db.prepare(`INSERT OR IGNORE ${insertWrite}`);
    const isStep = (row: string) => `CAST(${row}.metadata AS TEXT) ->> '$.source' = 'loop'`;
    this.#passedStep = db.prepare(`SELECT step.checkpoint_id AS id, step.parent_checkpoint_id AS parentId
      FROM checkpoints AS next JOIN checkpoints AS step ON step.thread_id = next.thread_id
        AND step.checkpoint_ns = next.checkpoint_ns AND step.checkpoint_id = next.parent_checkpoint_id
      WHERE next.thread_id = ? AND next.checkpoint_ns = ? AND next.checkpoint_id = ?
        AND ${isStep("next")} AND ${isStep("step")}`);
    const one = "thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?";
    this.#removals = ["writes", "checkpoints"].map((table) =>
      db.prepare(`DELETE FROM ${table} WHERE ${one}`),
    );
    this.#setParent = db.prepare(`UPDATE checkpoints SET parent_checkpoint_id = ? WHERE ${one}`);
  }

  read({ threadId, namespace, checkpointId }: CheckpointKey): CheckpointRow | undefined {
    const row = checkpointId
      ? this.#one.get(threadId, namespace, checkpointId)
      : this.#newest.get(threadId, namespace);
    if (row === undefined) return undefined;
    const found = row as Omit<CheckpointRow, "parentId"> & { parentId: string | null };
    return { ...found, parentId: found.parentId || undefined };
  }

  readWrites({ threadId, namespace, checkpointId }: CheckpointRow): WriteRow[] {
    return this.#writes.all(threadId, namespace, checkpointId) as WriteRow[];
  }

  /** The sends that versions of LangGraph before checkpoint format 4 kept as writes of the parent. */
  readSends(threadId: string, parentId: string): WriteRow[] {
    return this.#sends.all(threadId, parentId) as WriteRow[];
  }

  writeCheckpoint(
    key: CheckpointKey,
    parentId: string | undefined,
    value: EncodedValue,
    metadata: string,
  ): void {
    const { threadId, namespace, checkpointId } = key;
    this.#putCheckpoint.run(threadId, namespace, checkpointId, parentId, value.type, value.body, metadata);
  }

  /**
   * Removes the step that stands before the one with this key, if both are steps in the middle of a turn. What a turn began
   * with and where it ended stay, and so does the way from each checkpoint back to the first.
   */
  dropPassedStep({ threadId, namespace, checkpointId }: CheckpointKey): void {
    const step = this.#passedStep.get(threadId, namespace, checkpointId) as
      | { id: string; parentId: string | null }
      | undefined;
    if (step === undefined) return;
    this.#setParent.run(step.parentId, threadId, namespace, checkpointId);
    for (const removal of this.#removals) removal.run(threadId, namespace, step.id);
  }

  /** Special channels (interrupt, resume, error) replace what their task wrote before; others keep the first write. */
  writeWrites(
    key: CheckpointKey,
    taskId: string,
    writes: readonly (EncodedValue & { channel: string })[],
  ): void {
    const special = writes.every(({ channel }) => channel in WRITES_IDX_MAP);
    const statement = special ? this.#replaceWrite : this.#addWrite;
    const { threadId, namespace, checkpointId } = key;
    writes.forEach(({ channel, type, body }, position) => {
      const index = WRITES_IDX_MAP[channel] ?? position;
      statement.run(threadId, namespace, checkpointId, taskId, index, channel, type, body);
    });
  }

  /** The keys that a `list` call asks for, newest first. */
  listKeys(config: RunnableConfig, options: CheckpointListOptions = {}): CheckpointKey[] {
    const { thread_id, checkpoint_ns } = config.configurable ?? {};
    const conditions: [sql: string, ...values: unknown[]][] = [];
    if (thread_id) conditions.push(["thread_id = ?", thread_id]);
    if (checkpoint_ns !== undefined && checkpoint_ns !== null)
      conditions.push(["checkpoint_ns = ?", checkpoint_ns]);
    const before = options.before?.configurable?.checkpoint_id;
    if (before !== undefined) conditions.push(["checkpoint_id < ?", before]);
    for (const [field, value] of Object.entries(options.filter ?? {})) {
      if (value === undefined) continue;
      conditions.push(["jsonb(CAST(metadata AS TEXT))->? = ?", `$.${field}`, JSON.stringify(value)]);
    }
    const where = conditions.length > 0 ? `WHERE ${conditions.map(([sql]) => sql).join(" AND ")}` : "";
    const statement = this.#db.prepare(`SELECT thread_id AS threadId, checkpoint_ns AS namespace,
      checkpoint_id AS checkpointId FROM checkpoints ${where} ORDER BY checkpoint_id DESC LIMIT ?`);
    const values = conditions.flatMap(([, ...bound]) => bound);
    return statement.all(...values, options.limit || -1) as CheckpointKey[];
  }

  /** Bytes in all rows of a thread, its content included. */
  countBytes(threadId: string): number {
    const content = (table: string) =>
      `SELECT coalesce(sum(octet_length(body) + 40), 0) FROM ${table}
       WHERE thread = (SELECT key FROM thread_keys WHERE thread_id = @threadId)`;
    const statement = this.#db.prepare(`SELECT
      (SELECT coalesce(sum(octet_length(checkpoint) + octet_length(metadata) + 200), 0) FROM checkpoints WHERE thread_id = @threadId)
      + (SELECT coalesce(sum(octet_length(value) + 250), 0) FROM writes WHERE thread_id = @threadId)
      + (${content("thread_messages")}) + (${content("thread_values")})`);
    return statement.pluck().get({ threadId }) as number;
  }

  toRow(text: string, linked: boolean): EncodedValue {
    return linked ? { type: "linear", body: packText(text) } : { type: "json", body: text };
  }

  /** The text of a `json` or `linear` value. The stock saver stores its text as bytes. */
  textOf(type: string, body: PackedText): string {
    if (typeof body === "string") return body;
    return type === "linear" ? unpackText(body) : body.toString();
  }
}
