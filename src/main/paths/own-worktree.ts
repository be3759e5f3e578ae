/** Tells the worktree of a thread, which lies among the app's records, from those records. */
import { isWithin } from "./path-style.ts";

/** Whether a workspace is such a worktree or lies in one; of any other folder among the records nothing is open to agents. */
export function isOwnWorktree(workspace: string, dataDir: string): boolean {
  const worktrees = `${dataDir}/worktrees`;
  // Each lies in a folder of its own.
  return isWithin(workspace, worktrees) && workspace.slice(worktrees.length + 1).includes("/");
}
