/** What two threads are told who wrote the same file, with a real database and what their steps left in it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type Database from "better-sqlite3";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import type { ExecutionId, MessageId, ThreadId, TurnId } from "../../shared/ids.ts";
import { unknownHash } from "../files/snapshot-messages.ts";
import { openDatabase } from "../storage/open-database.ts";
import { type Changes, createChanges } from "../threads/changes.ts";
import { createEventLog, type EventLog } from "../threads/event-log.ts";
import { createThreadStore, type ThreadStore } from "../threads/thread-store.ts";
import { createLiveWrites, createWrittenPaths, type LiveWrites } from "../undo/live-writes.ts";
import { createStepJournal, type StepJournal } from "../undo/step-journal.ts";
import { createWorktreeStore, type WorktreeStore } from "../worktrees/worktree-store.ts";
import { tellOverlaps } from "./overlaps.ts";

const shop = "/home/ada/shop";
let database: Database.Database;
let threads: ThreadStore;
let log: EventLog;
let journal: StepJournal;
let worktrees: WorktreeStore;
let changes: Changes;
let live: LiveWrites;
let steps = 0;

beforeEach(() => {
  const dir = mkdtempSync(join(tmpdir(), "countersign-overlaps-"));
  database = openDatabase(dir, Date.now).database;
  const errors: unknown[] = [];
  changes = createChanges((error) => errors.push(error));
  threads = createThreadStore(database, Date.now, (threadId) => changes.tell({ kind: "thread", threadId }));
  log = createEventLog(database, Date.now, (events) =>
    changes.tell({ kind: "events", threadId: events[0]!.threadId, events }),
  );
  journal = createStepJournal(database);
  worktrees = createWorktreeStore(database);
  const written = createWrittenPaths(database);
  live = createLiveWrites(written.nextStep);
  const stop = tellOverlaps({ database, threads, log, worktrees, changes, written, live });
  onTestFinished(() => {
    stop();
    database.close();
    rmSync(dir, { recursive: true });
    expect(errors).toEqual([]);
  });
});

/** A thread with a turn that runs. */
function begin(name: string, workspace = shop): ThreadId {
  const id = name as ThreadId;
  threads.create({
    id,
    title: name,
    titled: true,
    workspace,
    source: "s",
    agentId: "default" as never,
    model: { provider: "demo", model: "demo" },
    forkedFrom: undefined,
  });
  threads.addTurn({
    id: `turn-${name}` as TurnId,
    threadId: id,
    messageId: `m-${name}` as MessageId,
    text: "",
    attachments: [],
    status: "running",
    checkpointBefore: null,
  });
  return id;
}

function beginInWorktree(name: string): ThreadId {
  const path = `/data/worktrees/${name}/shop`;
  const id = begin(name, path);
  worktrees.want(name, id, shop);
  worktrees.making(name, { common: `${shop}/.git`, path, branch: `countersign/${name}`, base: "b" });
  worktrees.made(name, `${shop}/.git/worktrees/${name}`);
  return id;
}

/** A call of the thread ended, and these files of its workspace hold something else now. */
function write(threadId: ThreadId, files: Record<string, string | null>): void {
  steps += 1;
  const root = threads.get(threadId).workspace;
  const step = journal.begin(
    { threadId, turnId: `turn-${threadId}` as TurnId, executionId: `e${steps}` as ExecutionId },
    "command",
  );
  const found = Object.entries(files).map(([name, hash]) => ({
    path: join(root, name),
    ...{ before: null, kept: true, after: hash === null ? null : { hash, mode: 0o644 }, mark: null },
  }));
  journal.found(step, found, true);
  log.append(threadId, [
    { type: "toolCall.finished", itemId: `call-${steps}`, outcome: "ok", result: "" } as never,
  ]);
}

/** A command of the thread that runs. */
function run(threadId: ThreadId) {
  const root = threads.get(threadId).workspace;
  steps += 1;
  const origin = {
    threadId,
    turnId: `turn-${threadId}` as TurnId,
    executionId: `e${steps}` as ExecutionId,
  };
  const began = journal.begin(origin, "command");
  const command = live.ofCommand(threadId, `e${steps}` as ExecutionId, began);
  const tell = (files: Record<string, string | null>) =>
    command.tell(Object.entries(files).map(([name, hash]) => ({ path: join(root, name), hash })));
  return { tell, end: command.end, isWanted: command.isWanted };
}

const told = (threadId: ThreadId) =>
  log.page(threadId, 100).items.flatMap((item) => (item.kind === "notice" ? [item.text] : []));

it("says it in both threads, once a file, when two at work in one folder wrote it", () => {
  const [a, b] = [begin("A"), begin("B")];
  write(a, { "x.ts": "1", "y.ts": "1" });
  write(b, { "z.ts": "1", "y.ts": "1" });
  expect([told(a), told(b)]).toEqual([[], []]);
  write(b, { "x.ts": "2" });
  const words = "changed x.ts too, in this folder at the same time: each may undo what the other did.";
  expect([told(a), told(b)]).toEqual([[`The thread “B” ${words}`], [`The thread “A” ${words}`]]);
  write(a, { "x.ts": "3" });
  expect(told(b)).toHaveLength(1);
  write(a, { "z.ts": null });
  expect(told(b).at(-1)).toContain("changed z.ts too");
});

it("says nothing of threads that rest in the same folder, or of what was undone", () => {
  const [a, b] = [begin("A"), begin("B")];
  write(a, { "x.ts": "1" });
  threads.setTurnStatus("turn-A" as TurnId, "done");
  write(b, { "x.ts": "2" });
  const c = begin("C");
  journal.takeBack(b, 1, 99, "t");
  write(c, { "x.ts": "3" });
  expect([a, b, c].flatMap(told)).toEqual([]);
});

it("tells threads in different work trees of one repository, at work or not, with the branch to look at", () => {
  const early = begin("Early");
  write(early, { "old.ts": "1" });
  const [a, b] = [beginInWorktree("a"), beginInWorktree("b")];
  write(a, { "x.ts": "1", "old.ts": "2" });
  threads.setTurnStatus("turn-a" as TurnId, "done");
  write(b, { "x.ts": "2" });
  expect(told(a)).toEqual([
    "The thread “b” changed x.ts too, on its branch countersign/b: the two may conflict when they are merged.",
  ]);
  expect(told(b)).toEqual([
    "The thread “a” changed x.ts too, on its branch countersign/a: the two may conflict when they are merged.",
  ]);
  // What the worktrees began with is no overlap; what the folder got since is.
  expect(told(early)).toEqual([]);
  write(early, { "x.ts": "3", "sub/new.ts": "1" });
  expect(told(early)).toHaveLength(2);
  expect(told(a).at(-1)).toBe(
    "The thread “Early” changed x.ts too, in /home/ada/shop: the two may conflict when they are merged.",
  );
  const stranger = begin("Stranger", "/home/ada/other");
  write(stranger, { "x.ts": "9" });
  expect(told(stranger)).toEqual([]);
});

it("says nothing of the same content in two work trees, until one of them changes it", () => {
  const [a, b] = [beginInWorktree("a"), beginInWorktree("b")];
  write(a, { "x.ts": "same" });
  write(b, { "x.ts": "same" });
  expect([told(a), told(b)]).toEqual([[], []]);
  write(b, { "x.ts": "other" });
  expect([told(a), told(b)].map(({ length }) => length)).toEqual([1, 1]);
});

it("keeps nothing of what was told of a thread that is deleted", () => {
  const [a, b] = [begin("A"), begin("B")];
  write(a, { "x.ts": "1" });
  write(b, { "x.ts": "2" });
  const kept = () => database.prepare("SELECT count(*) FROM told_overlaps").pluck().get();
  expect(kept()).toBe(1);
  threads.remove(a);
  expect(kept()).toBe(0);
});

it("says it while the command still runs that wrote the file second, or first", async () => {
  const [a, b] = [begin("A"), begin("B")];
  write(a, { "x.ts": "1" });
  const running = run(b);
  running.tell({ "x.ts": "2", "y.ts": "2" });
  await setImmediate();
  const words = "changed x.ts too, in this folder at the same time: each may undo what the other did.";
  expect([told(a), told(b)]).toEqual([[`The thread “B” ${words}`], [`The thread “A” ${words}`]]);
  write(a, { "y.ts": "3" });
  expect(told(b).at(-1)).toContain("changed y.ts too");
  running.end();
  write(b, { "x.ts": "2" });
  expect(told(a)).toHaveLength(2);
});

it("says nothing of what a command wrote and took back before it ended", async () => {
  const [a, b] = [begin("A"), begin("B")];
  const running = run(b);
  running.tell({ "x.ts": "for a moment" });
  await setImmediate();
  running.end();
  write(a, { "x.ts": "1" });
  expect([told(a), told(b)]).toEqual([[], []]);
});

it("says of what changed more than once while commands of both ran that either may have written it", async () => {
  const [a, b] = [run(begin("A")), run(begin("B"))];
  for (const each of [a, b]) each.tell({ "x.ts": "1" });
  await setImmediate();
  expect([told("A" as ThreadId), told("B" as ThreadId)]).toEqual([[], []]);
  for (const each of [a, b]) each.tell({ "x.ts": "2" });
  await setImmediate();
  const words =
    "and this one ran commands in this folder at the same time, and x.ts changed more than once: each may have changed what the other did.";
  expect(told("A" as ThreadId)).toEqual([`The thread “B” ${words}`]);
  expect(told("B" as ThreadId)).toEqual([`The thread “A” ${words}`]);
});

it("says it of running commands in different work trees, but not of what one wrote before the other was made", async () => {
  const early = begin("Early");
  const before = run(early);
  before.tell({ "old.ts": "1" });
  write(early, { "other.ts": "1" });
  const [a, b] = [run(beginInWorktree("a")), run(beginInWorktree("b"))];
  a.tell({ "old.ts": "2", "x.ts": "1", "large.bin": unknownHash });
  b.tell({ "x.ts": "2", "large.bin": unknownHash });
  await setImmediate();
  expect(told("a" as ThreadId)).toEqual([
    "The thread “b” changed x.ts, large.bin too, on its branch countersign/b: the two may conflict when they are merged.",
  ]);
  expect(told(early)).toEqual([]);
  before.tell({ "old.ts": "3" });
  await setImmediate();
  expect(told(early)).toHaveLength(1);
});

it("wants to know of running commands only where another thread can write the same files", () => {
  const a = begin("A");
  const alone = run(a);
  expect(alone.isWanted()).toBe(false);
  const b = begin("B", `${shop}/sub`);
  expect([alone.isWanted(), run(b).isWanted()]).toEqual([true, true]);
  threads.setTurnStatus("turn-B" as TurnId, "done");
  // What B did since the command began may be told yet.
  expect([alone.isWanted(), run(a).isWanted()]).toEqual([true, false]);
  const c = run(beginInWorktree("c"));
  expect([alone.isWanted(), c.isWanted()]).toEqual([true, true]);
  expect(run(begin("Stranger", "/home/ada/other")).isWanted()).toBe(false);
});
