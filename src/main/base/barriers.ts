/** Named points at which a fault test ends the process, as a power cut would; without its variable nothing happens here. */

export type Barrier =
  | "message-sent"
  | "mid-stream"
  | "approval-asked"
  | "approval-decided"
  | "execution-started"
  | "effect-done"
  | "end-asked"
  | "aside-taken"
  | "undo-written"
  | "undo-file-moved"
  | "undo-folders-moved"
  | "undo-files-moved"
  | "undo-conversation-moved"
  | "undo-done"
  | "home-ref-moved"
  | "home-index-locked"
  | "prune"
  | "worktree-made"
  | "worktree-going"
  | "worktree-aside"
  | "worktree-kept"
  | "migration";

const armed = process.env.COUNTERSIGN_KILL_AT;
let left = Number(process.env.COUNTERSIGN_KILL_AT_COUNT ?? "1");

/**
 * Ends this process with SIGKILL when `COUNTERSIGN_KILL_AT` names this point and it is passed for the
 * `COUNTERSIGN_KILL_AT_COUNT`th time.
 */
export function passBarrier(name: Barrier): void {
  if (name !== armed) return;
  left -= 1;
  if (left <= 0) process.kill(process.pid, "SIGKILL");
}
