/** Gives each thread a small number for its stored content and remembers which channels it ever wrote. */
import type { Database, Statement } from "better-sqlite3";

/**
 * What is known of one thread. Its identity matters: whatever was memorised for a thread is valid only as
 * long as the index hands out the same object, so {@link ThreadIndex.forget} invalidates it all at once.
 */
export type ThreadEntry = {
  readonly key: number;
  /** The thread began under the stock saver or as a copy, so the list of channels is not complete. */
  inherited: boolean;
  readonly channels: Set<string>;
};

const rememberedThreads = 512;

export class ThreadIndex {
  readonly #db: Database;
  readonly #entries = new Map<string, ThreadEntry>();
  readonly #dataVersion: Statement;
  readonly #find: Statement;
  readonly #create: Statement;
  readonly #channels: Statement;
  readonly #addChannel: Statement;
  #seenVersion: unknown;

  constructor(db: Database) {
    this.#db = db;
    db.exec(`CREATE TABLE IF NOT EXISTS thread_keys (
      key INTEGER PRIMARY KEY AUTOINCREMENT,
      thread_id TEXT NOT NULL UNIQUE,
      inherited INTEGER NOT NULL
    );
    CREATE TABLE IF NOT EXISTS thread_channels (
      thread INTEGER NOT NULL,
      channel TEXT NOT NULL,
      PRIMARY KEY (thread, channel)
    ) WITHOUT ROWID`);
    this.#dataVersion = db.prepare("PRAGMA data_version").pluck();
    this.#find = db.prepare("SELECT key, inherited FROM thread_keys WHERE thread_id = ?");
    this.#create = db.prepare(`INSERT INTO thread_keys (thread_id, inherited)
      VALUES (@threadId, EXISTS (SELECT 1 FROM checkpoints WHERE thread_id = @threadId))`);
    this.#channels = db.prepare("SELECT channel FROM thread_channels WHERE thread = ?").pluck();
    this.#addChannel = db.prepare("INSERT OR IGNORE INTO thread_channels (thread, channel) VALUES (?, ?)");
  }

  /** @returns the entry of a thread, or undefined if it has no content of ours. */
  find(threadId: string): ThreadEntry | undefined {
    this.#dropWhatOthersChanged();
    const remembered = this.#entries.get(threadId);
    if (remembered !== undefined) {
      this.#entries.delete(threadId);
      this.#entries.set(threadId, remembered);
      return remembered;
    }
    const row = this.#find.get(threadId) as { key: number; inherited: number } | undefined;
    if (row === undefined) return undefined;
    const channels = new Set(this.#channels.all(row.key) as string[]);
    return this.#remember(threadId, { key: row.key, inherited: row.inherited === 1, channels });
  }

  /** @returns the entry of a thread, creating it. Call inside a transaction. */
  obtain(threadId: string): ThreadEntry {
    const found = this.find(threadId);
    if (found !== undefined) return found;
    this.#create.run({ threadId });
    return this.find(threadId)!;
  }

  /** Removes a thread's entry. Call inside a transaction. */
  remove(threadId: string, entry: ThreadEntry): void {
    this.#db.prepare("DELETE FROM thread_channels WHERE thread = ?").run(entry.key);
    this.#db.prepare("DELETE FROM thread_keys WHERE key = ?").run(entry.key);
    this.forget(threadId);
  }

  /** Records that the thread stores this channel. Call inside a transaction. */
  addChannel(entry: ThreadEntry, channel: string): void {
    if (entry.channels.has(channel)) return;
    this.#addChannel.run(entry.key, channel);
    entry.channels.add(channel);
  }

  /** Records that the thread has checkpoints from elsewhere. Call inside a transaction. */
  inherit(entry: ThreadEntry): void {
    this.#db.prepare("UPDATE thread_keys SET inherited = 1 WHERE key = ?").run(entry.key);
    entry.inherited = true;
  }

  /** Invalidates all that was memorised for a thread, after a rollback or after content was removed. */
  forget(threadId: string): void {
    this.#entries.delete(threadId);
  }

  #remember(threadId: string, entry: ThreadEntry): ThreadEntry {
    this.#entries.set(threadId, entry);
    if (this.#entries.size > rememberedThreads) {
      for (const oldest of this.#entries.keys()) {
        this.#entries.delete(oldest);
        break;
      }
    }
    return entry;
  }

  /** Another connection may have pruned what we remember; SQLite tells with a counter. */
  #dropWhatOthersChanged(): void {
    const version = this.#dataVersion.get();
    if (version === this.#seenVersion) return;
    this.#seenVersion = version;
    this.#entries.clear();
  }
}
