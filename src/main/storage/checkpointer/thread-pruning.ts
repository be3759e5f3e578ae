/** Removes checkpoints that nobody needs any more, with the content that only they used. */

import type { Database } from "better-sqlite3";
import { passBarrier } from "../../base/barriers.ts";
import { type PackedText, unpackText } from "../packed-text.ts";
import { LiveContent } from "./live-content.ts";
import type { ThreadContent, UnusedContent } from "./thread-content.ts";

export type PrunePolicy = {
  /** So many of the newest checkpoints stay in each namespace; at least 1, so that the thread can go on. */
  readonly keepLast: number;
  /** Checkpoints that stay whatever their age: the starts of turns, for time travel. */
  readonly keepCheckpointIds?: readonly string[];
};

/** What a pruning removes, or would remove. `bytes` counts the removed values, not the database's overhead. */
export type PruneResult = {
  readonly checkpoints: number;
  readonly writes: number;
  readonly messages: number;
  readonly bytes: number;
  readonly remainingCheckpoints: number;
};

type Row = {
  readonly namespace: string;
  readonly checkpointId: string;
  readonly bytes: number;
  readonly writes: number;
};

const rowsSql = `SELECT c.checkpoint_ns AS namespace, c.checkpoint_id AS checkpointId,
  octet_length(c.checkpoint) + octet_length(c.metadata) + coalesce(w.bytes, 0) AS bytes, coalesce(w.count, 0) AS writes
FROM checkpoints AS c LEFT JOIN (
  SELECT checkpoint_ns, checkpoint_id, count(*) AS count, sum(octet_length(value)) AS bytes
  FROM writes WHERE thread_id = @threadId GROUP BY checkpoint_ns, checkpoint_id
) AS w USING (checkpoint_ns, checkpoint_id)
WHERE c.thread_id = @threadId ORDER BY c.checkpoint_ns, c.checkpoint_id DESC`;
const ofCheckpoint = "thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?";

/**
 * Prunes a thread in one transaction, or counts what that would remove.
 * @throws RangeError if the policy would keep no checkpoint at all
 */
export function pruneThread(
  db: Database,
  content: ThreadContent,
  threadId: string,
  policy: PrunePolicy,
  mode: "preview" | "apply",
): PruneResult {
  if (!Number.isInteger(policy.keepLast) || policy.keepLast < 1) {
    throw new RangeError(`keepLast must be a whole number from 1 on, not ${policy.keepLast}.`);
  }
  return content.transact(threadId, (entry) => {
    const rows = db.prepare(rowsSql).all({ threadId }) as Row[];
    const { kept, doomed } = divide(rows, policy);
    const unused = content.findUnused(entry, findLive(db, content, threadId, kept));
    if (mode === "apply") {
      removeRows(db, threadId, doomed);
      passBarrier("prune");
      content.removeUnused(threadId, unused);
    }
    return summarise(kept, doomed, unused);
  });
}

/** Removes content that no row of the thread reaches. Call inside a transaction. */
export function removeUnusedContent(db: Database, content: ThreadContent, threadId: string): void {
  const rows = db.prepare(rowsSql).all({ threadId }) as Row[];
  const entry = content.index.obtain(threadId);
  content.removeUnused(threadId, content.findUnused(entry, findLive(db, content, threadId, rows)));
}

function divide(rows: readonly Row[], policy: PrunePolicy): { kept: Row[]; doomed: Row[] } {
  const bookmarked = new Set(policy.keepCheckpointIds);
  const seen = new Map<string, number>();
  const kept: Row[] = [];
  const doomed: Row[] = [];
  for (const row of rows) {
    const position = seen.get(row.namespace) ?? 0;
    seen.set(row.namespace, position + 1);
    const stays = position < policy.keepLast || bookmarked.has(row.checkpointId);
    (stays ? kept : doomed).push(row);
  }
  return { kept, doomed };
}

function findLive(db: Database, content: ThreadContent, threadId: string, kept: readonly Row[]): LiveContent {
  const source = content.source(content.index.find(threadId));
  const live = new LiveContent((seq) => source.readValue(seq));
  const bodies =
    db.prepare(`SELECT checkpoint AS body FROM checkpoints WHERE ${ofCheckpoint} AND type = 'linear'
    UNION ALL SELECT value FROM writes WHERE ${ofCheckpoint} AND type = 'linear'`);
  for (const { namespace, checkpointId } of kept) {
    const key = [threadId, namespace, checkpointId];
    for (const { body } of bodies.all(...key, ...key) as { body: PackedText }[]) live.mark(unpackText(body));
  }
  return live;
}

function removeRows(db: Database, threadId: string, doomed: readonly Row[]): void {
  const writes = db.prepare(`DELETE FROM writes WHERE ${ofCheckpoint}`);
  const checkpoint = db.prepare(`DELETE FROM checkpoints WHERE ${ofCheckpoint}`);
  for (const { namespace, checkpointId } of doomed) {
    writes.run(threadId, namespace, checkpointId);
    checkpoint.run(threadId, namespace, checkpointId);
  }
}

function summarise(kept: readonly Row[], doomed: readonly Row[], unused: UnusedContent): PruneResult {
  return {
    checkpoints: doomed.length,
    writes: doomed.reduce((sum, row) => sum + row.writes, 0),
    messages: unused.messageIds.length,
    bytes: doomed.reduce((sum, row) => sum + row.bytes, unused.bytes),
    remainingCheckpoints: kept.length,
  };
}
