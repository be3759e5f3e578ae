/** Finds the files that are others in a folder than in the store: by a program of the settings, or by an encoding. */
import { type GitPlace, mustGit, type SafeGit } from "./safe-git.ts";

/**
 * @param next a tree that is about to be written: its own attributes count too, beside those of the work tree, and where an
 *   index of it may lie
 * @returns those of the names whose attributes ask for a filter that the settings know a program for, and with `next` those
 *   that would be written in another encoding than they are shown in
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
  const isFiltered = (attribute: string, value: string) => attribute === "filter" && known.has(value);
  if (next === undefined) return known.size === 0 ? [] : askAttributes(git, place, names, isFiltered, []);
  const isAnother = (attribute: string, value: string) =>
    attribute === "filter" ? known.has(value) : !/^(?:unspecified|unset|set|utf-?8)$/i.test(value);
  const found = await askAttributes(git, place, names, isAnother, []);
  const at = { ...place, index: next.index };
  await mustGit(git, at, ["read-tree", next.tree]);
  return [...found, ...(await askAttributes(git, at, names, isAnother, ["--cached"]))];
}

async function askAttributes(
  git: SafeGit,
  place: GitPlace,
  names: readonly string[],
  isMeant: (attribute: string, value: string) => boolean,
  how: readonly string[],
): Promise<string[]> {
  const input = names.map((name) => `${name}\0`).join("");
  const args = ["check-attr", ...how, "-z", "--stdin", "filter", "working-tree-encoding"];
  const said = await mustGit(git, place, args, { input });
  const parts = said.split("\0");
  const found: string[] = [];
  for (let at = 0; at + 2 < parts.length; at += 3)
    if (isMeant(parts[at + 1]!, parts[at + 2]!)) found.push(parts[at]!);
  return found;
}
