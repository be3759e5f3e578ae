/** Puts a changed file back as it was before its thread: only what the thread left there is replaced, and nothing is lost. */
import type { ChangeRecord } from "./change-store.ts";
import { type Compared, movedFrom, unreadable } from "./compare-file.ts";
import { FileError, StaleFileError } from "./file-error.ts";
import { createWorkspaceFiles } from "./workspace-files.ts";

/** Whether it can be put back, or why not: its original is gone, somebody else changed it too, or it is too large to be read. */
export type PutBack = "possible" | "not-kept" | "changed-since" | "unreadable";

/** Closed: only a file that nobody else touched since can be put back. @returns otherwise why not. */
export function canPutBack(compared: Compared): PutBack {
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
export async function putBack(compared: Compared): Promise<Compared[]> {
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
