/** What a list says of a thread is what its log says last, whatever order things came in. */
import type Database from "better-sqlite3";
import { beforeEach, describe, expect, it } from "vitest";
import type { ThreadEventData, Todo } from "../../shared/contract/thread-events.ts";
import type { TurnId } from "../../shared/ids.ts";
import { takenBackItemId } from "../../shared/transcript/taken-back.ts";
import { createEventLog, type EventLog } from "./event-log.ts";
import { createGlanceStore, type GlanceStore } from "./glances.ts";
import { addThread, openInMemory, threadId } from "./testing/add-thread.ts";
import { said, sent } from "./testing/open-log.ts";

let database: Database.Database;
let log: EventLog;
let glances: GlanceStore;

beforeEach(() => {
  database = openInMemory();
  addThread(database, () => 1);
  log = createEventLog(
    database,
    () => 1,
    () => {},
  );
  glances = createGlanceStore(database);
});

const plan = (...states: Todo["status"][]): ThreadEventData => ({
  type: "plan.changed",
  itemId: "plan:turn",
  todos: states.map((status, at) => ({ content: `step ${at}`, status })),
});

describe("a glance at a thread", () => {
  it("counts the steps of the plan that are done, as it was last", () => {
    log.append(threadId, [plan("pending", "pending"), plan("completed", "in_progress", "pending")]);
    expect(glances.of(threadId)).toEqual({ plan: { done: 1, steps: 3 } });
    log.append(threadId, [plan()]);
    expect(glances.of(threadId)).toEqual({});
  });

  it("says nothing of what was taken back", () => {
    log.append(threadId, [plan("pending"), said("m1", "Done.")]);
    log.append(threadId, [
      { type: "turns.takenBack", itemId: takenBackItemId("u"), turns: ["turn-1" as TurnId], files: 0 },
    ]);
    expect(glances.of(threadId)).toEqual({});
  });

  it("says how the agent's last words begin, not a sub-agent's, without the marks before them and never long", () => {
    log.append(threadId, [
      said("one", "Before."),
      said("two", "\n## Done: **all** pass in `shop`\nand more"),
      { ...said("three", "from below"), parentItemId: "task" } as ThreadEventData,
      said("four", "  "),
    ]);
    expect(glances.of(threadId)).toEqual({ said: "Done: all pass in shop" });
    log.append(threadId, [said("five", "😀".repeat(500_000))]);
    const words = glances.of(threadId).said ?? "";
    expect([words.length < 210, words.isWellFormed(), words.endsWith("…")]).toEqual([true, true, true]);
  });

  it("begins anew with a turn, and not with a message that waits for one", () => {
    log.append(threadId, [plan("completed"), said("one", "Done.")]);
    log.append(threadId, [{ ...sent("later", "and then"), queued: true } as ThreadEventData]);
    expect(glances.of(threadId)).toEqual({ plan: { done: 1, steps: 1 }, said: "Done." });
    log.append(threadId, [{ type: "message.dequeued", itemId: "later" as never, cancelled: false }]);
    expect(glances.of(threadId)).toEqual({});
    log.append(threadId, [said("two", "Again."), sent("next", "more")]);
    expect(glances.of(threadId)).toEqual({});
  });

  it("is the same for each thread at once, and goes with its thread", () => {
    log.append(threadId, [plan("completed", "pending"), said("one", "Half.")]);
    expect(glances.ofEachThread()).toEqual(new Map([[threadId, glances.of(threadId)]]));
    log.removeThread(threadId);
    expect(glances.ofEachThread()).toEqual(new Map());
  });
});
