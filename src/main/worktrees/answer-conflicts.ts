/** Ends the conflicts of a merge as a person answers them: of each file, the version of one side, as it is there. */
import { join } from "node:path";
import type { ConflictSide } from "../../shared/contract/home.ts";
import type { EntryMove } from "./index-entries.ts";
import { indexInfo, plainIndex } from "./index-entries.ts";
import type { Merged } from "./merge-trees.ts";
import { type GitPlace, mustGit, type SafeGit } from "./safe-git.ts";

/** Whose version a file gets, by its name. */
export type ConflictAnswers = ReadonlyMap<string, ConflictSide>;

/** A file that both sides changed; mode and object on each, null where it is not there. */
export type Conflict = {
  readonly name: string;
  readonly folder: string | null;
  readonly thread: string | null;
  /** Whether a person can answer it here: links, submodules and names that git made up are no versions of a file. */
  readonly isAnswerable: boolean;
  readonly answer: ConflictSide | undefined;
};

const isFileOrNone = (entry: string | null): boolean => entry === null || entry.startsWith("100");

/** @param names in conflict. @param ours a commit of the folder's. @param theirs one of the thread's */
export async function findConflicts(
  git: SafeGit,
  place: GitPlace,
  names: readonly string[],
  ours: string,
  theirs: string,
  answers: ConflictAnswers,
): Promise<Conflict[]> {
  const [folders, threads] = [
    await entriesAt(git, place, ours, names),
    await entriesAt(git, place, theirs, names),
  ];
  return names.map((name) => {
    const [folder, thread] = [folders.get(name) ?? null, threads.get(name) ?? null];
    const isThere = folder !== null || thread !== null;
    const isAnswerable = isThere && isFileOrNone(folder) && isFileOrNone(thread) && !name.includes("\uFFFD");
    return { name, folder, thread, isAnswerable, answer: isAnswerable ? answers.get(name) : undefined };
  });
}

/** What a commit has under each of these names. */
export async function entriesAt(
  git: SafeGit,
  place: GitPlace,
  commit: string,
  names: readonly string[],
): Promise<Map<string, string>> {
  const wanted = new Set(names);
  const listed = await mustGit(git, place, ["ls-tree", "-r", "-z", "--full-tree", commit]);
  const found = new Map<string, string>();
  for (const line of listed.split("\0")) {
    const tab = line.indexOf("\t");
    const name = line.slice(tab + 1);
    const [mode, , id] = line.slice(0, tab).split(" ");
    if (wanted.has(name)) found.set(name, `${mode} ${id}`);
  }
  return found;
}

/**
 * The tree of a merge with every conflict answered.
 * @param scratch a folder in which an index of our own may lie
 * @returns undefined where one has no answer, or the answers do not fit together: a file and a folder of one name
 */
export async function answerConflicts(
  git: SafeGit,
  place: GitPlace,
  { tree }: Merged,
  conflicts: readonly Conflict[],
  scratch: string,
): Promise<string | undefined> {
  const moves: EntryMove[] = [];
  for (const { name, answer, folder, thread } of conflicts) {
    if (answer === undefined) return undefined;
    moves.push({ name, from: folder ?? thread, to: answer === "folder" ? folder : thread });
  }
  const at = { ...place, index: join(scratch, "answers.index") };
  const settings = plainIndex;
  await mustGit(git, at, ["read-tree", tree], { settings });
  const input = indexInfo(moves);
  const { ok } = await git(at, ["update-index", "-z", "--index-info"], { settings, input });
  if (!ok) return undefined;
  return (await mustGit(git, at, ["write-tree"], { settings })).trim();
}
