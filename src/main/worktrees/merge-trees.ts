/** Works out in git's store alone what a merge or a rebase would come to: no file and no branch is touched. */
import { ContractError } from "../../shared/contract/errors.ts";
import { type GitPlace, mustGit, type SafeGit } from "./safe-git.ts";

/** The tree that it comes to; where both sides changed the same with marks in it, and the files that have them. */
export type Merged =
  | { readonly tree: string }
  | { readonly tree: string; readonly conflicts: readonly string[] };

const isId = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

/** Commits for trying go nowhere, so they need no name of the person's. */
const nobody = ["-c", "user.name=Countersign", "-c", "user.email=countersign@localhost"];

/** A commit that nothing leads to yet. */
export async function tryCommit(
  git: SafeGit,
  place: GitPlace,
  tree: string,
  ...parents: string[]
): Promise<string> {
  const leading = parents.flatMap((parent) => ["-p", parent]);
  return (await mustGit(git, place, [...nobody, "commit-tree", tree, ...leading, "-m", "try"])).trim();
}

/**
 * Both are commits.
 * @throws Error in git's words, also where they have no commit in common
 */
export async function mergeTrees(
  git: SafeGit,
  place: GitPlace,
  ours: string,
  theirs: string,
): Promise<Merged> {
  const args = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", ours, theirs];
  const { ok, out, why } = await git(place, args, { timeoutMs: 120_000 });
  const [tree = "", ...names] = out.split("\0");
  if (!isId(tree)) throw new Error(`Git said: ${why.slice(0, 500)}`);
  return ok ? { tree } : { tree, conflicts: [...new Set(names)].filter((name) => name !== "") };
}

/** More are no history that a person could follow, and each costs a merge. */
const mostBases = 20;

/**
 * Where two commits part. Two branches that took each other in part at several commits; git merges as if they had begun at
 * all of those merged, so a file that only one of them has as it is now counts as changed.
 * @returns the commit, or the tree of several; undefined where they have nothing in common
 * @throws ContractError where there are too many to tell
 */
export async function findBase(
  git: SafeGit,
  place: GitPlace,
  ours: string,
  theirs: string,
): Promise<string | undefined> {
  const { ok, out } = await git(place, ["merge-base", "--all", ours, theirs]);
  // In the order in which git merges them.
  const [first, ...more] = ok ? out.trim().split("\n").reverse() : [];
  if (more.length >= mostBases)
    throw new ContractError(
      "unavailable",
      "The two branches took each other in too often to tell what changed.",
    );
  let base = first;
  let tree = first;
  for (const next of more) {
    ({ tree } = await mergeTrees(git, place, base!, next));
    base = await tryCommit(git, place, tree, base!, next);
  }
  return tree;
}

export type RebaseStep = { readonly commit: string; readonly tree: string };

/** The steps of a rebase in their order, without those that change nothing any more; or the first that has conflicts. */
export type Rebased = { readonly steps: readonly RebaseStep[] } | { readonly conflicts: readonly string[] };

/**
 * Each commit is laid onto the one before it, oldest first.
 * @param onto the commit that they come to stand on
 */
export async function rebaseTrees(
  git: SafeGit,
  place: GitPlace,
  onto: string,
  commits: readonly string[],
): Promise<Rebased> {
  const steps: RebaseStep[] = [];
  const treeOf = async (name: string) =>
    (await mustGit(git, place, ["rev-parse", "--verify", `${name}^{tree}`])).trim();
  let tree = await treeOf(onto);
  for (const commit of commits) {
    // As if what is there so far had been made from the commit's own parent: that is their merge base then.
    const parent = (await mustGit(git, place, ["rev-parse", "--verify", `${commit}^`])).trim();
    const merged = await mergeTrees(git, place, await tryCommit(git, place, tree, parent), commit);
    if ("conflicts" in merged) return merged;
    if (merged.tree === tree) continue;
    tree = merged.tree;
    steps.push({ commit, tree });
  }
  return { steps };
}

/** Those that only `theirs` has, oldest first. Undefined where there are more than `most`, or one of them is a merge. */
export async function commitsToRebase(
  git: SafeGit,
  place: GitPlace,
  ours: string,
  theirs: string,
  most: number,
): Promise<string[] | undefined> {
  const range = `${ours}..${theirs}`;
  const listed = await mustGit(git, place, [
    "rev-list",
    "--reverse",
    "--topo-order",
    "--parents",
    range,
    "--",
  ]);
  const lines = listed.split("\n").filter((line) => line !== "");
  if (lines.length > most || lines.some((line) => line.split(" ").length !== 2)) return undefined;
  return lines.map((line) => line.split(" ")[0]!);
}
