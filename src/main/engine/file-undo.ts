/** What taking back works on: the journal of steps, the ways back, and the contents that both need. */
import type Database from "better-sqlite3";
import type { ChangeStore } from "../files/change-store.ts";
import { type ChangeTracker, createChangeTracker } from "../files/change-tracker.ts";
import type { OriginalBlobs } from "../files/original-blobs.ts";
import type { CommitDurably } from "../storage/durable-commit.ts";
import {
  createLiveWrites,
  createWrittenPaths,
  type LiveWrites,
  type WrittenPaths,
} from "../undo/live-writes.ts";
import { createStepNotes, type StepNotes } from "../undo/note-steps.ts";
import { createOriginalsBudget, type OriginalsBudget } from "../undo/originals-budget.ts";
import { createStepJournal, type StepJournal } from "../undo/step-journal.ts";
import { createTakeBackStore, type TakeBackStore } from "../undo/take-back-store.ts";

export type FileUndo = {
  tracker: ChangeTracker;
  stepNotes: StepNotes;
  /** What commands that run wrote so far. */
  live: LiveWrites;
  written: WrittenPaths;
  undo: { journal: StepJournal; store: TakeBackStore; blobs: OriginalBlobs };
  undoBudget: OriginalsBudget;
};

type FileUndoParts = {
  database: Database.Database;
  commitDurably: CommitDurably;
  /** All that were ever put, whoever needs them. */
  contents: OriginalBlobs;
  changes: ChangeStore;
};

/** The list of a thread's changed files and the ways back share the contents: one goes when nobody needs it any more. */
export function createFileUndo({ database, commitDurably, contents, changes }: FileUndoParts): FileUndo {
  const journal = createStepJournal(database);
  const store = createTakeBackStore(database);
  const isNeeded = async (hash: string) =>
    journal.uses(hash) || store.uses(hash) || (await changes.uses(hash));
  const blobs: OriginalBlobs = {
    ...contents,
    async delete(hash) {
      if (!(await isNeeded(hash))) await contents.delete(hash);
    },
  };
  const tracker = createChangeTracker(blobs, changes);
  const written = createWrittenPaths(database);
  const live = createLiveWrites(written.nextStep);
  const stepNotes = createStepNotes({ journal, blobs, tracker, live, commitDurably });
  const undo = { journal, store, blobs };
  return {
    tracker,
    stepNotes,
    live,
    written,
    undo,
    undoBudget: createOriginalsBudget({ ...undo, isNeeded }),
  };
}
