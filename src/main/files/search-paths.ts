/** Finds files and folders for an @-mention while a person types. */
import { isTemporaryName } from "./put-file.ts";
import { createWalkBudget, isIgnoredFolder, walkFolders } from "./walk-folders.ts";

const maxEntries = 30_000;
const maxMs = 400;

const boundary = /[/\\._\- ]/;

/** Where each character of the query is found in turn, preferring `from` the given index; null when it is not all there. */
function scoreFrom(target: string, query: string, from: number): number | null {
  let score = 0;
  let at = from - 1;
  let previous = -2;
  for (const character of query) {
    at = target.indexOf(character, at + 1);
    if (at === -1) return null;
    if (at === previous + 1) score += 8;
    else if (at === 0 || boundary.test(target[at - 1] ?? "")) score += 6;
    else score -= 1;
    previous = at;
  }
  return score;
}

/**
 * How well a query fits a path, higher is better; null when its characters are not in the path in order.
 * Runs, starts of names and hits in the last name count more; short paths win a tie.
 */
function scorePath(path: string, query: string): number | null {
  if (query === "") return -path.length;
  const target = path.toLowerCase();
  const wanted = query.toLowerCase().replace(/\s+/g, "");
  const nameStart = target.lastIndexOf("/", target.length - 2) + 1;
  const inName = scoreFrom(target, wanted, nameStart);
  const exact = target.indexOf(wanted, nameStart);
  const anywhere = scoreFrom(target, wanted, 0);
  if (anywhere === null) return null;
  const bonus = exact === nameStart ? 40 : exact > nameStart ? 20 : 0;
  return Math.max(anywhere, inName === null ? -Infinity : inName + 15 + bonus) * 10 - path.length;
}

/**
 * The paths below a workspace that fit `query` best, relative with `/`, folders ending in `/`.
 * The walk is bounded in entries and time; near files are looked at first.
 * @param root the real path of the workspace
 * @param isSecret of a relative path; such files, and what lies in such folders, are only counted.
 */
export async function searchPaths(
  root: string,
  query: string,
  limit: number,
  isSecret: (path: string) => boolean,
): Promise<{ paths: string[]; secrets: number }> {
  let secrets = 0;
  const hits: { path: string; score: number }[] = [];
  const budget = createWalkBudget(maxMs, maxEntries);
  for await (const { prefix, entries } of walkFolders(root, budget, (name) => !isIgnoredFolder(name))) {
    for (const entry of entries) {
      if (isTemporaryName(entry.name) || (entry.isDirectory() && isIgnoredFolder(entry.name))) continue;
      if (!entry.isFile() && !entry.isDirectory()) continue;
      const path = `${prefix}${entry.name}${entry.isDirectory() ? "/" : ""}`;
      const score = scorePath(path, query);
      if (score === null) continue;
      if (isSecret(path)) secrets += 1;
      else hits.push({ path, score });
    }
  }
  hits.sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
  return { paths: hits.slice(0, limit).map((hit) => hit.path), secrets };
}
