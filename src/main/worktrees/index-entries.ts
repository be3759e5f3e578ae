/** What stands in an index or a tree of git, by name, and indexes of our own to try things in. */
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { type GitPlace, mustGit, type SafeGit } from "./safe-git.ts";

/** Mode and object of each name, as `100644 1f0c…`. */
export type Entries = ReadonlyMap<string, string>;

/** Null stands for no entry. */
export type EntryMove = { readonly name: string; readonly from: string | null; readonly to: string | null };

const linkMode = "120000";
const moduleMode = "160000";

/** Whether it is a link. */
export const isLinkEntry = (entry: string | null): boolean => entry?.startsWith(linkMode) === true;
/** Whether it is a submodule. */
export const isModuleEntry = (entry: string | null): boolean => entry?.startsWith(moduleMode) === true;
/** Whether it is a file that may be run. */
export const isExecutableEntry = (entry: string | null): boolean => entry?.startsWith("100755") === true;
/** The object's id. */
export const objectOf = (entry: string): string => entry.slice(entry.indexOf(" ") + 1);

/** Under these the index stands in one file, and nothing is taken as unchanged that is not. */
export const plainIndex = [
  ["core.splitIndex", "false"],
  ["core.safecrlf", "false"],
  ["core.trustctime", "true"],
  ["core.checkStat", "default"],
] as const;

/** Those of the index that the place names. Undefined while a merge has conflicts in it. */
export async function entriesOfIndex(git: SafeGit, place: GitPlace): Promise<Entries | undefined> {
  const listed = await mustGit(git, place, ["ls-files", "-z", "--stage"]);
  const found = new Map<string, string>();
  for (const line of listed.split("\0")) {
    const parts = /^(\d+) ([0-9a-f]+) (\d)\t(.*)$/s.exec(line);
    if (!parts) continue;
    if (parts[3] !== "0") return undefined;
    found.set(parts[4]!, `${parts[1]} ${parts[2]}`);
  }
  return found;
}

/** What becomes of each name between two trees; a rename is one that goes and one that comes. */
export async function movesBetween(
  git: SafeGit,
  place: GitPlace,
  from: string,
  to: string,
): Promise<EntryMove[]> {
  const listed = await mustGit(git, place, ["diff-tree", "-r", "-z", "--raw", "--no-renames", from, to]);
  const parts = listed.split("\0");
  const moves: EntryMove[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const facts = /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) [A-Z]/.exec(parts[at]!);
    if (!facts) continue;
    const [, oldMode, newMode, oldId, newId] = facts;
    const entryOf = (mode: string, id: string) => (mode === "000000" ? null : `${mode} ${id}`);
    moves.push({ name: parts[at + 1]!, from: entryOf(oldMode!, oldId!), to: entryOf(newMode!, newId!) });
  }
  return moves;
}

/** Names that differ between two lists of entries. */
export function movesOf(before: Entries, after: Entries): EntryMove[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names]
    .map((name) => ({ name, from: before.get(name) ?? null, to: after.get(name) ?? null }))
    .filter(({ from, to }) => from !== to);
}

/**
 * Those that come where something stands that does not go, a file in the place of a folder or the other way: an index holds
 * one of them, and git would drop what is there.
 */
export function findReplacing(there: Entries, moves: readonly EntryMove[]): EntryMove[] {
  const going = new Set(moves.flatMap(({ name, to }) => (to === null ? [name] : [])));
  const staying = [...there.keys()].filter((name) => !going.has(name));
  const [files, folders] = [new Set(staying), new Set(staying.flatMap(foldersOf))];
  return moves.filter(
    ({ name, to }) => to !== null && (folders.has(name) || foldersOf(name).some((each) => files.has(each))),
  );
}

/** Those that a name lies in. */
export function foldersOf(name: string): string[] {
  const found: string[] = [];
  for (let at = name.indexOf("/"); at !== -1; at = name.indexOf("/", at + 1)) found.push(name.slice(0, at));
  return found;
}

/** The lines by which `update-index --index-info` makes the entries what they become. */
export function indexInfo(moves: readonly EntryMove[]): string {
  const length = objectOf(moves[0]?.to ?? moves[0]?.from ?? "").length;
  const gone = `0 ${"0".repeat(length)}`;
  return moves.map(({ name, to }) => `${to ?? gone}\t${name}\0`).join("");
}

/** Lends a folder of our own, gone with all in it when `act` is over. */
export async function withScratch<T>(folder: string, act: (scratch: string) => Promise<T>): Promise<T> {
  const scratch = await mkdtemp(join(folder, "home-"));
  try {
    return await act(scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}
