/** Sums up a folder's whole content in one hash, so that the folder that is deleted is the one that was shown. */
import { createHash } from "node:crypto";
import { FileError } from "./file-error.ts";
import { lookAt } from "./folder-entry.ts";
import { createWalkBudget, walkFolders } from "./walk-folders.ts";

const maxEntries = 20_000;
const maxMs = 10_000;

/**
 * Hash over every name below `path` with its kind, size and time of change.
 * @param path a real path
 * @throws FileError `too-large` when there is too much in it to look at
 */
export async function describeFolder(path: string, shown: string): Promise<{ hash: string; count: number }> {
  const budget = createWalkBudget(maxMs, maxEntries);
  const lines: string[] = [];
  for await (const { folder, prefix, entries } of walkFolders(path, budget, () => true)) {
    for (const { name } of entries) {
      const entry = await lookAt(folder, name, shown);
      if (entry === null) continue;
      const what = entry.kind === "folder" ? "" : `${entry.size}\0${entry.modifiedNs}\0${entry.target ?? ""}`;
      lines.push(`${prefix}${name}\0${entry.kind}\0${what}`);
    }
  }
  if (budget.exhausted) {
    const why = `${shown} holds too many files to look through. Delete smaller parts of it, or use a shell command.`;
    throw new FileError("too-large", shown, why);
  }
  const hash = createHash("sha256").update("folder\0");
  for (const line of lines.sort()) hash.update(`${line}\n`);
  return { hash: hash.digest("hex"), count: lines.length };
}
