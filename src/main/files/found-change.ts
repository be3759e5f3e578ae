/** What changed between two looks at a workspace, as it is told: what was there before with its copy, and what is there now. */
import { join } from "node:path";
import { hasOtherContent, type TreeChange } from "./compare-snapshots.ts";
import { markOf } from "./file-mark.ts";
import { hashOfLink } from "./link-hash.ts";
import { readWhole } from "./read-whole.ts";
import { type FoundChange, unknownHash } from "./snapshot-messages.ts";
import { hashBytes } from "./stored-file.ts";
import type { SeenFile } from "./tree-snapshot.ts";

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
