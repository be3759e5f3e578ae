/** The content of threads as a whole: their messages, their large values, and what is remembered of both. */
import type { BaseMessage } from "@langchain/core/messages";
import type { Database, Transaction } from "better-sqlite3";
import { unpackText } from "../packed-text.ts";
import { ContentTable } from "./content-table.ts";
import type { LiveContent } from "./live-content.ts";
import { isMessageRecord } from "./message-records.ts";
import { type ThreadEntry, ThreadIndex } from "./thread-index.ts";
import { type ContentSink, encodePlain } from "./value-encoder.ts";
import type { ContentSource } from "./value-reviver.ts";

type Remembered = {
  readonly owner: ThreadEntry;
  readonly seq: number;
  readonly id: unknown;
  readonly content: unknown;
  readonly toolCalls: unknown;
};

/**
 * Messages are mutable and are mutated: human-in-the-loop reassigns `tool_calls` of a message that is in the
 * state. An entry therefore counts only while the fields it was taken from are the same objects.
 */
class MessageMemo {
  readonly #seen = new WeakMap<object, Remembered>();

  /** @returns the stored number of a message that has not changed since, or undefined; also for what is no object. */
  recall(owner: ThreadEntry, message: BaseMessage): number | undefined {
    const known = this.#seen.get(message);
    if (known === undefined || known.owner !== owner) return undefined;
    const same =
      known.content === message.content &&
      known.id === message.id &&
      known.toolCalls === (message as { tool_calls?: unknown }).tool_calls;
    return same ? known.seq : undefined;
  }

  remember(owner: ThreadEntry, message: BaseMessage, seq: number): void {
    const toolCalls = (message as { tool_calls?: unknown }).tool_calls;
    this.#seen.set(message, { owner, seq, id: message.id, content: message.content, toolCalls });
  }
}

/** Content that no row reaches, by the ids of its tables. */
export type UnusedContent = {
  readonly messageIds: readonly number[];
  readonly valueIds: readonly number[];
  readonly bytes: number;
};

export class ThreadContent {
  readonly index: ThreadIndex;
  readonly #messages: ContentTable;
  readonly #values: ContentTable;
  readonly #memo = new MessageMemo();
  readonly #run: Transaction<(work: () => unknown) => unknown>;

  constructor(db: Database) {
    this.index = new ThreadIndex(db);
    this.#messages = new ContentTable(db, "thread_messages");
    this.#values = new ContentTable(db, "thread_values");
    this.#run = db.transaction((work: () => unknown) => work());
  }

  /** @returns the sink for one write. Use it inside one transaction and throw it away. */
  sink(entry: ThreadEntry): ContentSink {
    const stored = new Map<object, number>();
    const recall = (value: unknown) => this.#memo.recall(entry, value as BaseMessage);
    return {
      recallMessage: recall,
      internMessage: (message) => {
        const seq = (needsFullComparison(message) ? undefined : recall(message)) ?? stored.get(message);
        if (seq !== undefined) return seq;
        const added = this.#messages.intern(entry.key, encodePlain(message));
        stored.set(message, added);
        if (!isMessageRecord(message)) this.#memo.remember(entry, message as BaseMessage, added);
        return added;
      },
      internValue: (text) => this.#values.intern(entry.key, text),
    };
  }

  /** @returns the source of a thread's content. A thread without an entry has none, so every link is missing. */
  source(entry: ThreadEntry | undefined): ContentSource {
    const key = entry?.key ?? -1;
    return {
      readMessages: (runs, visit) => this.#messages.read(key, runs, visit),
      readValue: (seq) => {
        let found = "";
        this.#values.read(key, [seq, 1], (_seq, text) => {
          found = unpackText(text);
        });
        return found;
      },
      onMessage: (message, seq) => {
        if (entry !== undefined) this.#memo.remember(entry, message, seq);
      },
    };
  }

  /**
   * Runs `work` in one transaction that holds the write lock from its start. If it throws, nothing is stored
   * and nothing that it memorised is believed.
   */
  transact<Result>(threadId: string, work: (entry: ThreadEntry) => Result): Result {
    try {
      return this.#run.immediate(() => work(this.index.obtain(threadId))) as Result;
    } catch (error) {
      this.index.forget(threadId);
      throw error;
    }
  }

  /** Removes all content of a thread. Remove the rows that link to it first. */
  remove(threadId: string): void {
    const entry = this.index.find(threadId);
    if (entry === undefined) return;
    this.transact(threadId, () => {
      this.#messages.remove({ thread: entry.key });
      this.#values.remove({ thread: entry.key });
      this.index.remove(threadId, entry);
    });
  }

  /** Makes `to` the heir of `from`, with all its content under the same numbers. Call inside a transaction. */
  copy(from: ThreadEntry | undefined, to: ThreadEntry): void {
    this.index.inherit(to);
    if (from === undefined) return;
    this.#messages.copy(from.key, to.key);
    this.#values.copy(from.key, to.key);
  }

  /** Content of a thread that no row of it reaches. */
  findUnused(entry: ThreadEntry, live: LiveContent): UnusedContent {
    const messages = this.#messages.findOutside(entry.key, live.messageSpans());
    const values = this.#values.findOutside(entry.key, live.valueSpans());
    const bytes = [...messages, ...values].reduce((sum, row) => sum + row.bytes, 0);
    return { messageIds: messages.map(({ id }) => id), valueIds: values.map(({ id }) => id), bytes };
  }

  /** Removes what {@link findUnused} found. Call inside the same transaction. */
  removeUnused(threadId: string, unused: UnusedContent): void {
    this.#messages.remove({ ids: unused.messageIds });
    this.#values.remove({ ids: unused.valueIds });
    this.index.forget(threadId);
  }
}

/** Whether a new message may have been edited below its fields, as tool calls and content blocks are. */
function needsFullComparison(message: object): boolean {
  const { type, content } = message as { type?: unknown; content?: unknown };
  return type === "ai" || typeof content !== "string";
}
