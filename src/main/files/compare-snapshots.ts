/** Tells what happened to files between two looks at a workspace: what was there before, with its copy, and what is there now. */

import { join } from "node:path";
import { hashOfLink, markOf } from "./file-mark.ts";
import { readWhole } from "./read-whole.ts";
import { type FoundChange, unknownHash } from "./snapshot-messages.ts";
import { hashBytes } from "./stored-file.ts";
import type { SeenFile, TreeSnapshot } from "./tree-snapshot.ts";

/** A file that differs between two looks; null where it was not there. */
export type TreeChange = {
  readonly path: string;
  readonly before: SeenFile | null;
  readonly after: SeenFile | null;
};

type Seen = Pick<TreeSnapshot, "files" | "complete">;

/** Whether the content is another one; without copies its time decides. */
function hasOtherContent(before: SeenFile, after: SeenFile): boolean {
  if (before === after) return false;
  if (before.isLink !== after.isLink) return true;
  if (before.bytes && after.bytes) return !before.bytes.equals(after.bytes);
  return before.size !== after.size || before.modifiedAt !== after.modifiedAt || before.inode !== after.inode;
}

function differs(before: SeenFile, after: SeenFile): boolean {
  return before.mode !== after.mode || hasOtherContent(before, after);
}

/** What happened between two snapshots, by path. What an incomplete one cannot tell is left out. */
export function compareSnapshots(before: Seen, after: Seen): TreeChange[] {
  const changes: TreeChange[] = [];
  for (const [path, old] of before.files) {
    const now = after.files.get(path) ?? null;
    if (now ? differs(old, now) : after.complete) changes.push({ path, before: old, after: now });
  }
  if (before.complete)
    for (const [path, now] of after.files)
      if (!before.files.has(path)) changes.push({ path, before: null, after: now });
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

const maxHashedBytes = 10_000_000;

function hashKept({ isLink, bytes }: SeenFile): string | undefined {
  if (bytes === null) return undefined;
  return isLink ? hashOfLink(bytes) : hashBytes(bytes);
}

function hashNow(root: string, path: string, now: SeenFile): string {
  const known = hashKept(now);
  if (known !== undefined) return known;
  const bytes = now.size <= maxHashedBytes ? readWhole(join(root, path), now.size) : null;
  return bytes ? hashBytes(bytes) : unknownHash;
}

/** Of a content that was not copied and stayed what it was, what it is now tells what it was. */
function hashBefore(before: SeenFile, after: SeenFile | null, hash: string | null): string {
  const known = hashKept(before);
  if (known !== undefined) return known;
  return after && !hasOtherContent(before, after) ? (hash ?? unknownHash) : unknownHash;
}

/** @param root where both looks were taken */
export function toFound(root: string, { path, before, after }: TreeChange): FoundChange {
  const hash = after && hashNow(root, path, after);
  return {
    path,
    original: before && {
      // Copied once more, since what is handed over is gone here and other snapshots may hold it.
      bytes: before.isLink || !before.bytes ? null : new Uint8Array(before.bytes),
      hash: hashBefore(before, after, hash),
      mode: before.mode,
    },
    hash,
    mode: after?.mode ?? null,
    mark: after && !after.fresh ? markOf(after) : null,
  };
}
