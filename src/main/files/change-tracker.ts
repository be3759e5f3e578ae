/** Remembers what files were before a thread changed them, so that its work can be shown and taken back. */
import type { FileDiff } from "../../shared/contract/approvals.ts";
import { createChangeMemory, type OwnChanges } from "./change-memory.ts";
import type { ChangeObserver } from "./change-observer.ts";
import type { ChangeRecord, ChangeStore } from "./change-store.ts";
import { countChangedLines } from "./changed-lines.ts";
import { FileError, StaleFileError } from "./file-error.ts";
import type { OriginalBlobs } from "./original-blobs.ts";
import type { FoundChange } from "./snapshot-messages.ts";
import { decodeText } from "./stored-file.ts";
import { createWorkspaceFiles, type RawFile } from "./workspace-files.ts";

/** One file that is not what it was before the thread; `path` is relative to the workspace, or real when outside it. */
export interface ChangedFile {
  readonly path: string;
  readonly state: "added" | "changed" | "deleted";
  readonly added: number;
  readonly removed: number;
  /** A command had a part in it. */
  readonly byCommand: boolean;
  /** Whether `revert` would do it, or why it would not: somebody else changed the file too, or it is too large to be read. */
  readonly putBack: "possible" | "not-kept" | "changed-since" | "unreadable";
}

/** Paths are as `list` gives them, or real. */
export interface ChangeTracker {
  /** To be passed to every change a thread makes in the workspace `root`. */
  observe(threadId: string, root: string): ChangeObserver;
  /** Begins to note what the app itself changes while a command runs. */
  gatherOwn(): OwnChanges;
  /** When the app itself last changed a file, in ms since 1970. */
  lastOwnAt(): number;
  /** Adds what a command of the thread changed in `root`, but for what the app itself changed meanwhile. */
  addFound(threadId: string, root: string, changes: readonly FoundChange[], own: OwnChanges): Promise<void>;
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
}

const maxDiffBytes = 1_000_000;

/** What is on disk now; one that cannot be read counts as changed and is not shown. */
type CurrentFile = Pick<RawFile, "hash" | "text"> & { readonly size: number };

const unreadable: CurrentFile = { hash: "", text: null, size: Infinity };

interface Compared {
  readonly record: ChangeRecord;
  readonly shownPath: string;
  readonly before: Buffer | null;
  readonly now: CurrentFile | null;
}

async function readNow(record: ChangeRecord): Promise<Pick<Compared, "shownPath" | "now">> {
  let shownPath = record.path;
  try {
    const files = createWorkspaceFiles(record.root);
    shownPath = (await files.resolve(record.path)).relativePath;
    const { hash, text, bytes } = await files.readRaw(record.path, { allowOutside: true });
    return { shownPath, now: { hash, text, size: bytes.length } };
  } catch (cause) {
    if (!(cause instanceof FileError)) throw cause;
    const gone = cause.code === "not-found" || cause.code === "not-a-folder";
    return { shownPath, now: gone ? null : unreadable };
  }
}

function stateOf(record: ChangeRecord, now: CurrentFile | null): ChangedFile["state"] | null {
  if (now === null) return record.originalHash === null ? null : "deleted";
  if (record.originalHash === null) return "added";
  return record.originalHash === now.hash ? null : "changed";
}

function toDiff({ shownPath, before, now, record }: Compared): FileDiff {
  const old = before && decodeText(before);
  const fresh = now?.text ?? null;
  const tooLarge = !record.kept || Math.max(before?.length ?? 0, now?.size ?? 0) > maxDiffBytes;
  return { path: shownPath, before: tooLarge ? null : old, after: tooLarge ? null : fresh, tooLarge };
}

function canPutBack({ record, before, now }: Compared): ChangedFile["putBack"] {
  if (record.originalHash !== null && before === null) return "not-kept";
  if (now === unreadable) return "unreadable";
  const untouched = !record.mixed && (now?.hash ?? null) === record.currentHash;
  return untouched ? "possible" : "changed-since";
}

function refusal(path: string, why: Exclude<ChangedFile["putBack"], "possible">): FileError {
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

async function putBack(record: ChangeRecord, before: Buffer | null): Promise<void> {
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

/**
 * @param blobs where originals are kept
 * @param store where it is written down which they are
 */
export function createChangeTracker(blobs: OriginalBlobs, store: ChangeStore): ChangeTracker {
  const memory = createChangeMemory(blobs, store);
  const compare = async (record: ChangeRecord): Promise<Compared> => {
    const before = record.originalHash !== null && record.kept ? await blobs.get(record.originalHash) : null;
    return { record, before, ...(await readNow(record)) };
  };
  const find = async (threadId: string, path: string): Promise<Compared> => {
    for (const record of await store.list(threadId)) {
      const isIt =
        record.path === path || (await createWorkspaceFiles(record.root).resolve(path)).path === record.path;
      if (isIt) return compare(record);
    }
    throw new FileError("not-found", path, `This thread did not change ${path}.`);
  };
  return {
    observe: (threadId, root) => ({
      beforeChange: (original) => memory.remember(threadId, root, original),
      afterChange: (path, hash) => memory.confirm(threadId, path, hash),
    }),
    gatherOwn: memory.gatherOwn,
    lastOwnAt: memory.lastOwnAt,
    addFound: memory.rememberFound,
    noteIncomplete: (threadId) => store.setIncomplete(threadId, true),
    isIncomplete: store.isIncomplete,
    async list(threadId) {
      const changed: ChangedFile[] = [];
      for (const record of await store.list(threadId)) {
        const compared = await compare(record);
        const state = stateOf(record, compared.now);
        if (state === null) continue;
        const { path, before, after } = toDiff(compared);
        const byCommand = record.byCommand === true;
        const lines = countChangedLines(before, after);
        changed.push({ path, state, ...lines, byCommand, putBack: canPutBack(compared) });
      }
      return changed.sort((a, b) => (a.path < b.path ? -1 : 1));
    },
    diff: async (threadId, path) => toDiff(await find(threadId, path)),
    async revert(threadId, path) {
      const compared = await find(threadId, path);
      const { record, before, now } = compared;
      const answer = canPutBack(compared);
      if (answer !== "possible") throw refusal(path, answer);
      if (before !== null || now !== null) await putBack(record, before);
      memory.notePutBack(record.path, record.currentHash, record.originalHash);
      await memory.drop(record);
    },
    async forget(threadId) {
      for (const record of await store.list(threadId)) await memory.drop(record);
      await store.setIncomplete(threadId, false);
    },
  };
}
