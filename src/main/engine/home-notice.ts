/** The line in a thread that says what was brought home, or that it was undone. */
import type { ThreadEventData } from "../../shared/contract/thread-events.ts";
import { counted } from "../../shared/counted.ts";
import { visibleText } from "../base/visible-text.ts";
import type { TakeBack } from "../undo/take-back-store.ts";

/** Branches are named by agents, so nothing in a name may hide or turn what is said. */
export function homeNotice({ id, what }: TakeBack, way: "forth" | "back"): ThreadEventData {
  const { home, root, files } = what;
  const branch = visibleText(home?.branch ?? "the worktree");
  const target = visibleText(home?.target ?? "no branch");
  const folder = visibleText(root);
  const count = counted(files.length, "file");
  const done: Record<string, string> = {
    merge: `You merged ${branch} into ${target}. ${count} changed in ${folder}.`,
    rebase: `You rebased ${branch} onto ${target} and moved ${target} forward to it. ${count} changed in ${folder} and in the worktree.`,
    patch: `You applied the changes of ${branch} to ${count} in ${folder}, without a commit.`,
    keep: `You committed what was not committed on ${branch}.`,
  };
  const text =
    way === "forth"
      ? `${done[home?.way ?? ""] ?? ""} The agent does not know of it.`
      : `You undid what brought ${branch} home. Branches and files are as before that. The agent does not know of it.`;
  return { type: "notice.added", itemId: `home:${id}:${way}`, level: "info", text };
}
