/** What takes the files of turns back: its journal, the contents it needs, and the lines that tell of it. */
import type Database from "better-sqlite3";
import type { Ledger } from "../approvals/ledger.ts";
import type { ChangeStore } from "../files/change-store.ts";
import { type ChangeTracker, createChangeTracker } from "../files/change-tracker.ts";
import type { OriginalBlobs } from "../files/original-blobs.ts";
import type { EventLog } from "../threads/event-log.ts";
import type { ThreadStore } from "../threads/thread-store.ts";
import { createStepNotes, type StepNotes } from "../undo/note-steps.ts";
import { createStepJournal } from "../undo/step-journal.ts";
import { createTakeBackStore, type TakeBack } from "../undo/take-back-store.ts";
import { createTakeBacks, type TakeBacks } from "../undo/take-backs.ts";

export type FileUndo = { tracker: ChangeTracker; stepNotes: StepNotes; takeBacks: TakeBacks };

type FileUndoParts = {
  database: Database.Database;
  threads: ThreadStore;
  log: EventLog;
  ledger: Ledger;
  /** All that were ever put, whoever needs them. */
  contents: OriginalBlobs;
  changes: ChangeStore;
  now(): number;
};

/** The list of a thread's changed files and the ways back share the contents: one goes when nobody needs it any more. */
export function createFileUndo(parts: FileUndoParts): FileUndo {
  const { database, contents, changes, now } = parts;
  const journal = createStepJournal(database);
  const store = createTakeBackStore(database);
  const blobs: OriginalBlobs = {
    ...contents,
    async delete(hash) {
      const isNeeded = journal.uses(hash) || store.uses(hash) || (await changes.uses(hash));
      if (!isNeeded) await contents.delete(hash);
    },
  };
  const tracker = createChangeTracker(blobs, changes);
  const onDone = (takeBack: TakeBack, way: "forth" | "back") => tell(parts, takeBack, way);
  return {
    tracker,
    stepNotes: createStepNotes(journal, blobs, tracker),
    takeBacks: createTakeBacks({ database, journal, store, blobs, tracker, now, onDone }),
  };
}

/** A line in the thread and one in the record. */
function tell({ threads, log, ledger }: FileUndoParts, takeBack: TakeBack, way: "forth" | "back"): void {
  const { id, threadId, what } = takeBack;
  const thread = threads.find(threadId);
  if (!thread) return;
  const count = what.files.length === 1 ? "1 file" : `${what.files.length} files`;
  const text =
    way === "forth"
      ? `You took ${count} back to before this thread's turn. The agent does not know of it.`
      : `You brought ${count} forth again. The agent does not know of it.`;
  log.append(threadId, [{ type: "notice.added", itemId: `undo:${id}:${way}`, level: "info", text }]);
  ledger.add({
    threadId,
    threadTitle: thread.title,
    agentPath: [],
    tool: way === "forth" ? "undo files" : "redo files",
    originalArgs: { turn: what.turnId, files: what.files.map(({ path }) => path) },
    cwd: what.root,
    verdict: { verdict: "ask", units: [{ text: count, verdict: "ask", reason: "A person asked for it." }] },
    decision: { type: "approve" },
    by: { kind: "person" },
  });
}
