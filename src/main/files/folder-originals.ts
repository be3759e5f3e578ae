/** Keeps what is inside a folder before the folder is deleted, so that each file can be brought back. */

import { join } from "node:path";
import type { OriginalFile } from "./change-observer.ts";
import { readStored } from "./stored-file.ts";
import { createWalkBudget, isIgnoredFolder, walkFolders } from "./walk-folders.ts";

const maxFiles = 500;
const maxTotalBytes = 50_000_000;
const maxMs = 5_000;

/**
 * The files below a real path, generated ones left out; content only as far as it fits the limits,
 * so a huge folder is remembered by name.
 */
export async function readTreeFiles(path: string, maxFileBytes: number): Promise<OriginalFile[]> {
  const originals: OriginalFile[] = [];
  const budget = createWalkBudget(maxMs, maxFiles);
  let bytesLeft = maxTotalBytes;
  for await (const { folder, entries } of walkFolders(path, budget, (name) => !isIgnoredFolder(name))) {
    for (const entry of entries) {
      if (!entry.isFile()) continue;
      const file = join(folder.path, entry.name);
      const stored = await readStored(folder, entry.name, file, {
        keepBytes: Math.min(bytesLeft, maxFileBytes),
      });
      if (stored === null) continue;
      bytesLeft -= stored.bytes?.length ?? 0;
      originals.push({ path: file, hash: stored.hash, bytes: stored.bytes, mode: stored.mode });
    }
  }
  return originals;
}
