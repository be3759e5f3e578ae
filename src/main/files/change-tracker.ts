/** Remembers what files were before a thread changed them, shows its work, and puts back what is still as the thread left it. */
import type { FileDiff } from "../../shared/contract/approvals.ts";
import { createChangeMemory, type OwnChanges } from "./change-memory.ts";
import type { ChangeObserver } from "./change-observer.ts";
import type { ChangeRecord, ChangeStore } from "./change-store.ts";
import { countChangedLines } from "./changed-lines.ts";
import {
  type Compared,
  movedFrom,
  readNow,
  shownPathOf,
  stateOf,
  toDiff,
  unreadable,
} from "./compare-file.ts";
import { FileError, StaleFileError } from "./file-error.ts";
import type { OriginalBlobs } from "./original-blobs.ts";
import type { FoundChange } from "./snapshot-messages.ts";
import { createWorkspaceFiles } from "./workspace-files.ts";

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

/** Whether it can be put back, or why not: its original is gone, somebody else changed it too, or it is too large to be read. */
type PutBack = "possible" | "not-kept" | "changed-since" | "unreadable";

/** Closed: only a file that nobody else touched since can be put back. @returns otherwise why not. */
function canPutBack(compared: Compared): PutBack {
  const { record, before, now, origin } = compared;
  if (now === unreadable) return "unreadable";
  const from = movedFrom(compared);
  if (!from && record.originalHash !== null && before === null) return "not-kept";
  const isLeftAlone = !record.mixed && !from?.record.mixed && (now?.hash ?? null) === record.currentHash;
  if (!isLeftAlone) return "changed-since";
  if (from) return from.before !== null || isJustMoved(record, from.record) ? "possible" : "not-kept";
  // It came from elsewhere, and this is all there is left of what was there.
  const holdsLast = origin !== undefined && origin.before === null && isJustMoved(record, origin.record);
  return holdsLast && now !== null ? "not-kept" : "possible";
}

function isJustMoved(record: ChangeRecord, origin: ChangeRecord): boolean {
  return origin.originalHash !== null && record.currentHash === origin.originalHash;
}

function refusal(path: string, why: Exclude<PutBack, "possible">): FileError {
  const advice = "Bring it back from version control.";
  switch (why) {
    case "not-kept":
      return new FileError("too-large", path, `The original of ${path} was not kept. ${advice}`);
    case "unreadable":
      return new FileError("too-large", path, `${path} is too large or cannot be read. ${advice}`);
    case "changed-since":
      return new StaleFileError(path, "was changed by something else too, which a revert would undo");
  }
}

/** @returns whatever is as it was now. @throws FileError when it cannot be put back; nothing is changed then. */
async function putBack(compared: Compared): Promise<Compared[]> {
  const { record, before, now, shownPath } = compared;
  const answer = canPutBack(compared);
  if (answer !== "possible") throw refusal(shownPath, answer);
  const from = movedFrom(compared);
  if (!from) {
    if (before !== null || now !== null) await restore(record, before);
    return [compared];
  }
  if (isJustMoved(record, from.record)) await moveBack(record, from.record);
  else {
    // The old place first: what was there is never nowhere.
    await restore(from.record, from.before);
    await restore(record, null);
  }
  return [compared, from];
}

async function restore(record: ChangeRecord, before: Buffer | null): Promise<void> {
  const files = createWorkspaceFiles(record.root);
  const { path } = record;
  const request = before
    ? ({ operation: "write", path, content: before } as const)
    : ({ operation: "delete", path } as const);
  const grant = { allowOutside: true };
  const plan = await files.planChange(request, grant);
  // The record, not the plan, says what may be replaced: it is what the thread left there.
  const approved = { ...plan, path, beforeHash: record.currentHash };
  await files.applyChange(request, approved, { ...grant, mode: record.mode ?? undefined });
}

async function moveBack({ root, path, currentHash }: ChangeRecord, origin: ChangeRecord): Promise<void> {
  const files = createWorkspaceFiles(root);
  const to = { path: origin.path };
  const approved = { path, to, beforeHash: currentHash, afterHash: currentHash };
  const grant = { allowOutside: true, allowTargetOutside: true };
  await files.applyChange({ operation: "move", path, to: origin.path }, approved, grant);
}
