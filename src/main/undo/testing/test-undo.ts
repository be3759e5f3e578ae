/** A workspace whose changes can be taken back: a real disk, a real database and real commands. */
import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { ExecutionId, ThreadId, TurnId } from "../../../shared/ids.ts";
import { openChangeFile } from "../../files/change-store.ts";
import { createChangeTracker } from "../../files/change-tracker.ts";
import { createCommandWatch } from "../../files/command-watch.ts";
import type { FileChangeRequest } from "../../files/file-change.ts";
import { createOriginalBlobs } from "../../files/original-blobs.ts";
import { makeWorkspace } from "../../files/testing/test-workspace.ts";
import { createWorkspaceFiles } from "../../files/workspace-files.ts";
import { type CommitDurably, createDurableCommits } from "../../storage/durable-commit.ts";
import { openDatabase } from "../../storage/open-database.ts";
import type { Conversation } from "../conversation-back.ts";
import { createLiveWrites } from "../live-writes.ts";
import { createStepNotes } from "../note-steps.ts";
import { createStepJournal } from "../step-journal.ts";
import { createTakeBackStore } from "../take-back-store.ts";
import { createTakeBacks } from "../take-backs.ts";

/** Of an agent that cannot go back. */
export const noConversation: Conversation = {
  plan: async () => ({ why: "not-able" }),
  move: () => Promise.resolve(),
  settle: () => undefined,
  wentOn: () => false,
  isKept: async () => true,
};
/** Who asks. */
export const person = { kind: "person" } as const;

export const threadId = "t1" as ThreadId;
export const turn = (name: string) => name as TurnId;

/** Tools and commands that change files of a workspace, and what takes that back; files alone. */
export async function openUndo() {
  const space = makeWorkspace();
  const { root } = space;
  mkdirSync(join(space.base, "data"));
  const { database } = openDatabase(join(space.base, "data"), () => 1);
  const durable = createDurableCommits(database);
  let synced = (): void => undefined;
  const commitDurably: CommitDurably = async (act) => {
    const result = await durable.commitDurably(act);
    synced();
    return result;
  };
  onTestFinished(async () => {
    await durable.close();
    database.close();
  });
  const blobs = createOriginalBlobs(join(space.base, "data", "originals"));
  const tracker = createChangeTracker(blobs, await openChangeFile(join(space.base, "data", "changed.jsonl")));
  const journal = createStepJournal(database);
  const store = createTakeBackStore(database);
  const notes = createStepNotes({ journal, blobs, tracker, live: createLiveWrites(() => 1), commitDurably });
  const errors: unknown[] = [];
  const watch = createCommandWatch(tracker, join(space.base, "data"), (error) => errors.push(error));
  onTestFinished(async () => {
    await watch.close();
    expect(errors).toEqual([]);
  });
  const told: string[] = [];
  const takeBacks = createTakeBacks({
    database,
    journal,
    store,
    blobs,
    tracker,
    commitDurably,
    conversation: noConversation,
    moveRepository: () => Promise.resolve(),
    atRest: (_threadId, act) => act(),
    endCutOff: () => Promise.resolve(),
    now: () => 1,
    onDone: (_takeBack, way) => told.push(way),
  });
  const files = createWorkspaceFiles(root);
  let calls = 0;
  const origin = (turnId: TurnId, by: ThreadId) => {
    calls += 1;
    return { threadId: by, turnId, executionId: `e${calls}` as ExecutionId };
  };
  const placeOf = (turnId: TurnId, by = threadId) => ({ threadId: by, turnId, root });
  const addTurns = (of: ThreadId, ids: readonly string[]) => {
    database
      .prepare(
        "INSERT INTO threads (id, title, workspace, agent_id, model, created_at, updated_at) VALUES (?, '', ?, '', '', 1, 1)",
      )
      .run(of, root);
    const add = database.prepare(
      "INSERT INTO turns (id, thread_id, message_id, text, attachments, status, created_at) VALUES (?, ?, '', '', '', 'done', 1)",
    );
    for (const id of ids) add.run(id, of);
  };
  return {
    ...space,
    blobs,
    store,
    journal,
    tracker,
    takeBacks,
    told,
    onSynced(listener: () => void) {
      synced = listener;
    },
    placeOf,
    tool: (turnId: TurnId, change: FileChangeRequest, by = threadId) =>
      files.applyChange(change, () => {}, { observer: notes.ofTool(origin(turnId, by), root) }),
    command: (turnId: TurnId, line: string, by = threadId) =>
      watch.around(
        by,
        root,
        async () => void execFileSync("bash", ["-c", line], { cwd: root, stdio: "ignore" }),
        notes.ofCommand(origin(turnId, by), root),
      ),
    addTurns: (...ids: string[]) => addTurns(threadId, ids),
    addTurnsOf: (of: ThreadId, ...ids: string[]) => addTurns(of, ids),
    async takeBack(turnId: TurnId) {
      const { digest } = await takeBacks.preview(placeOf(turnId));
      return takeBacks.carryOut(placeOf(turnId), digest, "files", person);
    },
  };
}

/** Every file with its content and permissions. */
export function treeOf(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const mode = (lstatSync(path).mode & 0o777).toString(8);
    found[path.slice(root.length + 1)] = `${mode} ${readFileSync(path).toString("base64")}`;
  }
  return found;
}

/** The content of a file as `treeOf` tells it. */
export function contentOf(seen: string | undefined): string {
  return Buffer.from(seen?.split(" ")[1] ?? "", "base64").toString();
}
