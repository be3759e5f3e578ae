/** Remembers what files were before a thread changed them, so that its work can be shown and taken back. */
import type { FileDiff } from "../../shared/contract/approvals.ts";
import { createChangeMemory, type OwnChanges } from "./change-memory.ts";
import type { ChangeObserver } from "./change-observer.ts";
import type { ChangeRecord, ChangeStore } from "./change-store.ts";
import { countChangedLines } from "./changed-lines.ts";
import { type Compared, movedFrom, readNow, shownPathOf, stateOf, toDiff } from "./compare-file.ts";
import { FileError } from "./file-error.ts";
import type { OriginalBlobs } from "./original-blobs.ts";
import { canPutBack, type PutBack, putBack } from "./put-back.ts";
import type { FoundChange } from "./snapshot-messages.ts";

/** One file that is not what it was before the thread; `path` is relative to the workspace, or real when outside it. */
export type ChangedFile = {
  readonly path: string;
  readonly state: "added" | "changed" | "deleted" | "moved";
  /** Where a moved one was before. */
  readonly movedFrom?: string;
  readonly added: number;
  readonly removed: number;
  /** A command had a part in it. */
  readonly byCommand: boolean;
  /** Whether `revert` would do it, or why it would not: somebody else changed the file too, or it is too large to be read. */
  readonly putBack: PutBack;
};

/** Paths are as `list` gives them, or real. */
export type ChangeTracker = {
  /** To be passed to every change a thread makes in the workspace `root`. */
  observe(threadId: string, root: string): ChangeObserver;
  /** Begins to note what the app itself changes while a command runs. */
  gatherOwn(): OwnChanges;
  /** When the app itself last changed a file, in ms since 1970. */
  lastOwnAt(): number;
  /** Adds what a command of the thread changed in `root`, but for what the app itself changed meanwhile, which is left out of the answer. */
  addFound(
    threadId: string,
    root: string,
    changes: readonly FoundChange[],
    own: OwnChanges,
  ): Promise<FoundChange[]>;
  /** Remembers that not all a command of the thread changed could be found. */
  noteIncomplete(threadId: string): Promise<void>;
  isIncomplete(threadId: string): Promise<boolean>;
  list(threadId: string): Promise<ChangedFile[]>;
  /** The original against what is on disk now. */
  diff(threadId: string, path: string): Promise<FileDiff>;
  /** Puts the original back. @throws StaleFileError when somebody else changed the file since; FileError when it was not kept. */
  revert(threadId: string, path: string): Promise<void>;
  /** Drops everything known of a thread, as when it is deleted. */
  forget(threadId: string): Promise<void>;
};

function describe(compared: Compared): ChangedFile | undefined {
  const { record } = compared;
  const state = stateOf(compared);
  if (state === undefined) return undefined;
  const { path, before, after } = toDiff(compared);
  return {
    path,
    state,
    ...(state === "moved" && { movedFrom: movedFrom(compared)?.shownPath }),
    ...countChangedLines(before, after),
    byCommand: record.byCommand === true,
    putBack: canPutBack(compared),
  };
}

/**
 * @param blobs where originals are kept
 * @param store where it is written down which they are
 */
export function createChangeTracker(blobs: OriginalBlobs, store: ChangeStore): ChangeTracker {
  const memory = createChangeMemory(blobs, store);
  const lookAt = async (record: ChangeRecord): Promise<Compared> => {
    const before = record.originalHash !== null && record.kept ? await blobs.get(record.originalHash) : null;
    return { record, before, ...(await readNow(record)) };
  };
  const compare = async (record: ChangeRecord): Promise<Compared> => {
    const compared = await lookAt(record);
    const origin = record.movedFrom && (await store.get(record.threadId, record.movedFrom));
    return origin ? { ...compared, origin: await lookAt(origin) } : compared;
  };
  const find = async (threadId: string, path: string): Promise<Compared> => {
    for (const record of await store.list(threadId))
      if (record.path === path || shownPathOf(record) === path) return compare(record);
    throw new FileError("not-found", path, `This thread did not change ${path}.`);
  };
  return {
    observe: (threadId, root) => ({
      beforeChange: (original) => memory.remember(threadId, root, original),
      afterChange: (path, hash, from) => memory.confirm(threadId, path, hash, from),
    }),
    gatherOwn: memory.gatherOwn,
    lastOwnAt: memory.lastOwnAt,
    addFound: memory.rememberFound,
    noteIncomplete: (threadId) => store.setIncomplete(threadId, true),
    isIncomplete: store.isIncomplete,
    async list(threadId) {
      const all: Compared[] = [];
      // One after the other: each holds a file in memory.
      for (const record of await store.list(threadId)) all.push(await compare(record));
      // What was moved stands at its new place only.
      const left = new Set(all.flatMap((one) => movedFrom(one)?.record.path ?? []));
      return all
        .filter(({ record }) => !left.has(record.path))
        .flatMap((one) => describe(one) ?? [])
        .sort((a, b) => (a.path < b.path ? -1 : 1));
    },
    diff: async (threadId, path) => toDiff(await find(threadId, path)),
    async revert(threadId, path) {
      for (const { record } of await putBack(await find(threadId, path))) {
        memory.notePutBack(record.path, record.currentHash, record.originalHash);
        await memory.drop(record);
      }
    },
    async forget(threadId) {
      for (const record of await store.list(threadId)) await memory.drop(record);
      await store.setIncomplete(threadId, false);
    },
  };
}
