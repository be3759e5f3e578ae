/** The words for how a thread's own worktree stands. */
import type { ThreadSummary } from "../../../shared/contract/threads.ts";
import { strings } from "./strings.ts";

/** "countersign/rows, 2 ahead, 3 not committed"; undefined for a thread without a worktree. */
export function worktreeWords({ worktree }: Pick<ThreadSummary, "worktree">): string | undefined {
  if (worktree?.state !== "own") return undefined;
  const { branch, ahead = 0, behind = 0, dirty = 0 } = worktree;
  const { worktree: words } = strings;
  return [
    branch ?? words.noBranch,
    ...(ahead > 0 ? [words.ahead(ahead)] : []),
    ...(behind > 0 ? [words.behind(behind)] : []),
    ...(dirty > 0 ? [words.dirty(dirty)] : []),
  ].join(", ");
}
