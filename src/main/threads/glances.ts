/** Keeps what a list says of a thread beside its state: how far the plan is, and how the last answer begins. */
import type Database from "better-sqlite3";
import type { ThreadEventData } from "../../shared/contract/thread-events.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { withoutMarks } from "../base/without-marks.ts";

export type Glance = {
  plan?: { done: number; steps: number };
  /** The first line of what the agent said last, cut. */
  said?: string;
};

export type GlanceStore = {
  /** Belongs into the transaction that writes the event, so that no list ever reads the log. */
  note(threadId: ThreadId, event: ThreadEventData): void;
  of(threadId: ThreadId): Glance;
  ofEachThread(): Map<ThreadId, Glance>;
};

const saidChars = 200;

type Row = { threadId: ThreadId; done: number | null; steps: number | null; said: string | null };

/** One row for each thread that has said or planned anything. */
export function createGlanceStore(database: Database.Database): GlanceStore {
  const setPlan = database.prepare(
    "INSERT INTO glances (thread_id, plan_done, plan_steps) VALUES (@threadId, @done, @steps) ON CONFLICT DO UPDATE SET plan_done = @done, plan_steps = @steps",
  );
  const setSaid = database.prepare(
    "INSERT INTO glances (thread_id, said) VALUES (@threadId, @said) ON CONFLICT DO UPDATE SET said = @said",
  );
  const forget = database.prepare("DELETE FROM glances WHERE thread_id = ?");
  const all = "SELECT thread_id AS threadId, plan_done AS done, plan_steps AS steps, said FROM glances";
  const one = database.prepare(`${all} WHERE thread_id = ?`);
  const each = database.prepare(all);
  return {
    note(threadId, event) {
      if (beginsTurn(event)) forget.run(threadId);
      // What was taken back is not said any more.
      else if (event.type === "turns.takenBack") forget.run(threadId);
      else if (event.type === "plan.changed")
        setPlan.run({
          threadId,
          done: event.todos.filter(({ status }) => status === "completed").length,
          steps: event.todos.length,
        });
      else if (event.type === "message.finished" && event.parentItemId === undefined) {
        const said = firstLine(event.text);
        if (said !== "") setSaid.run({ threadId, said });
      }
    },
    of(threadId) {
      const row = one.get(threadId) as Row | undefined;
      return row ? toGlance(row) : {};
    },
    ofEachThread: () => new Map((each.all() as Row[]).map((row) => [row.threadId, toGlance(row)])),
  };
}

/** A new turn makes its own plan; what was done for the last one would be told as progress of this one. */
function beginsTurn(event: ThreadEventData): boolean {
  if (event.type === "message.sent") return !event.queued;
  return event.type === "message.dequeued" && !event.cancelled;
}

function toGlance({ done, steps, said }: Row): Glance {
  return {
    ...(done !== null && steps !== null && steps > 0 && { plan: { done, steps } }),
    ...(said !== null && { said }),
  };
}

/** The first line that says something, without the marks of Markdown. */
function firstLine(text: string): string {
  // Only its head: an answer may be a megabyte without a line end.
  const lines = withoutMarks(text.slice(0, 4_000)).split("\n");
  const line = lines.map((one) => one.trim()).find((one) => one !== "") ?? "";
  return line.length <= saidChars ? line : `${line.slice(0, saidChars).toWellFormed()}…`;
}
