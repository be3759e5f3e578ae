/** What a file was before a thread changed it, beside what is there now: the state, and the difference that is shown. */
import { relative } from "node:path";
import type { FileDiff } from "../../shared/contract/approvals.ts";
import { isInside } from "../paths/real-of.ts";
import type { ChangeRecord } from "./change-store.ts";
import { FileError } from "./file-error.ts";
import { withSlashes } from "./real-path.ts";
import { decodeText } from "./stored-file.ts";
import { createWorkspaceFiles, type RawFile } from "./workspace-files.ts";

const maxDiffBytes = 1_000_000;

/** What is on disk now; one that cannot be read counts as changed and is not shown. */
type CurrentFile = Pick<RawFile, "hash" | "text"> & { readonly size: number };

export const unreadable: CurrentFile = { hash: "", text: null, size: Infinity };

export type Compared = {
  readonly record: ChangeRecord;
  readonly shownPath: string;
  readonly before: Buffer | null;
  readonly now: CurrentFile | null;
  /** The place that a move brought it from. */
  readonly origin?: Compared;
};

/** How the path of a record is shown, and asked for: from its workspace on, or whole. */
export function shownPathOf({ root, path }: Pick<ChangeRecord, "root" | "path">): string {
  return isInside(root, path) ? withSlashes(relative(root, path)) : path;
}

/**
 * Reads the file of a record as it is on the disk. A link that has its place by now, or that of a folder on the way, is not
 * followed: it may lead to what no agent may read, and nobody was asked about that.
 */
export async function readNow(record: ChangeRecord): Promise<Pick<Compared, "shownPath" | "now">> {
  const shownPath = shownPathOf(record);
  try {
    const files = createWorkspaceFiles(record.root);
    const grant = { allowOutside: true, shownPath: record.path };
    const { hash, text, bytes } = await files.readRaw(record.path, grant);
    return { shownPath, now: { hash, text, size: bytes.length } };
  } catch (cause) {
    if (!(cause instanceof FileError)) throw cause;
    const gone = cause.code === "not-found" || cause.code === "not-a-folder";
    return { shownPath, now: gone ? null : unreadable };
  }
}

/** Where the file was before the thread, if all that became of it there is that it was moved here. */
export function movedFrom({ record, now, origin }: Compared): Compared | undefined {
  const wasNothing = record.originalHash === null && now !== null;
  return wasNothing && origin?.now === null && origin.record.originalHash !== null ? origin : undefined;
}

export type FileState = "added" | "changed" | "deleted" | "moved";

/** @returns `undefined` when it is what it was. */
export function stateOf(compared: Compared): FileState | undefined {
  const { record, now } = compared;
  if (now === null) return record.originalHash === null ? undefined : "deleted";
  if (record.originalHash === null) return movedFrom(compared) ? "moved" : "added";
  return record.originalHash === now.hash ? undefined : "changed";
}

/** Both sides are `null` where they are too large or were not kept, and the difference says so. */
export function toDiff(compared: Compared): FileDiff {
  const { shownPath, now } = compared;
  const { before, record } = movedFrom(compared) ?? compared;
  const old = before && decodeText(before);
  const fresh = now?.text ?? null;
  const tooLarge = !record.kept || Math.max(before?.length ?? 0, now?.size ?? 0) > maxDiffBytes;
  return { path: shownPath, before: tooLarge ? null : old, after: tooLarge ? null : fresh, tooLarge };
}
