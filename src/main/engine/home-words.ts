/** What a thread and the record are told of changes that were brought home. */
import type { ThreadEventData } from "../../shared/contract/thread-events.ts";
import { counted } from "../../shared/counted.ts";
import type { TakeBack } from "../undo/take-back-store.ts";

/** @returns the name under which it stands in the record */
export function homeLedgerLine(way: "forth" | "back"): string {
  return way === "forth" ? "bring home" : "undo bring home";
}

/** @returns the line in the thread */
export function homeNotice({ id, what }: TakeBack, way: "forth" | "back"): ThreadEventData {
  const { home, root, files } = what;
  const branch = home?.branch ?? "the worktree";
  const target = home?.target ?? "no branch";
  const count = counted(files.length, "file");
  const done: Record<string, string> = {
    merge: `You merged ${branch} into ${target}. ${count} changed in ${root}.`,
    rebase: `You rebased ${branch} onto ${target} and moved ${target} forward to it. ${count} changed in ${root} and in the worktree.`,
    patch: `You applied the changes of ${branch} to ${count} in ${root}, without a commit.`,
    keep: `You committed what was not committed on ${branch}.`,
  };
  const text =
    way === "forth"
      ? `${done[home?.way ?? ""] ?? ""} The agent does not know of it.`
      : `You undid what brought ${branch} home. Branches and files are as before that. The agent does not know of it.`;
  return { type: "notice.added", itemId: `home:${id}:${way}`, level: "info", text };
}
