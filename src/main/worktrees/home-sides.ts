/** The two sides of bringing a worktree home, as git has them: the worktree, and the folder that it was made for. */
import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { ContractError } from "../../shared/contract/errors.ts";
import { leadsToStore } from "./keep-changes.ts";
import { leadsTo } from "./make-worktree.ts";
import { type GitPlace, mustGit, type SafeGit } from "./safe-git.ts";
import type { Worktree } from "./worktree-store.ts";

/** Where git is asked about one side; all of it real paths. */
export type SidePlace = Required<Pick<GitPlace, "cwd" | "gitDir" | "commonDir" | "workTree">>;

export type Side = {
  readonly place: SidePlace;
  /** The commit that is checked out; undefined where there is none yet. */
  readonly head: string | undefined;
  /** The full name of the branch that is checked out; undefined where none is. */
  readonly ref: string | undefined;
  /** Git is in the middle of a merge or the like there. */
  readonly isBusy: boolean;
  /** Another work tree has the same branch checked out, which would not follow. */
  readonly isShared: boolean;
};

export type Sides = { readonly tree: Side & { readonly head: string }; readonly folder: Side };

const underwayMarks = ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply"];

/** @throws ContractError where git would be led elsewhere, or one of the two is not what it was any more */
export async function findSides(
  git: SafeGit,
  { origin, path, gitDir, common }: Pick<Worktree, "origin" | "path" | "gitDir" | "common">,
): Promise<Sides> {
  if (!leadsTo(gitDir, path) || !leadsToStore({ gitDir, common }))
    throw unavailable("Git's own notes of this worktree were changed, so nothing is done with it here.");
  const place = await findFolder(git, origin, common);
  const shared = await findCheckedOut(git, common);
  const tree = await findSide(git, { cwd: path, gitDir, commonDir: common, workTree: path }, shared);
  const folder = await findSide(git, place, shared);
  if (tree.head === undefined) throw unavailable("There is no commit in this worktree any more.");
  return { tree: { ...tree, head: tree.head }, folder };
}

const unavailable = (why: string) => new ContractError("unavailable", why);

/** The folder, as git finds it now; it has to be the one whose store the worktree shares. */
async function findFolder(git: SafeGit, origin: string, common: string): Promise<SidePlace> {
  const options = ["--path-format=absolute", "--show-toplevel", "--git-dir", "--git-common-dir"];
  const { ok, out } = await git({ cwd: origin }, ["rev-parse", ...options]);
  const [top = "", gitDir = "", store = ""] = out.split("\n");
  if (!ok || realOf(top) !== origin || realOf(store) !== common)
    throw unavailable(`${origin} is not the top of the repository any more that this worktree belongs to.`);
  return { cwd: origin, gitDir: realOf(gitDir), commonDir: common, workTree: origin };
}

const realOf = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return "";
  }
};

/** How many work trees have each branch checked out. */
async function findCheckedOut(git: SafeGit, common: string): Promise<ReadonlyMap<string, number>> {
  const place = { cwd: common, gitDir: common };
  const listed = await mustGit(git, place, ["worktree", "list", "--porcelain", "-z"]);
  const found = new Map<string, number>();
  for (const line of listed.split("\0")) {
    if (!line.startsWith("branch ")) continue;
    const ref = line.slice("branch ".length);
    found.set(ref, (found.get(ref) ?? 0) + 1);
  }
  return found;
}

async function findSide(
  git: SafeGit,
  place: SidePlace,
  checkedOut: ReadonlyMap<string, number>,
): Promise<Side> {
  const head = await git(place, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  // Of a name that leads to another one it says the last.
  const named = await git(place, ["symbolic-ref", "--quiet", "HEAD"]);
  const name = named.out.trim();
  const ref = named.ok && name.startsWith("refs/heads/") ? name : undefined;
  return {
    place,
    head: head.ok ? head.out.trim() : undefined,
    ref,
    isBusy: underwayMarks.some((mark) => existsSync(join(place.gitDir, mark))),
    isShared: ref !== undefined && (checkedOut.get(ref) ?? 0) > 1,
  };
}

/** `main` of `refs/heads/main`. */
export const branchOf = (ref: string | undefined): string | undefined => ref?.slice("refs/heads/".length);
