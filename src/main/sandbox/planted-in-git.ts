/** What git itself would do for whoever wrote in its folder: links that it writes through, and steps that run programs. */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { readNow } from "../base/read-now.ts";
import { entriesOf } from "./remembered-entries.ts";

/** So many of its entries are looked at; who has more of them keeps them in packs. */
const mostEntries = 5_000;
/** What git keeps by its content, under names that nobody chooses, and what no command can write. */
const passedOver = new Set(["objects", "hooks", "modules", "worktrees"]);
/** The steps of a rebase that waits to go on. */
const stepLists = ["rebase-merge/git-rebase-todo", "rebase-apply/git-rebase-todo"];
const longestList = 1024 * 1024;
const runsProgram = /^\s*(?:x|exec)\s+(\S.*)$/gm;

/** @returns the paths in this folder of git's that are such; nothing behind a link. */
export function findPlanted(git: string): string[] {
  return [...linksIn(git), ...stepLists.filter((name) => stepsOf(join(git, name)) !== undefined)];
}

/** Git opens its messages, logs and lists by their names, and whatever a link of such a name leads to is written. */
function linksIn(git: string): string[] {
  const links: string[] = [];
  const folders = [""];
  let seen = 0;
  for (let folder = folders.pop(); folder !== undefined && seen < mostEntries; folder = folders.pop())
    for (const entry of entriesOf(join(git, folder))) {
      seen += 1;
      const below = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isSymbolicLink()) links.push(below);
      else if (entry.isDirectory() && !passedOver.has(entry.name)) folders.push(below);
    }
  return links;
}

/**
 * What a list of steps would run, each once, so that the same list is known again when git has done a part of it.
 * @returns undefined for one that runs nothing, and for any other file
 */
export function stepsOf(path: string): string | undefined {
  if (!stepLists.some((name) => path.endsWith(`/${name}`))) return undefined;
  try {
    const found = lstatSync(path);
    if (!found.isFile() || found.size > longestList) return undefined;
    const steps = [...readNow(path, "no link").toString().matchAll(runsProgram)].map(([, what = ""]) =>
      what.trim(),
    );
    return steps.length === 0 ? undefined : [...new Set(steps)].toSorted().join("\n");
  } catch {
    return undefined;
  }
}
