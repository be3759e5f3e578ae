/** Makes a thread of its own from a moment in another thread's history. */
import type { Database } from "better-sqlite3";
import type { ThreadContent } from "./thread-content.ts";
import { writeHead } from "./thread-head.ts";
import { removeUnusedContent } from "./thread-pruning.ts";

/** The copy cannot be made; the message names the field to correct. */
export class ThreadCopyError extends Error {
  override name = "ThreadCopyError";
}

/**
 * The checkpoint and its ancestors in the root namespace, newest first. CROSS JOIN fixes the order of the join:
 * left to itself SQLite reads all checkpoints of the thread for each ancestor.
 */
const lineageSql = `WITH RECURSIVE lineage (id, parent) AS (
  SELECT checkpoint_id, parent_checkpoint_id FROM checkpoints
  WHERE thread_id = @from AND checkpoint_ns = '' AND checkpoint_id = @checkpointId
  UNION ALL
  SELECT c.checkpoint_id, c.parent_checkpoint_id FROM lineage CROSS JOIN checkpoints AS c
  ON c.thread_id = @from AND c.checkpoint_ns = '' AND c.checkpoint_id = lineage.parent
) SELECT id FROM lineage`;
const copyCheckpoint = `INSERT INTO checkpoints
  SELECT @to, '', checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata
  FROM checkpoints WHERE thread_id = @from AND checkpoint_ns = '' AND checkpoint_id = @id`;
const copyWrites = `INSERT INTO writes
  SELECT @to, '', checkpoint_id, task_id, idx, channel, type, value
  FROM writes WHERE thread_id = @from AND checkpoint_ns = '' AND checkpoint_id = @id`;

/**
 * Copies a checkpoint to a new thread as its newest, with a new id, in one transaction. The new id matters:
 * LangGraph derives task ids from it, so nothing decided or done in the old thread counts in the new one.
 * Results and interrupts of tasks that ran after the checkpoint are not copied; they are asked and done anew.
 * Checkpoints of sub-agents stay behind for the same reason.
 * @returns the id of the new checkpoint
 * @throws ThreadCopyError if the checkpoint does not exist or the new thread does
 */
export function copyThread(
  db: Database,
  content: ThreadContent,
  thread: { from: string; to: string; checkpointId: string },
): string {
  const { from, to, checkpointId } = thread;
  return content.transact(to, (target) => {
    if (db.prepare("SELECT 1 FROM checkpoints WHERE thread_id = ? LIMIT 1").get(to) !== undefined) {
      throw new ThreadCopyError(
        `to: the thread ${to} already has checkpoints. Choose a new id for the copy.`,
      );
    }
    const lineage = db.prepare(lineageSql).pluck().all({ from, checkpointId }) as string[];
    if (lineage.length === 0) {
      throw new ThreadCopyError(
        `checkpointId: the thread ${from} has no checkpoint ${checkpointId}. It may have been pruned.`,
      );
    }
    content.copy(content.index.find(from), target);
    const checkpoints = db.prepare(copyCheckpoint);
    const writes = db.prepare(copyWrites);
    for (const id of lineage) {
      checkpoints.run({ from, to, id });
      if (id !== checkpointId) writes.run({ from, to, id });
    }
    const head = writeHead(db, to, checkpointId);
    removeUnusedContent(db, content, to);
    return head;
  });
}
