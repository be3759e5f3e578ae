/** Writes a checkpoint of a thread once more, as its newest, under a new id. */
import { uuid6 } from "@langchain/langgraph-checkpoint";
import type { Database } from "better-sqlite3";
import { type PackedText, packText, unpackText } from "../packed-text.ts";

type Origin = {
  readonly type: string;
  readonly checkpoint: PackedText;
  readonly metadata: PackedText;
};

/**
 * The new id matters: LangGraph derives task ids from it, so nothing decided or done after the old one counts again.
 * @param extra is kept with it, in its metadata
 * @returns the id of the new checkpoint
 */
export function writeHead(
  db: Database,
  threadId: string,
  parentId: string,
  extra: Readonly<Record<string, string>> = {},
): string {
  const origin = db
    .prepare(
      "SELECT type, checkpoint, metadata FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = '' AND checkpoint_id = ?",
    )
    .get(threadId, parentId) as Origin;
  const metadata = JSON.parse(origin.metadata.toString()) as { step?: number };
  const step = (metadata.step ?? -1) + 1;
  const id = uuid6(step);
  const text = origin.type === "linear" ? unpackText(origin.checkpoint) : origin.checkpoint.toString();
  const body = JSON.stringify({ ...(JSON.parse(text) as object), id, ts: new Date().toISOString() });
  insertHead(db, threadId, {
    id,
    parentId,
    type: origin.type,
    body: origin.type === "linear" ? packText(body) : body,
    metadata: { ...metadata, ...extra, source: "fork", step },
  });
  return id;
}

type Head = {
  readonly id: string;
  readonly parentId: string | null;
  readonly type: string;
  readonly body: PackedText;
  readonly metadata: object;
};

/** Adds a checkpoint to a thread. */
export function insertHead(db: Database, threadId: string, head: Head): void {
  db.prepare("INSERT INTO checkpoints VALUES (?, '', ?, ?, ?, ?, ?)").run(
    threadId,
    head.id,
    head.parentId,
    head.type,
    head.body,
    JSON.stringify(head.metadata),
  );
}
