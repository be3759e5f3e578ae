/** What is half written outlives the process, and what was sent comes back in the order a person expects. */
import type Database from "better-sqlite3";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { MessageId, ThreadId, TurnId } from "../../shared/ids.ts";
import { createDraftStore, type DraftStore } from "./draft-store.ts";
import { createEventLog } from "./event-log.ts";
import { addThread, openInMemory, threadId } from "./testing/add-thread.ts";
import type { ThreadStore } from "./thread-store.ts";

let database: Database.Database;
let threads: ThreadStore;
let drafts: DraftStore;
let sentSoFar = 0;

beforeEach(() => {
  database = openInMemory();
  threads = addThread(database, () => 1);
  drafts = createDraftStore(database);
});
afterEach(() => database.close());

function addOther(id: string, workspace: string): ThreadId {
  const { forkedFrom, ...like } = threads.get(threadId);
  threads.create({ ...like, forkedFrom, id: id as ThreadId, workspace });
  return id as ThreadId;
}

function send(to: ThreadId, text: string, status: "done" | "cancelled" = "done"): void {
  sentSoFar += 1;
  threads.addTurn({
    id: `turn-${sentSoFar}` as TurnId,
    threadId: to,
    messageId: `msg-${sentSoFar}` as MessageId,
    text,
    attachments: [],
    status,
    checkpointBefore: null,
  });
}

it("a draft is kept, replaced, and forgotten once it is empty", () => {
  expect(drafts.of(threadId)).toEqual({ text: "", pasted: [] });
  drafts.set(threadId, { text: "half", pasted: [] });
  drafts.set(threadId, { text: "half a 句子", pasted: [] });
  const whole = { text: "half a 句子 [Pasted 1]", pasted: [{ name: "Pasted 1", text: "a\n".repeat(50) }] };
  drafts.set(threadId, whole);
  expect(createDraftStore(database).of(threadId)).toEqual(whole);
  drafts.set(threadId, { text: "", pasted: [] });
  expect(database.prepare("SELECT count(*) FROM drafts").pluck().get()).toBe(0);
});

it("a draft goes with its thread and does not come after it", () => {
  drafts.set(threadId, { text: "half", pasted: [] });
  createEventLog(
    database,
    () => 1,
    () => {},
  ).removeThread(threadId);
  threads.remove(threadId);
  drafts.set(threadId, { text: "late", pasted: [] });
  expect(database.prepare("SELECT count(*) FROM drafts").pluck().get()).toBe(0);
});

it("what was sent comes newest first: of the thread, then of its folder, never of another one, each text once", () => {
  const { workspace } = threads.get(threadId);
  const beside = addOther("beside", workspace);
  const elsewhere = addOther("elsewhere", "/elsewhere");
  send(threadId, "first");
  send(beside, "beside, later");
  send(threadId, "again");
  send(threadId, "taken back", "cancelled");
  send(threadId, "  ");
  send(elsewhere, "of another folder");
  send(beside, "first");
  send(threadId, "again");
  expect(drafts.sentBefore(threadId, 10)).toEqual(["again", "first", "beside, later"]);
  expect(drafts.sentBefore(threadId, 1)).toEqual(["again"]);
});

it("all that comes back fits into one answer", () => {
  for (const sign of ["一", "二", "三"]) send(threadId, sign.repeat(90_000));
  expect(drafts.sentBefore(threadId, 10)).toHaveLength(2);
});
