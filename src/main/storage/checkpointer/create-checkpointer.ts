/** Opens the checkpoint database the way a desktop application needs it: a write that fails is told, and no passed step is kept. */

import type { RunnableConfig } from "@langchain/core/runnables";
import {
  type ChannelVersions,
  type Checkpoint,
  type CheckpointMetadata,
  type PendingWrite,
  type SerializerProtocol,
  WRITES_IDX_MAP,
} from "@langchain/langgraph-checkpoint";
import Database from "better-sqlite3";
import { logLimitOf } from "../durable-commit.ts";
import { keepStatements } from "../kept-statements.ts";
import { makePrivateFile } from "../private-files.ts";
import { limitPageCache, surviveCheckpoints } from "../set-connection.ts";
import { type PlaceWatch, watchStaysInPlace } from "../stays-in-place.ts";
import { HeldWrites } from "./held-writes.ts";
import { LinearSqliteSaver } from "./linear-sqlite-saver.ts";

/** How long a call waits for another connection's lock. */
const busyTimeoutMs = 5_000;
/** The write-ahead log is cut back to this size after a checkpoint. */
const walLimitBytes = 16 * 1024 * 1024;

/**
 * Opens or creates the database at `path`. Checkpoints survive the death of the process; with
 * `synchronous = NORMAL` the last of them may be lost when the power fails, never the file's integrity.
 * A database of the stock saver opens as it is.
 * @param onWriteFailed hears of writes that failed, which then resolve all the same; without it they reject
 * @throws SqliteError if the file cannot be opened or is not a database
 */
export function createCheckpointer(path: string, onWriteFailed?: OnWriteFailed): LinearSqliteSaver {
  makePrivateFile(path);
  const db = new Database(path, { timeout: busyTimeoutMs });
  try {
    // Takes effect only while the file has no table yet.
    db.pragma("auto_vacuum = INCREMENTAL");
    db.pragma("journal_mode = WAL");
    surviveCheckpoints(db);
    db.pragma(`journal_size_limit = ${walLimitBytes}`);
    limitPageCache(db);
    keepStatements(db);
    return onWriteFailed ? new TellingSaver(db, onWriteFailed) : new LinearSqliteSaver(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** @param error what the database said, such as that the disk is full. */
export type OnWriteFailed = (threadId: string, error: unknown) => void;

/**
 * LangGraph looks at the promises of its writes at the end of a step. One that is rejected before is nobody's, and ends
 * the process with everything in it; so the writes of this saver always resolve, and whoever runs the graph is told, to
 * end the run. Nothing is lost by it: the thread goes on from the last checkpoint that was written.
 */
export class TellingSaver extends LinearSqliteSaver {
  protected override readonly dropsPassedSteps = true;
  readonly #onWriteFailed: OnWriteFailed;
  readonly #held = new HeldWrites(({ config, writes, taskId }) => this.#store(config, writes, taskId));
  /** What is written to a file that another program moved or emptied would never be found again. */
  #place: PlaceWatch;

  constructor(db: Database.Database, onWriteFailed: OnWriteFailed, serde?: SerializerProtocol) {
    super(db, serde);
    this.#onWriteFailed = onWriteFailed;
    this.#place = watchStaysInPlace(db.name, logLimitOf(db));
  }

  /** Cuts its own log, which is none of another program's doing. */
  override compact(): void {
    super.compact();
    this.#place = watchStaysInPlace(this.db.name, logLimitOf(this.db));
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions?: ChannelVersions,
  ): Promise<RunnableConfig> {
    try {
      this.#place.assert();
      const next = await this.#held.pass(config, () => super.put(config, checkpoint, metadata, newVersions));
      this.#place.noteWritten();
      return next;
    } catch (error) {
      this.#tell(config, error);
      return { configurable: { ...config.configurable, checkpoint_id: checkpoint.id } };
    }
  }

  override async putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void> {
    // A question or a failure ends the run: no checkpoint follows.
    if (writes.some(([channel]) => channel in WRITES_IDX_MAP)) return this.#store(config, writes, taskId);
    return this.#held.hold({ config, writes, taskId });
  }

  protected override writeHeld(): void {
    this.#held.writeAll();
  }

  async #store(config: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void> {
    try {
      this.#place.assert();
      await super.putWrites(config, writes, taskId);
      this.#place.noteWritten();
    } catch (error) {
      this.#tell(config, error);
    }
  }

  #tell(config: RunnableConfig, error: unknown): void {
    this.#onWriteFailed(String(config.configurable?.thread_id ?? ""), error);
  }
}
