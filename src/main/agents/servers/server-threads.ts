/** Which thread of its server each thread here stands for, and what of its newest message went there. */
import type Database from "better-sqlite3";
import type { ThreadId, TurnId } from "../../../shared/ids.ts";

export type ServerThread = {
  /** Its id on the server. */
  thread: string;
  /** Whom a thread is for that was begun here; one that was seen there says so itself. */
  assistant: string | undefined;
  /** The turn whose message was sent, or was about to be. */
  sentTurn: string | undefined;
  /** The run that the server began with it. */
  run: string | undefined;
};

export type ServerThreads = {
  of(threadId: ThreadId): ServerThread | undefined;
  /** Once it is known it stays that one. */
  note(threadId: ThreadId, thread: string, assistant?: string): void;
  /** Its message is about to go out; `undefined` when nothing of it can have arrived. */
  sending(threadId: ThreadId, turnId: TurnId | undefined): void;
  arrived(threadId: ThreadId, run: string): void;
  forget(threadId: ThreadId): void;
};

type Row = Record<"thread", string> & Record<"assistant" | "sent_turn" | "run", string | null>;

/** Each call is one statement; whoever needs it on the disk commits it so. */
export function createServerThreads(database: Database.Database): ServerThreads {
  const one = database.prepare(
    "SELECT thread, assistant, sent_turn, run FROM server_threads WHERE thread_id = ?",
  );
  const insert = database.prepare(
    "INSERT OR IGNORE INTO server_threads (thread_id, thread, assistant) VALUES (?, ?, ?)",
  );
  const sending = database.prepare("UPDATE server_threads SET sent_turn = ?, run = NULL WHERE thread_id = ?");
  const arrived = database.prepare("UPDATE server_threads SET run = ? WHERE thread_id = ?");
  const remove = database.prepare("DELETE FROM server_threads WHERE thread_id = ?");
  return {
    of(threadId) {
      const row = one.get(threadId) as Row | undefined;
      if (row === undefined) return undefined;
      const { thread, assistant, sent_turn: sentTurn, run } = row;
      return {
        thread,
        assistant: assistant ?? undefined,
        sentTurn: sentTurn ?? undefined,
        run: run ?? undefined,
      };
    },
    note: (threadId, thread, assistant) => void insert.run(threadId, thread, assistant ?? null),
    sending: (threadId, turnId) => void sending.run(turnId ?? null, threadId),
    arrived: (threadId, run) => void arrived.run(run, threadId),
    forget: (threadId) => void remove.run(threadId),
  };
}
