/** Tells what happened to files between two looks at a workspace. */
import type { SeenFile, TreeSnapshot } from "./tree-snapshot.ts";

/** A file that differs between two looks; null where it was not there. */
export type TreeChange = {
  readonly path: string;
  readonly before: SeenFile | null;
  readonly after: SeenFile | null;
};

type Seen = Pick<TreeSnapshot, "files" | "complete">;

/** Whether the content is another one; without copies its time decides. */
export function hasOtherContent(before: SeenFile, after: SeenFile): boolean {
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
