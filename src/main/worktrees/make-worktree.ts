/** Makes a worktree of a repository with a branch named after its thread, and takes away what is left of one that was not made to its end. */
import { lstatSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { lstat, mkdir, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { ContractError } from "../../shared/contract/errors.ts";
import { messageOf } from "../../shared/message-of.ts";
import { includeFiles } from "./include-files.ts";
import { mustGit, type SafeGit } from "./safe-git.ts";
import type { Worktree, WorktreeStore } from "./worktree-store.ts";

/** What marks a git that makes this worktree. */
export const markOf = (id: string): string => `worktree-${id}`;

/** Whether a folder is the top of a repository, by its look. */
export function isRepository(folder: string): boolean {
  return statSync(join(folder, ".git"), { throwIfNoEntry: false }) !== undefined;
}

export type MadeWorktree = Pick<Worktree, "path" | "branch" | "base"> & {
  /** How much of what `.worktreeinclude` names did not come. */
  missed: number;
};

export type MakeParts = {
  git: SafeGit;
  store: WorktreeStore;
  /** Where worktrees lie, by their ids. */
  folder: string;
};

/** What git is asked for. @throws ContractError saying why there can be none. */
async function planWorktree(
  { id, origin }: { id: string; origin: string },
  title: string,
  { git, folder }: MakeParts,
): Promise<Pick<Worktree, "common" | "path" | "branch" | "base">> {
  const place = { cwd: origin };
  const top = await git(place, [
    "rev-parse",
    "--path-format=absolute",
    "--show-toplevel",
    "--git-common-dir",
  ]);
  const [root, common] = top.out.split("\n");
  if (!top.ok || !root || !common || realpathSync(root) !== origin)
    throw refuse("This folder is not the top of a git repository any more.");
  const head = await git(place, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  if (!head.ok) throw refuse("The repository has no commit yet. Make one first.");
  const branches = await mustGit(git, place, ["for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads"]);
  return {
    common: realpathSync(common),
    path: join(folder, id, basename(origin) || "worktree"),
    branch: nameBranch(title, branches.split("\n")),
    base: head.out.trim(),
  };
}

const refuse = (why: string) =>
  new ContractError(
    "conflict",
    `No worktree could be made: ${why} Nothing was sent. Switch the worktree off to work in the folder itself.`,
  );

/**
 * The worktree of a thread that wants one. Whoever stops in the middle leaves a row that `endHalfMade` finds.
 * @param begin makes the thread work there, in the transaction that says that the worktree is there
 * @throws ContractError; nothing is left of it then
 */
export async function makeWorktree(
  wanted: { id: string; origin: string },
  title: string,
  parts: MakeParts,
  begin: (made: MadeWorktree, gitDir: string) => void,
): Promise<void> {
  const { git, store } = parts;
  const planned = await planWorktree(wanted, title, parts);
  const place = { cwd: wanted.origin };
  await mkdir(parts.folder, { recursive: true, mode: 0o700 });
  const ours = join(realpathSync(parts.folder), wanted.id);
  const plan = { ...planned, path: join(ours, basename(planned.path)) };
  // Written down before anything of it is there: without its row nobody would take it away.
  store.making(wanted.id, plan);
  try {
    await mkdir(ours, { recursive: true, mode: 0o700 });
    const reason = "Countersign uses it for a thread";
    await mustGit(
      git,
      place,
      [
        "worktree",
        "add",
        "--quiet",
        "--no-checkout",
        "--lock",
        "--reason",
        reason,
        "--no-track",
        "-b",
        plan.branch,
        "--",
        plan.path,
        plan.base,
      ],
      { mark: markOf(wanted.id) },
    );
    const gitDir = findGitDir(plan);
    if (gitDir === undefined) throw new Error("git did not say where it keeps it.");
    // Once it is there: settings may hold in a work tree, or on a branch, that do not hold beside it.
    await mustGit(
      git,
      { cwd: plan.path, gitDir, commonDir: plan.common, workTree: plan.path },
      ["reset", "--quiet", "--hard", "--no-recurse-submodules"],
      // All processors: what takes its time is to write the files.
      { settings: [["checkout.workers", "0"]], timeoutMs: 600_000, mark: markOf(wanted.id) },
    );
    const missed = await includeFiles(git, wanted.origin, plan.path);
    begin({ ...plan, missed }, gitDir);
  } catch (error) {
    await endHalfMade({ ...plan, ...wanted }, parts);
    store.wantAgain(wanted.id);
    throw error instanceof ContractError ? error : refuse(messageOf(error));
  }
}

/** The worktree's own part of the store: the one that leads to its path. Nothing else of the store is its. */
export function findGitDir({ common, path }: Pick<Worktree, "common" | "path">): string | undefined {
  const folder = join(common, "worktrees");
  return namesIn(folder)
    .map((name) => join(folder, name))
    .find((each) => leadsTo(each, path));
}

/** Whether git takes what lies at a path as the work tree of this part; a person may have moved it elsewhere. */
export function leadsTo(gitDir: string, path: string): boolean {
  const said = readText(join(gitDir, "gitdir")).trim();
  return said !== "" && resolve(gitDir, dirname(said)) === path;
}

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/** Of what is no plain file nothing: a link may lead anywhere, and a pipe is never read to its end. */
export const readText = (path: string): string => {
  try {
    return lstatSync(path).isFile() ? readFileSync(path, "utf8") : "";
  } catch {
    return "";
  }
};

/** Nobody worked in it: its folder, its part of the store, its branch and the locks on that branch go. */
export async function endHalfMade(
  { id, common, path, branch, base }: Pick<Worktree, "id" | "common" | "path" | "branch" | "base">,
  { git, folder }: Pick<MakeParts, "git" | "folder">,
): Promise<void> {
  await removeFolder(folder, id);
  forgetGitDir(common, findGitDir({ common, path }));
  rmSync(resolve(common, `refs/heads/${branch}.lock`), { force: true });
  // A branch that went on since, or that somebody else made, stays.
  await git({ cwd: common, gitDir: common }, deleteRef(`refs/heads/${branch}`, base));
}

/** Of a ref that leads to another one only itself goes: the other may be a branch of somebody else. */
export const deleteRef = (ref: string, at: string) => ["update-ref", "--no-deref", "-d", ref, at];

/** Removes the folder in which a worktree lies, and nothing that a link in it leads to. */
export async function removeFolder(folder: string, id: string): Promise<void> {
  if (await lstat(join(folder, id)).catch(() => undefined))
    await rm(join(folder, id), { recursive: true, force: true, maxRetries: 3 });
}

/** Git takes a worktree as gone when its part of the store is. */
export function forgetGitDir(common: string, gitDir: string | undefined): void {
  if (gitDir !== undefined && dirname(gitDir) === join(common, "worktrees"))
    rmSync(gitDir, { recursive: true, force: true });
}

const longestSlug = 40;
/** Branches of this app stand in a folder of their own. */
const prefix = "countersign/";

/** @returns plain letters, digits and hyphens, whatever the title is; `thread` where nothing of it remains. */
export function slugOf(title: string): string {
  const plain = title
    .slice(0, 400)
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, longestSlug)
    .replace(/^-+|-+$/g, "");
  return plain || "thread";
}

/** @param taken the names of all branches there are; names are one to some disks whatever their case */
export function nameBranch(title: string, taken: readonly string[]): string {
  const known = new Set(taken.map((name) => name.toLowerCase()));
  // A branch with the name of the folder leaves no room below it.
  const start = known.has(prefix.slice(0, -1)) ? "countersign-" : prefix;
  const name = `${start}${slugOf(title)}`;
  const isFree = (each: string) =>
    !known.has(each) && ![...known].some((other) => other.startsWith(`${each}/`));
  if (isFree(name)) return name;
  let number = 2;
  while (!isFree(`${name}-${number}`)) number += 1;
  return `${name}-${number}`;
}
