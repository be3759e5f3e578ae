/** Lets a thread go on from an earlier moment of its own, and from where it stood again. */
import { emptyCheckpoint } from "@langchain/langgraph-checkpoint";
import type { Database } from "better-sqlite3";
import type { ThreadContent } from "./thread-content.ts";
import { insertHead, writeHead } from "./thread-head.ts";

/** The thread cannot go where it was asked to; nothing was changed. */
export class ThreadTakeBackError extends Error {
  override name = "ThreadTakeBackError";
}

type HeadRow = { readonly id: string; readonly mark: string | null };

const headSql =
  "SELECT checkpoint_id AS id, metadata ->> '$.rewound' AS mark FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = '' ORDER BY checkpoint_id DESC LIMIT 1";
const markedSql =
  "SELECT checkpoint_id FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = '' AND metadata ->> '$.rewound' = ?";

function headOf(db: Database, threadId: string): HeadRow | undefined {
  return db.prepare(headSql).get(threadId) as HeadRow | undefined;
}

/** The newest checkpoint of a thread; null before the first. */
export function newestCheckpoint(db: Database, threadId: string): string | null {
  return headOf(db, threadId)?.id ?? null;
}

/**
 * Adds an earlier checkpoint once more, as the newest; what came after it stays and is not gone on from. In one
 * transaction, and a second time with the same mark it does nothing.
 * @param checkpointId `null` is before the first one
 * @param from the newest one, as whoever asks knows it
 * @throws ThreadTakeBackError if there is no such checkpoint, the thread went on from `from`, or the clock stands so that it
 *   would not be the newest
 */
export function takeThreadBack(
  db: Database,
  content: ThreadContent,
  threadId: string,
  { checkpointId, from, mark }: { checkpointId: string | null; from: string; mark: string },
): void {
  content.transact(threadId, () => {
    if (db.prepare(markedSql).get(threadId, mark) !== undefined) return;
    const before = headOf(db, threadId)?.id;
    if (before === undefined) throw new ThreadTakeBackError(`The thread ${threadId} has no checkpoint.`);
    if (before !== from) throw new ThreadTakeBackError("The conversation went on meanwhile.");
    const id =
      checkpointId === null
        ? writeEmptyHead(db, threadId, mark)
        : writeAgain(db, threadId, checkpointId, mark);
    if (id <= before)
      throw new ThreadTakeBackError("The clock of this computer stands before the thread's last step.");
  });
}

/**
 * Takes the checkpoint with this mark away, so that the thread goes on from where it stood before it. A second time it
 * does nothing.
 * @throws ThreadTakeBackError if the thread went on since
 */
export function bringThreadForth(db: Database, content: ThreadContent, threadId: string, mark: string): void {
  content.transact(threadId, () => {
    const marked = db.prepare(markedSql).pluck().get(threadId, mark) as string | undefined;
    if (marked === undefined) return;
    if (headOf(db, threadId)?.id !== marked)
      throw new ThreadTakeBackError("The conversation went on since it was taken back.");
    for (const table of ["writes", "checkpoints"])
      db.prepare(`DELETE FROM ${table} WHERE thread_id = ? AND checkpoint_ns = '' AND checkpoint_id = ?`).run(
        threadId,
        marked,
      );
  });
}

function writeAgain(db: Database, threadId: string, checkpointId: string, mark: string): string {
  const known = db
    .prepare("SELECT 1 FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = '' AND checkpoint_id = ?")
    .get(threadId, checkpointId);
  if (known === undefined)
    throw new ThreadTakeBackError(`The thread ${threadId} has no checkpoint ${checkpointId} any more.`);
  return writeHead(db, threadId, checkpointId, { rewound: mark });
}

function writeEmptyHead(db: Database, threadId: string, mark: string): string {
  const checkpoint = emptyCheckpoint();
  const metadata = { source: "fork", step: -2, parents: {}, rewound: mark };
  insertHead(db, threadId, {
    id: checkpoint.id,
    parentId: null,
    type: "json",
    body: JSON.stringify(checkpoint),
    metadata,
  });
  return checkpoint.id;
}
