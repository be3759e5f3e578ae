/** The stock SQLite checkpoint saver with another way to store values, so that a long thread grows linearly. */
import type { RunnableConfig } from "@langchain/core/runnables";
import {
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  copyCheckpoint,
  maxChannelVersion,
  type PendingWrite,
  type SerializerProtocol,
  TASKS,
  WRITES_IDX_MAP,
} from "@langchain/langgraph-checkpoint";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import type { Database } from "better-sqlite3";
import { giveWay } from "../../base/give-way.ts";
import {
  type CheckpointKey,
  type CheckpointRow,
  CheckpointRows,
  type EncodedValue,
} from "./checkpoint-rows.ts";
import { ThreadContent } from "./thread-content.ts";
import { copyThread } from "./thread-copy.ts";
import type { ThreadEntry } from "./thread-index.ts";
import { type MigrationResult, migrateThread } from "./thread-migration.ts";
import { type PrunePolicy, type PruneResult, pruneThread } from "./thread-pruning.ts";
import { bringThreadForth, newestCheckpoint, takeThreadBack } from "./thread-take-back.ts";
import {
  type ContentSink,
  encodePlain,
  stringify,
  UnencodableValueError,
  ValueEncoder,
} from "./value-encoder.ts";
import { ValueReviver } from "./value-reviver.ts";

/**
 * A `SqliteSaver` that stores each message and each large value of a thread once and keeps links to them in
 * the stock tables. Rows of the stock saver are read as they are, and small values are still written as it
 * writes them; rows with links carry the type `linear`.
 *
 * One difference in behaviour, which the upstream validation suite asks for: a channel value that `put` was
 * never told of in `newVersions` is not stored.
 */
export class LinearSqliteSaver extends SqliteSaver {
  /** Whether of a turn only its beginning and its end are kept. */
  protected readonly dropsPassedSteps: boolean = false;
  readonly #content: ThreadContent;
  readonly #rows: CheckpointRows;

  constructor(db: Database, serde?: SerializerProtocol) {
    super(db, serde);
    this.setup();
    this.#content = new ThreadContent(db);
    this.#rows = new CheckpointRows(db);
  }

  /** To be called before anything of a thread is read, taken away or left. Nothing is held back here. */
  protected writeHeld(): void {}

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    this.writeHeld();
    const { thread_id, checkpoint_ns = "", checkpoint_id } = config.configurable ?? {};
    if (thread_id === undefined) return undefined;
    const row = this.#rows.read({
      threadId: thread_id,
      namespace: checkpoint_ns,
      checkpointId: checkpoint_id,
    });
    return row && this.#toTuple(row, checkpoint_id ? config : undefined);
  }

  override async *list(
    config: RunnableConfig,
    options?: CheckpointListOptions,
  ): AsyncGenerator<CheckpointTuple> {
    this.writeHeld();
    for (const key of this.#rows.listKeys(config, options)) {
      const row = this.#rows.read(key);
      if (row !== undefined) yield await this.#toTuple(row);
    }
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions?: ChannelVersions,
  ): Promise<RunnableConfig> {
    const { threadId, namespace, checkpointId: parentId } = requireThread(config);
    const key = { threadId, namespace, checkpointId: checkpoint.id };
    const prepared = copyCheckpoint(checkpoint);
    try {
      this.#content.transact(threadId, (entry) => {
        this.#dropUnreportedChannels(entry, prepared, newVersions);
        const body = this.#encodeCheckpoint(entry, prepared);
        this.#rows.writeCheckpoint(key, parentId, body, encodePlain(metadata));
        if (this.dropsPassedSteps) this.#rows.dropPassedStep({ ...key, checkpointId: parentId });
      });
    } catch (error) {
      if (!(error instanceof UnencodableValueError)) throw error;
      return super.put(config, prepared, metadata);
    }
    await giveWay();
    return { configurable: { thread_id: threadId, checkpoint_ns: namespace, checkpoint_id: checkpoint.id } };
  }

  override async putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void> {
    const { threadId, namespace, checkpointId } = requireThread(config);
    if (!checkpointId) throw new Error("Missing checkpoint_id field in config.configurable.");
    const key = { threadId, namespace, checkpointId };
    try {
      this.#content.transact(threadId, (entry) => {
        // One for all: each call of an answer carries the same conversation.
        const sink = this.#content.sink(entry);
        const encoded = writes.map(([channel, value]) => ({
          channel,
          ...this.#encodeWrite(sink, channel, value),
        }));
        this.#rows.writeWrites(key, taskId, encoded);
      });
    } catch (error) {
      if (!(error instanceof UnencodableValueError)) throw error;
      await super.putWrites(
        { ...config, configurable: { ...config.configurable, checkpoint_ns: namespace } },
        writes,
        taskId,
      );
    }
    await giveWay();
  }

  override async deleteThread(threadId: string): Promise<void> {
    this.writeHeld();
    // Rows first: should the process end in between, unused content stays behind, never a dangling link.
    await super.deleteThread(threadId);
    this.#content.remove(threadId);
  }

  /** Removes history by policy; `preview` only counts. @throws a RangeError if the policy keeps nothing. */
  pruneThread(threadId: string, policy: PrunePolicy, mode: "preview" | "apply"): PruneResult {
    this.writeHeld();
    return pruneThread(this.db, this.#content, threadId, policy, mode);
  }

  /**
   * Makes a new thread that starts where another stood at a checkpoint. See {@link copyThread}.
   * @returns the id of the new thread's newest checkpoint
   */
  copyThread(from: string, to: string, checkpointId: string): string {
    this.writeHeld();
    return copyThread(this.db, this.#content, { from, to, checkpointId });
  }

  /** The thread's newest checkpoint; null before the first. */
  newestCheckpoint(threadId: string): string | null {
    return newestCheckpoint(this.db, threadId);
  }

  /** Lets the thread go on from an earlier checkpoint of its own. See {@link takeThreadBack}. */
  takeThreadBack(threadId: string, to: { checkpointId: string | null; from: string; mark: string }): void {
    this.writeHeld();
    takeThreadBack(this.db, this.#content, threadId, to);
  }

  /** Lets it go on from where it stood before. See {@link bringThreadForth}. */
  bringThreadForth(threadId: string, mark: string): void {
    this.writeHeld();
    bringThreadForth(this.db, this.#content, threadId, mark);
  }

  /** Rewrites the rows that the stock saver made, a few at a time. Safe to interrupt and to repeat. */
  migrateThread(threadId: string): Promise<MigrationResult> {
    this.writeHeld();
    return migrateThread(this.db, this.#content, threadId, (id) => this.threadBytes(id));
  }

  /** Bytes that a thread's rows and content hold, without the database's own overhead. */
  threadBytes(threadId: string): number {
    return this.#rows.countBytes(threadId);
  }

  /** Gives the space of deleted rows back to the file system. Blocks for as long as that takes. */
  compact(): void {
    const incremental = this.db.pragma("auto_vacuum", { simple: true }) === 2;
    this.db.exec(incremental ? "PRAGMA incremental_vacuum" : "VACUUM");
    this.db.pragma("wal_checkpoint(TRUNCATE)");
  }

  /** Closes the database. Further calls throw. */
  close(): void {
    this.writeHeld();
    this.db.close();
  }

  protected override async migratePendingSends(
    checkpoint: Checkpoint,
    threadId: string,
    parentCheckpointId: string,
  ): Promise<void> {
    const reviver = this.#reviver(threadId);
    const sends = this.#rows.readSends(threadId, parentCheckpointId);
    checkpoint.channel_values[TASKS] = await Promise.all(sends.map((send) => this.#revive(reviver, send)));
    const versions = Object.values(checkpoint.channel_versions);
    checkpoint.channel_versions[TASKS] =
      versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined);
  }

  async #toTuple(row: CheckpointRow, config?: RunnableConfig): Promise<CheckpointTuple> {
    const { threadId, namespace, checkpointId, parentId } = row;
    const reviver = this.#reviver(threadId);
    // All database reads happen before the first await, so the tuple is one moment of the thread.
    const writes = this.#rows
      .readWrites(row)
      .map((write) =>
        this.#revive(reviver, write).then(
          (value): CheckpointPendingWrite => [write.taskId, write.channel, value],
        ),
      );
    const [checkpoint, metadata, ...pendingWrites] = await Promise.all([
      this.#revive(reviver, row) as Promise<Checkpoint>,
      this.#revive(reviver, { type: "json", body: row.metadata }) as Promise<CheckpointMetadata>,
      ...writes,
    ]);
    if (checkpoint.v < 4 && parentId !== undefined)
      await this.migratePendingSends(checkpoint, threadId, parentId);
    const toConfig = (id: string): RunnableConfig => ({
      configurable: { thread_id: threadId, checkpoint_ns: namespace, checkpoint_id: id },
    });
    const parentConfig = parentId === undefined ? undefined : toConfig(parentId);
    return { config: config ?? toConfig(checkpointId), checkpoint, metadata, parentConfig, pendingWrites };
  }

  #reviver(threadId: string): ValueReviver {
    const source = this.#content.source(this.#content.index.find(threadId));
    return new ValueReviver(source, (text) => this.serde.loadsTyped("json", text));
  }

  async #revive(reviver: ValueReviver, { type, body }: EncodedValue): Promise<unknown> {
    if (type !== "json" && type !== "linear") {
      return this.serde.loadsTyped(type, typeof body === "string" ? body : new Uint8Array(body));
    }
    return reviver.revive(this.#rows.textOf(type, body), type === "linear");
  }

  #encodeCheckpoint(entry: ThreadEntry, checkpoint: Checkpoint): EncodedValue {
    const encoder = new ValueEncoder(this.#content.sink(entry));
    const plain = new ValueEncoder(undefined);
    const values = Object.entries(checkpoint.channel_values).map(([name, value]) => [
      name,
      encoder.walk(value),
    ]);
    const text = stringify({
      v: checkpoint.v,
      id: checkpoint.id,
      ts: checkpoint.ts,
      channel_values: Object.fromEntries(values),
      channel_versions: plain.walk(checkpoint.channel_versions),
      versions_seen: plain.walk(checkpoint.versions_seen),
    });
    return this.#rows.toRow(text, encoder.linked);
  }

  #encodeWrite(sink: ContentSink, channel: string, value: unknown): EncodedValue {
    if (value instanceof Uint8Array) return { type: "bytes", body: Buffer.from(value) };
    // Interrupts, resumes and errors stay readable with plain SQL.
    const encoder = new ValueEncoder(channel in WRITES_IDX_MAP ? undefined : sink, channel !== TASKS);
    const node = encoder.walk(value);
    return this.#rows.toRow(stringify(node), encoder.linked);
  }

  #dropUnreportedChannels(entry: ThreadEntry, checkpoint: Checkpoint, newVersions?: ChannelVersions): void {
    if (newVersions === undefined || entry.inherited) return;
    for (const channel of Object.keys(checkpoint.channel_values)) {
      if (channel in newVersions) this.#content.index.addChannel(entry, channel);
      else if (!entry.channels.has(channel)) delete checkpoint.channel_values[channel];
    }
  }
}

function requireThread(config: RunnableConfig): CheckpointKey {
  if (!config.configurable) throw new Error("Empty configuration supplied.");
  const { thread_id, checkpoint_ns = "", checkpoint_id } = config.configurable;
  if (!thread_id) throw new Error('Missing "thread_id" field in passed "config.configurable".');
  return { threadId: thread_id, namespace: checkpoint_ns, checkpointId: checkpoint_id };
}
