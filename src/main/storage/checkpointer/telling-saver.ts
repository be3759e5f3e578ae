/** A saver for graphs that run: it tells of a write that failed, where LangGraph would hear of it too late, and keeps no step that was passed. */
import type { RunnableConfig } from "@langchain/core/runnables";
import type {
  ChannelVersions,
  Checkpoint,
  CheckpointMetadata,
  PendingWrite,
  SerializerProtocol,
} from "@langchain/langgraph-checkpoint";
import type { Database } from "better-sqlite3";
import { logLimitOf } from "../durable-commit.ts";
import { type PlaceWatch, watchStaysInPlace } from "../stays-in-place.ts";
import { LinearSqliteSaver } from "./linear-sqlite-saver.ts";

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
  /** What is written to a file that another program moved or emptied would never be found again. */
  #place: PlaceWatch;

  constructor(db: Database, onWriteFailed: OnWriteFailed, serde?: SerializerProtocol) {
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
      const next = await super.put(config, checkpoint, metadata, newVersions);
      this.#place.noteWritten();
      return next;
    } catch (error) {
      this.#tell(config, error);
      return { configurable: { ...config.configurable, checkpoint_id: checkpoint.id } };
    }
  }

  override async putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void> {
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
