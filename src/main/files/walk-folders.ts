/** Walks a folder tree in bounded time, near before far, and never through a link. */
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { FileError, toFileError } from "./file-error.ts";
import { type PinnedFolder, pinFolder } from "./pinned-folder.ts";

/** What a walk may still spend; shared between walks, and told when it ran out. */
export type WalkBudget = {
  entriesLeft: number;
  /** When to stop, on the clock of `performance.now()`. */
  readonly deadline: number;
  readonly signal?: AbortSignal;
  exhausted: boolean;
};

/** One folder of the walk; `folder` stays pinned until the next one is asked for. */
type WalkedFolder = {
  readonly folder: PinnedFolder;
  /** From where the walk began, with `/` and ending in `/`; empty for the start itself. */
  readonly prefix: string;
  readonly entries: readonly Dirent[];
};

/** Folders that hold what tools made, not what people wrote. */
const ignoredFolders = new Set([".git", ".hg", ".svn", "node_modules", ".venv", "__pycache__"]);

/** Whether a search leaves this folder out, unless it was named. */
export function isIgnoredFolder(name: string): boolean {
  return ignoredFolders.has(name);
}

/** A budget of `maxMs` from now and `maxEntries` names. */
export function createWalkBudget(maxMs: number, maxEntries: number, signal?: AbortSignal): WalkBudget {
  return { entriesLeft: maxEntries, deadline: performance.now() + maxMs, signal, exhausted: false };
}

/** Whether the walk must end, remembering that it did. @throws the signal's reason when it was aborted */
export function isSpent(budget: WalkBudget): boolean {
  budget.signal?.throwIfAborted();
  if (budget.entriesLeft <= 0 || performance.now() > budget.deadline) budget.exhausted = true;
  return budget.exhausted;
}

/** A folder that vanished, was swapped or may not be opened is left out; the rest is still worth having. */
async function pinIfPossible(path: string): Promise<PinnedFolder | null> {
  try {
    return await pinFolder(path);
  } catch (cause) {
    if (cause instanceof FileError && cause.code !== "io") return null;
    throw cause;
  }
}

/**
 * Yields every folder from `start` (a real path) downwards.
 * @param enters whether to go into a folder, by its name
 */
export async function* walkFolders(
  start: string,
  budget: WalkBudget,
  enters: (name: string) => boolean,
): AsyncGenerator<WalkedFolder> {
  const queue = [""];
  for (let prefix = queue.shift(); prefix !== undefined; prefix = queue.shift()) {
    if (isSpent(budget)) return;
    const folder = await pinIfPossible(prefix === "" ? start : join(start, prefix.slice(0, -1)));
    if (folder === null) continue;
    try {
      const entries = await readdir(folder.at("."), { withFileTypes: true });
      budget.entriesLeft -= entries.length;
      for (const entry of entries) {
        if (entry.isDirectory() && enters(entry.name)) queue.push(`${prefix}${entry.name}/`);
      }
      yield { folder, prefix, entries };
    } catch (cause) {
      throw budget.signal?.aborted ? cause : toFileError(cause, folder.path);
    } finally {
      await folder.close();
    }
  }
}
