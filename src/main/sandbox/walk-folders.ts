/** Goes through the folders of a workspace, the nearest first, as far as that holds no command up. */
import type { Dirent } from "node:fs";
import { join } from "node:path";
import { fromEntries } from "./remembered-entries.ts";

/** A look at each costs some microseconds, before a command and after it. */
const mostFolders = 2_000;

/** Neither git's own data, which is looked at as such, nor what package managers fetch. */
const isWalked = (entry: Dirent): boolean =>
  entry.isDirectory() && entry.name !== ".git" && entry.name !== "node_modules";

/** The names of the folders in it that are walked. */
export const walkedIn = fromEntries((entries) => entries.filter(isWalked).map(({ name }) => name));

/**
 * The paths of its folders below it, its own first, which is empty. Links are not followed.
 * @param enters whether it goes on into a folder that is walked otherwise
 */
export function* walkFolders(
  root: string,
  enters: (name: string, below: string) => boolean,
): Generator<string> {
  const waiting = [""];
  for (let at = 0; at < Math.min(waiting.length, mostFolders); at += 1) {
    const below = waiting[at] ?? "";
    yield below;
    for (const name of walkedIn(join(root, below)))
      if (waiting.length < mostFolders && enters(name, below))
        waiting.push(below === "" ? name : `${below}/${name}`);
  }
}
