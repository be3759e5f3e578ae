/** Goes through the folders of a workspace, the nearest first, as far as that holds no command up. */
import type { Dirent } from "node:fs";
import { fromEntries } from "./remembered-entries.ts";

/** A look at each costs some microseconds, before a command and after it. */
const mostFolders = 2_000;

/** Neither git's own data, which is looked at as such, nor what package managers fetch. */
const isWalked = (entry: Dirent): boolean =>
  entry.isDirectory() && entry.name !== ".git" && entry.name !== "node_modules";

/** The folders in it that are walked. Their paths are kept with them: to make and to look up a new text for each costs as much as to look at the folder. */
export const walkedIn = fromEntries((entries, folder) =>
  entries.filter(isWalked).map(({ name }) => ({ name, path: `${folder}/${name}` })),
);

/** `below` is its path from the root, empty for the root itself; `path` the whole one. */
export type Walked = { readonly below: string; readonly path: string };

/**
 * The root and the folders below it. Links are not followed.
 * @param enters whether it goes on into a folder that is walked otherwise
 */
export function* walkFolders(
  root: string,
  enters: (name: string, parent: Walked) => boolean,
): Generator<Walked> {
  const waiting: Walked[] = [{ below: "", path: root }];
  for (let at = 0; at < waiting.length; at += 1) {
    const folder = waiting[at]!;
    yield folder;
    if (waiting.length === mostFolders) continue;
    const { below } = folder;
    for (const { name, path } of walkedIn(folder.path))
      if (waiting.length < mostFolders && enters(name, folder))
        waiting.push({ below: below === "" ? name : `${below}/${name}`, path });
  }
}
