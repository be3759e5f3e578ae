/** Stores each distinct text of a thread once, under a number that grows in the order of arrival. */
import { hash } from "node:crypto";
import type { Database, Statement } from "better-sqlite3";
import { type PackedText, packText } from "../packed-text.ts";
import type { Span } from "./live-content.ts";

/** A reference to text that is not in the database: the file was damaged or edited by hand. */
export class MissingContentError extends Error {
  override name = "MissingContentError";
}

/** One content-addressed table. Texts are numbered per thread from 1, without gaps unless pruned. */
export class ContentTable {
  readonly #db: Database;
  readonly #name: string;
  readonly #find: Statement;
  readonly #next: Statement;
  readonly #insert: Statement;
  readonly #run: Statement;
  readonly #runs: Statement;

  constructor(db: Database, name: "thread_messages" | "thread_values") {
    this.#db = db;
    this.#name = name;
    db.exec(`CREATE TABLE IF NOT EXISTS ${name} (
      id INTEGER PRIMARY KEY,
      thread INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      hash BLOB NOT NULL,
      body BLOB NOT NULL,
      UNIQUE (thread, seq),
      UNIQUE (thread, hash)
    )`);
    this.#find = db.prepare(`SELECT seq FROM ${name} WHERE thread = ? AND hash = ?`).pluck();
    this.#next = db.prepare(`SELECT coalesce(max(seq), 0) + 1 FROM ${name} WHERE thread = ?`).pluck();
    this.#insert = db.prepare(`INSERT INTO ${name} (thread, seq, hash, body) VALUES (?, ?, ?, ?)`);
    this.#run = db.prepare(`SELECT seq, body FROM ${name} WHERE thread = ? AND seq BETWEEN ? AND ?`).raw();
    // One statement for all runs of a list that parallel work has fragmented.
    this.#runs = db
      .prepare(`SELECT seq, body FROM json_each(?) AS run CROSS JOIN ${name}
        WHERE thread = ? AND seq BETWEEN run.value->>0 AND run.value->>1`)
      .raw();
  }

  /** @returns the number of `text` in the thread, storing it if it is new. Call inside a transaction. */
  intern(thread: number, text: string): number {
    const digest = hash("sha256", text, "buffer").subarray(0, 16);
    const known = this.#find.get(thread, digest) as number | undefined;
    if (known !== undefined) return known;
    const seq = this.#next.get(thread) as number;
    this.#insert.run(thread, seq, digest, packText(text));
    return seq;
  }

  /**
   * Calls `visit` with each text in the given runs of numbers, as it is kept: to unpack thousands takes longer than to read them.
   * @param runs `from, count, from, count, …`
   * @throws MissingContentError if one of them is not stored
   */
  read(thread: number, runs: readonly number[], visit: (seq: number, text: PackedText) => void): void {
    const bounds: [first: number, last: number][] = [];
    let wanted = 0;
    for (let i = 0; i < runs.length; i += 2) {
      bounds.push([runs[i]!, runs[i]! + runs[i + 1]! - 1]);
      wanted += runs[i + 1]!;
    }
    const rows = (
      bounds.length === 1
        ? this.#run.all(thread, ...bounds[0]!)
        : this.#runs.all(JSON.stringify(bounds), thread)
    ) as [number, PackedText][];
    if (rows.length !== wanted) {
      throw new MissingContentError(
        `The checkpoint database lost ${wanted - rows.length} of ${wanted} entries of ${this.#name}. ` +
          "Restore the database from a backup, or delete this thread.",
      );
    }
    for (const [seq, body] of rows) visit(seq, body);
  }

  /** Gives another thread the same texts under the same numbers. Call inside a transaction. */
  copy(from: number, to: number): void {
    this.#db
      .prepare(`INSERT INTO ${this.#name} (thread, seq, hash, body)
        SELECT ?, seq, hash, body FROM ${this.#name} WHERE thread = ? ORDER BY seq`)
      .run(to, from);
  }

  /** @returns the texts of a thread outside the given spans, which are in order, with their size in bytes. */
  findOutside(thread: number, spans: readonly Span[]): { id: number; bytes: number }[] {
    const gap = this.#db.prepare(`SELECT id, octet_length(body) AS bytes FROM ${this.#name}
      WHERE thread = ? AND seq > ? AND seq < ?`);
    const bounds = [0, ...spans.flat(), Number.MAX_SAFE_INTEGER];
    const found: { id: number; bytes: number }[] = [];
    for (let i = 0; i < bounds.length; i += 2) {
      found.push(...(gap.all(thread, bounds[i], bounds[i + 1]) as { id: number; bytes: number }[]));
    }
    return found;
  }

  /** Removes texts by their ids, or all texts of a thread. Call inside a transaction. */
  remove(which: { ids: readonly number[] } | { thread: number }): void {
    const column = "ids" in which ? "id" : "thread";
    const statement = this.#db.prepare(`DELETE FROM ${this.#name} WHERE ${column} = ?`);
    for (const value of "ids" in which ? which.ids : [which.thread]) statement.run(value);
  }
}
