/** Turns one file from the version that it is known to be into another: only that one, and whole or not at all. */

import { open, rmdir } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { ChangeObserver } from "../files/change-observer.ts";
import { FileError, StaleFileError, systemCode, toFileError } from "../files/file-error.ts";
import type { OriginalBlobs } from "../files/original-blobs.ts";
import { pinFolder, withFolder } from "../files/pinned-folder.ts";
import { readFlags } from "../files/read-whole.ts";
import { hashOpen } from "../files/stored-file.ts";
import type { WorkspaceFiles } from "../files/workspace-files.ts";
import { type ComesBack, foldersAbove } from "./plan-take-back.ts";

export type VersionPutter = {
  files: WorkspaceFiles;
  blobs: Pick<OriginalBlobs, "get">;
  /** Absent where nobody has to know of it. */
  observer: ChangeObserver | undefined;
};

/** @throws StaleFileError when it is another version by now; FileError when the system refuses. Nothing is changed then. */
export async function putVersion({ files, blobs, observer }: VersionPutter, file: ComesBack): Promise<void> {
  const { path, from, to } = file;
  if (from && to && from.hash === to.hash) return setMode(path, from.hash, to.mode);
  const content = to && (await blobs.get(to.hash));
  if (to && !content) throw new FileError("not-found", path, `What ${path} was is not kept any more.`);
  const request = content
    ? ({ operation: "write", path, content } as const)
    : ({ operation: "delete", path } as const);
  const plan = await files.planChange(request);
  const approved = { ...plan, path, beforeHash: from?.hash ?? null, afterHash: to?.hash ?? null };
  await files.applyChange(request, approved, { mode: to?.mode ?? undefined, observer });
}

/** Permissions alone: the content stays, so it is only looked at. The folder is held, whatever takes its path meanwhile. */
async function setMode(path: string, hash: string, mode: number | null): Promise<void> {
  if (mode === null) return;
  await withFolder(pinFolder(dirname(path)), async (folder) => {
    const handle = await open(folder.at(basename(path)), readFlags).catch((cause: unknown) => {
      throw systemCode(cause) === "ELOOP" ? changed(path) : toFileError(cause, path);
    });
    try {
      await folder.verify();
      if (!(await handle.stat()).isFile() || (await hashOpen(handle)) !== hash) throw changed(path);
      await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
  });
}

function changed(path: string): StaleFileError {
  return new StaleFileError(path, "was changed meanwhile");
}

/** Takes away the folders, empty by now, that stand where a file is about to come back. */
export async function clearWayTo(root: string, gone: string, wanted: ReadonlySet<string>): Promise<void> {
  const above = foldersAbove(root, gone);
  const last = above.findIndex((folder) => wanted.has(folder));
  for (const folder of above.slice(0, last + 1)) await rmdir(folder).catch(() => {});
}

/** What goes first, then what comes: a file may come where the folder of another was. */
export function inOrder(files: readonly ComesBack[]): ComesBack[] {
  return [...files.filter(({ to }) => to === null), ...files.filter(({ to }) => to !== null)];
}
