/** Has every change that a thread makes to files written down as a step, so that it can be taken back. */
import { join } from "node:path";
import type { ChangeObserver } from "../files/change-observer.ts";
import type { ChangeTracker } from "../files/change-tracker.ts";
import type { CommandNotes, OnFound } from "../files/command-watch.ts";
import { isNameless } from "../files/nameless.ts";
import type { OriginalBlobs } from "../files/original-blobs.ts";
import { isInside } from "../paths/real-of.ts";
import type { CommitDurably } from "../storage/durable-commit.ts";
import type { LiveWrites } from "./live-writes.ts";
import type { StepJournal, StepOrigin } from "./step-journal.ts";
import { modeAt } from "./version.ts";

export type StepNotes = {
  /** To be passed to a change that a tool makes in the workspace `root`. */
  ofTool(origin: StepOrigin, root: string): ChangeObserver;
  /** To be called before a command starts. @returns what hears which files it changed */
  ofCommand(origin: StepOrigin, root: string): CommandNotes;
};

type StepNotesParts = {
  journal: StepJournal;
  /** Where the contents are kept that a step took away. */
  blobs: Pick<OriginalBlobs, "put">;
  tracker: Pick<ChangeTracker, "observe">;
  /** What commands that run wrote so far. */
  live: Pick<LiveWrites, "ofCommand">;
  commitDurably: CommitDurably;
};

/** What a tool is about to change is on the disk before it does: a power cut leaves no change that nobody knows of. */
export function createStepNotes(parts: StepNotesParts): StepNotes {
  const { journal, blobs, tracker, live, commitDurably } = parts;
  return {
    ofTool(origin, root) {
      const tracked = tracker.observe(origin.threadId, root);
      return {
        async beforeChange(original) {
          const { path, hash, bytes, mode } = original;
          // Written down first: until then somebody else who gives up the same content would take it away.
          await commitDurably(() =>
            journal.before(journal.begin(origin, "tool"), {
              path,
              before: hash === null ? null : { hash, mode },
              kept: bytes !== null || hash === null,
              ...(!isInside(root, path) && { fixed: "outside" as const }),
            }),
          );
          if (bytes) await blobs.put(bytes, path);
          await tracked.beforeChange(original);
        },
        async afterChange(path, hash, movedFrom) {
          const after = hash === null ? null : { hash, mode: modeAt(path) };
          journal.after(journal.begin(origin, "tool"), path, after, null);
          await tracked.afterChange(path, hash, movedFrom);
        },
        async beforeUntold() {
          journal.found(journal.begin(origin, "tool"), [], false);
        },
      };
    },
    ofCommand(origin, root) {
      const step = journal.begin(origin, "command");
      const found: OnFound = async (changes, whole) => {
        const putAll = async () => {
          for (const { original } of changes) if (original?.bytes) await blobs.put(original.bytes);
        };
        await putAll();
        const files = changes.map(({ path, original, hash, mode, mark }) => ({
          path: join(root, path),
          before: original && { hash: original.hash, mode: original.mode },
          kept: original === null || original.bytes !== null,
          after: hash === null ? null : { hash, mode },
          mark,
          ...(isNameless(path) && { fixed: "nameless" as const }),
        }));
        const isKnown = journal.found(step, files, whole);
        // Once more: one that somebody else gave up before it was written down that this step needs it too.
        if (isKnown) await putAll();
        return isKnown;
      };
      return { found, whileRunning: live.ofCommand(origin.threadId, origin.executionId, step) };
    },
  };
}
