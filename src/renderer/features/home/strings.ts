/** The words of bringing a worktree home. */

import type { Output } from "../../../shared/contract/contract.ts";
import type { HomeWay } from "../../../shared/contract/home.ts";
import { inQuotes } from "../../../shared/foreign-words.ts";

type Preview = Output<"home.preview">;
type Obstacle = Extract<Preview["ways"][HomeWay], { why: unknown }>["why"];
type NoPullRequest = Extract<Preview["pullRequest"], { why: unknown }>["why"];

const files = (count: number) => (count === 1 ? "1 file" : `${count} files`);

const why: Record<Obstacle, string> = {
  nothing: "There is nothing to bring.",
  "no-branch": "No branch is checked out in the worktree.",
  "no-target": "No branch is checked out in your folder.",
  "no-commit": "The branch of your folder has no commit yet.",
  "same-branch": "Your folder is on the thread's branch itself.",
  "checked-out-elsewhere": "The branch is checked out in another work tree too, which would not follow.",
  underway: "Git is in the middle of a merge or rebase. End it there first.",
  unrelated: "The two have no commit in common.",
  conflicts: "Both sides changed the same.",
  "in-the-way": "You have changes that are not committed, or files of your own, in:",
  "cannot-write":
    "Links, files over 10 MB, what takes the place of a submodule, files that git writes in another encoding and files that a program of git's settings stores, such as Git LFS, are not written from here:",
  forward: "Your branch has nothing new, so merging moves it forward as it is.",
  "too-many":
    "It is too much to do from here: more than 50 commits, 5,000 files, or a merge among the commits.",
};

const noPullRequest: Record<NoPullRequest, string> = {
  "no-branch": why["no-branch"],
  "no-remote": "The repository has no remote to push to.",
  "no-gh": "The program gh of GitHub is not in PATH.",
  uncommitted: "Commit what is not committed first: keep it on its branch.",
  nothing: why.nothing,
};

export const strings = {
  title: (title: string) => `Bring ${inQuotes(title)} home`,
  untitled: "Untitled",
  looking: "Looking at both sides…",
  failed: "What the worktree holds could not be found out.",
  again: "Look again",
  from: "From",
  to: "to",
  inFolder: "in",
  noBranch: "no branch",
  apart: (ahead: number, behind: number, uncommitted: number) =>
    [
      `${ahead} ahead`,
      `${behind} behind`,
      ...(uncommitted > 0 ? [`${files(uncommitted)} not committed`] : []),
    ].join(", "),
  changes: (count: number) => `Changes: ${files(count)}`,
  noChanges: "The worktree changed nothing since it began.",
  more: (count: number) => `and ${count} more`,
  states: { added: "new", changed: "changed", deleted: "deleted", moved: "renamed" },
  movedFrom: "from",
  notCommitted: "not committed",
  mode: "permission or kind changed",
  lines: (added: number, removed: number) => `+${added} −${removed}`,
  noText: {
    binary: "This is no text.",
    "too-large": "This is too large to be shown.",
    submodule: "This is a submodule.",
    link: "This is a link.",
  },
  sameText: "The text is the same.",
  reading: "Reading…",
  readFailed: "The file could not be read.",
  hunk: (at: number, all: number) => `Change ${at} of ${all}`,
  putHunkBack: "Put this change back",
  putFileBack: "Put the whole file back",
  putBack: (path: string) => `${path} was put back in the worktree.`,
  undo: "Undo",
  undone: "It is as before again.",
  conflicts: {
    title: (count: number) => `Changed on both sides: ${files(count)}`,
    help: "Choose for each whose version it gets. With an answer for all of them you can merge, or apply as a patch.",
    notAll: "Not all of them can be answered here, so have the agent merge your branch into its own.",
    sides: { folder: "Yours", thread: "The thread's" },
    gone: "(deleted)",
    elsewhere: "A link, a submodule, or a file in the place of a folder",
    show: "Compare",
    legend: "Before is yours, after is the thread's.",
  },
  waysLabel: "What to do",
  ways: {
    merge: {
      name: "Merge",
      text: (target: string, forward: boolean) =>
        forward
          ? `Moves ${target} forward to the thread's branch. Your folder follows.`
          : `Joins the thread's branch and ${target} in a merge commit. Your folder follows.`,
      go: "Merge",
    },
    rebase: {
      name: "Rebase",
      text: (target: string) =>
        `Lays the thread's commits onto ${target}, one by one, and moves both branches forward to them. Your folder follows.`,
      go: "Rebase",
    },
    patch: {
      name: "Apply as a patch",
      text: () => "Changes the files in your folder and commits nothing there. The branch stays as it is.",
      go: "Apply",
    },
    keep: {
      name: "Keep the branch",
      text: () => "Commits what is not committed on the thread's branch. Your folder stays as it is.",
      go: "Commit",
    },
  },
  changesFiles: (count: number) => `${files(count)} of your folder change.`,
  why,
  pullRequest: {
    name: "Open a pull request",
    text: "Asks the thread's agent to run this, and nothing else. It sends your commits away, so its card waits for you.",
    go: "Ask for it",
    message: (command: string) =>
      `Run exactly this command, unchanged and as one command, and nothing else:\n\n\`\`\`sh\n${command}\n\`\`\``,
    sent: "Asked. The card with the command waits for you before anything is sent.",
    why: noPullRequest,
  },
  message: "Message of the commit",
  unsigned: "What is committed here is not signed, and none of your git's hooks run.",
  messageMissing: "Write a message first.",
  last: (way: HomeWay, count: number, time: string) =>
    `${{ merge: "Merged", rebase: "Rebased", patch: "Applied as a patch", keep: "Committed" }[way]} at ${time}: ${files(count)}.`,
  undoLast: "Undo this",
  lastUndone: "Undone. Branches and files are as before.",
  done: {
    merge: (count: number) => `Merged. ${files(count)} changed.`,
    rebase: (count: number) => `Rebased. ${files(count)} changed.`,
    patch: (count: number) => `Applied. ${files(count)} changed, nothing committed.`,
    keep: () => "Committed on the thread's branch.",
  },
};
