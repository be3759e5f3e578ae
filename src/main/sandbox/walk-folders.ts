/** Goes through the folders of a workspace, the nearest first, as far as that holds no command up. */
import type { Dirent } from "node:fs";
import { join } from "node:path";
import { rememberedEntries } from "./remembered-entries.ts";

/** A look at each costs some microseconds, before a command and after it. */
const mostFolders = 2_000;

/** Neither git's own data, which is looked at as such, nor what package managers fetch. */
export const isWalked = (entry: Dirent): boolean =>
  entry.isDirectory() && entry.name !== ".git" && entry.name !== "node_modules";

type Folder = { readonly below: string; readonly entries: readonly Dirent[] };

/**
 * The folder itself first, whose `below` is empty. Links are not followed.
 * @param enters whether it goes on into a folder that is walked otherwise
 */
export function* walkFolders(
  root: string,
  enters: (name: string, below: string) => boolean,
): Generator<Folder> {
  const waiting = [""];
  for (let at = 0; at < Math.min(waiting.length, mostFolders); at += 1) {
    const below = waiting[at] ?? "";
    const entries = rememberedEntries(join(root, below));
    for (const entry of entries)
      if (waiting.length < mostFolders && isWalked(entry) && enters(entry.name, below))
        waiting.push(below === "" ? entry.name : `${below}/${entry.name}`);
    yield { below, entries };
  }
}
