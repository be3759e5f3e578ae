/** Lists what waits for an answer, straight from the database: the check against the approval queue at start. */
import type { Database } from "better-sqlite3";

/** One interrupt of a task that has not finished. */
export type PendingInterrupt = {
  readonly threadId: string;
  readonly taskId: string;
  /** Stable over restarts. A second interrupt of the same task has the same id. */
  readonly interruptId: string;
  /** What was passed to `interrupt()`, as plain JSON. */
  readonly value: unknown;
};

/** Steps from thread to thread in the index instead of reading every checkpoint. */
const pending = `
WITH RECURSIVE thread (id) AS (
  SELECT min(thread_id) FROM checkpoints
  UNION ALL
  SELECT (SELECT min(thread_id) FROM checkpoints WHERE thread_id > thread.id) FROM thread WHERE thread.id IS NOT NULL
),
head (thread_id, checkpoint_id) AS (
  SELECT id, (SELECT max(checkpoint_id) FROM checkpoints WHERE thread_id = id AND checkpoint_ns = '')
  FROM thread WHERE id IS NOT NULL
)
SELECT w.thread_id AS threadId, w.task_id AS taskId, CAST(w.value AS TEXT) AS interrupt
FROM head JOIN writes AS w
  ON w.thread_id = head.thread_id AND w.checkpoint_ns = '' AND w.checkpoint_id = head.checkpoint_id
WHERE w.channel = '__interrupt__' AND NOT EXISTS (
  SELECT 1 FROM writes AS done
  WHERE done.thread_id = w.thread_id AND done.checkpoint_ns = '' AND done.checkpoint_id = w.checkpoint_id
    AND done.task_id = w.task_id AND done.idx >= 0
)`;

/** @returns the interrupts at the newest checkpoint of every thread, of tasks that have no result yet. */
export function listPendingInterrupts(db: Database): PendingInterrupt[] {
  const rows = db.prepare(pending).all() as { threadId: string; taskId: string; interrupt: string }[];
  return rows.flatMap(({ threadId, taskId, interrupt }) => {
    const parsed: unknown = JSON.parse(interrupt);
    const interrupts = (Array.isArray(parsed) ? parsed : [parsed]) as { id?: string; value?: unknown }[];
    return interrupts.map(({ id = "", value }) => ({ threadId, taskId, interruptId: id, value }));
  });
}
