/** Remembers what files were before a thread changed them, so that its work can be shown and taken back. */
import type { FileDiff } from "../../shared/contract/approvals.ts";
import type { ChangeObserver, OriginalFile } from "./change-observer.ts";
import type { ChangeRecord, ChangeStore } from "./change-store.ts";
import { countChangedLines } from "./changed-lines.ts";
import { FileError, StaleFileError } from "./file-error.ts";
import type { OriginalBlobs } from "./original-blobs.ts";
import { decodeText } from "./stored-file.ts";
import { createWorkspaceFiles, type RawFile } from "./workspace-files.ts";

/** One file that is not what it was before the thread; `path` is relative to the workspace, or real when outside it. */
export interface ChangedFile {
  readonly path: string;
  readonly state: "added" | "changed" | "deleted";
  readonly added: number;
  readonly removed: number;
}

/** Paths are as `list` gives them, or real. */
export interface ChangeTracker {
  /** To be passed to every change a thread makes in the workspace `root`. */
  observe(threadId: string, root: string): ChangeObserver;
  list(threadId: string): Promise<ChangedFile[]>;
  /** The original against what is on disk now. */
  diff(threadId: string, path: string): Promise<FileDiff>;
  /** Puts the original back. @throws StaleFileError when somebody else changed the file since; FileError when it was not kept */
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

function createMemory(blobs: OriginalBlobs, store: ChangeStore) {
  const remember = async (threadId: string, root: string, original: OriginalFile) => {
    const { path, hash, bytes, mode } = original;
    if ((await store.get(threadId, path)) !== null) return;
    if (bytes !== null) await blobs.put(bytes);
    const kept = bytes !== null || hash === null;
    await store.put({ threadId, path, root, originalHash: hash, kept, mode, currentHash: hash });
  };
  const confirm = async (threadId: string, path: string, currentHash: string | null) => {
    const record = await store.get(threadId, path);
    if (record) await store.put({ ...record, currentHash });
  };
  const drop = async ({ threadId, path, originalHash }: ChangeRecord) => {
    await store.delete(threadId, path);
    if (originalHash !== null && !(await store.uses(originalHash))) await blobs.delete(originalHash);
  };
  return { remember, confirm, drop };
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
  const { remember, confirm, drop } = createMemory(blobs, store);
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
      beforeChange: (original) => remember(threadId, root, original),
      afterChange: (path, hash) => confirm(threadId, path, hash),
    }),
    async list(threadId) {
      const changed: ChangedFile[] = [];
      for (const record of await store.list(threadId)) {
        const compared = await compare(record);
        const state = stateOf(record, compared.now);
        if (state === null) continue;
        const { path, before, after } = toDiff(compared);
        changed.push({ path, state, ...countChangedLines(before, after) });
      }
      return changed.sort((a, b) => (a.path < b.path ? -1 : 1));
    },
    diff: async (threadId, path) => toDiff(await find(threadId, path)),
    async revert(threadId, path) {
      const { record, before, now } = await find(threadId, path);
      if (record.originalHash !== null && before === null) {
        throw new FileError(
          "too-large",
          path,
          `The original of ${path} was not kept. Bring it back from version control.`,
        );
      }
      if ((now?.hash ?? null) !== record.currentHash) {
        throw new StaleFileError(
          path,
          "was changed by something else after this thread, which a revert would undo",
        );
      }
      if (before !== null || now !== null) await putBack(record, before);
      await drop(record);
    },
    async forget(threadId) {
      for (const record of await store.list(threadId)) await drop(record);
    },
  };
}
