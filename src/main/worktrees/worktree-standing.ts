/** Tells how a worktree stands beside the folder that it was made for: its branch, commits of either side, files not committed. */
import { leadsToStore } from "./keep-changes.ts";
import type { SafeGit } from "./safe-git.ts";
import type { Worktree } from "./worktree-store.ts";

export type Standing = {
  /** Undefined where no branch is checked out. */
  branch: string | undefined;
  /** Commits that the folder does not have. */
  ahead: number;
  /** Commits of the folder that are missing here. */
  behind: number;
  /** Files that are not committed. */
  dirty: number;
};

const patienceMs = 20_000;

/** Undefined when git does not say or takes too long, or its part of the store leads to another one. */
export async function findStanding(
  git: SafeGit,
  { origin, path, gitDir, common }: Pick<Worktree, "origin" | "path" | "gitDir" | "common">,
  signal?: AbortSignal,
): Promise<Standing | undefined> {
  if (!leadsToStore({ gitDir, common })) return undefined;
  const place = { cwd: path, gitDir, commonDir: common, workTree: path };
  const options = { timeoutMs: patienceMs, signal };
  const status = await git(
    place,
    ["status", "--porcelain=v2", "-z", "--branch", "--ignore-submodules=dirty", "--no-renames"],
    options,
  );
  const base = await git({ cwd: origin }, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], options);
  if (!status.ok || !base.ok) return undefined;
  const range = `${base.out.trim()}...HEAD`;
  const counted = await git(place, ["rev-list", "--left-right", "--count", range, "--"], options);
  const [behind, ahead] = counted.out.trim().split(/\s+/).map(Number);
  if (!counted.ok || behind === undefined || ahead === undefined) return undefined;
  const lines = status.out.split("\0");
  const branch = lines.find((line) => line.startsWith("# branch.head "))?.slice("# branch.head ".length);
  return {
    branch: branch === "(detached)" ? undefined : branch,
    ahead,
    behind,
    dirty: lines.filter((line) => /^[12u?] /.test(line)).length,
  };
}
