/** Finds the files that git would hand to a program of the settings on their way into or out of the store. */
import { type GitPlace, mustGit, type SafeGit } from "./safe-git.ts";

/**
 * @param next a tree whose own attributes count too, beside those of the work tree, and where an index of it may lie
 * @returns those of the names whose attributes ask for a filter that the settings know a program for
 */
export async function findFiltered(
  git: SafeGit,
  place: GitPlace,
  names: readonly string[],
  next?: { tree: string; index: string },
): Promise<string[]> {
  if (names.length === 0) return [];
  const listed = await mustGit(git, place, ["config", "--null", "--name-only", "--list"]);
  const known = new Set(listed.split("\0").flatMap((key) => /^filter\.(.*)\.[^.]+$/is.exec(key)?.[1] ?? []));
  if (known.size === 0) return [];
  const found = await askAttributes(git, place, names, known, []);
  if (next === undefined) return found;
  const at = { ...place, index: next.index };
  await mustGit(git, at, ["read-tree", next.tree]);
  return [...found, ...(await askAttributes(git, at, names, known, ["--cached"]))];
}

async function askAttributes(
  git: SafeGit,
  place: GitPlace,
  names: readonly string[],
  known: ReadonlySet<string>,
  how: readonly string[],
): Promise<string[]> {
  const input = names.map((name) => `${name}\0`).join("");
  const said = await mustGit(git, place, ["check-attr", ...how, "-z", "--stdin", "filter"], { input });
  const parts = said.split("\0");
  const found: string[] = [];
  for (let at = 0; at + 2 < parts.length; at += 3) if (known.has(parts[at + 2]!)) found.push(parts[at]!);
  return found;
}
