/** Keeps what a person has half written in each thread, and finds what they sent before. */
import type Database from "better-sqlite3";
import { type Draft, draftSchema } from "../../shared/contract/drafts.ts";
import type { ThreadId } from "../../shared/ids.ts";

export type DraftStore = {
  /** An empty draft where there is none, or one that cannot be read. */
  of(threadId: ThreadId): Draft;
  /** Forgets an empty one; does nothing for a thread that was deleted. */
  set(threadId: ThreadId, draft: Draft): void;
  /** Texts that were sent, each once and the newest first: of the thread, then of others in its folder. */
  sentBefore(threadId: ThreadId, limit: number): string[];
};

/** One answer of the wire holds them all, whatever language they are written in. */
const mostHistoryChars = 200_000;

/** One draft for each thread, and the sent messages of its folder. */
export function createDraftStore(database: Database.Database): DraftStore {
  const one = database.prepare("SELECT draft FROM drafts WHERE thread_id = ?").pluck();
  const put = database.prepare(
    "INSERT OR REPLACE INTO drafts (thread_id, draft) SELECT id, @draft FROM threads WHERE id = @threadId",
  );
  const remove = database.prepare("DELETE FROM drafts WHERE thread_id = ?");
  const sent = database
    .prepare(
      `SELECT u.text FROM turns u JOIN threads t ON t.id = u.thread_id
      WHERE t.workspace = (SELECT workspace FROM threads WHERE id = @threadId) AND u.status <> 'cancelled'
      ORDER BY u.thread_id = @threadId DESC, u.rowid DESC`,
    )
    .pluck();
  return {
    of(threadId) {
      const stored = one.get(threadId);
      const draft = typeof stored === "string" ? draftSchema.safeParse(JSON.parse(stored)) : undefined;
      return draft?.success ? draft.data : { text: "", pasted: [] };
    },
    set(threadId, draft) {
      if (draft.text === "") remove.run(threadId);
      else put.run({ threadId, draft: JSON.stringify(draft) });
    },
    sentBefore(threadId, limit) {
      const texts = new Set<string>();
      let chars = 0;
      for (const text of sent.iterate({ threadId }) as Iterable<string>) {
        if (text.trim() === "" || texts.has(text)) continue;
        chars += text.length;
        if (texts.size === limit || chars > mostHistoryChars) break;
        texts.add(text);
      }
      return [...texts];
    },
  };
}
