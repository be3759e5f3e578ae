/** Brings what a thread did in its worktree home: shows it, puts parts of it back, and carries out what was shown. */

import type { DecidedBy } from "../../shared/contract/decisions.ts";
import { ContractError } from "../../shared/contract/errors.ts";
import type { HomeWay } from "../../shared/contract/home.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { StaleFileError } from "../files/file-error.ts";
import type { OriginalBlobs } from "../files/original-blobs.ts";
import { fileOfProgram, findProgram } from "../shell/find-program.ts";
import type { ThreadStore } from "../threads/thread-store.ts";
import type { TakeBack } from "../undo/take-back-store.ts";
import type { TakeBacks } from "../undo/take-backs.ts";
import { type ConflictAnswers, entriesAt } from "../worktrees/answer-conflicts.ts";
import { showEntry, type TreeChange } from "../worktrees/compare-trees.ts";
import { prepareHome } from "../worktrees/home-deed.ts";
import { type Hunk, hunksOf } from "../worktrees/hunks.ts";
import { isLinkEntry } from "../worktrees/index-entries.ts";
import { type HomePlan, isOpen, lookHome, planHome } from "../worktrees/plan-home.ts";
import { type NoPullRequest, pullRequestOf } from "../worktrees/pull-request.ts";
import { planPutBack, versionOfChange } from "../worktrees/put-back-home.ts";
import { safeGit } from "../worktrees/safe-git.ts";
import type { Worktree, WorktreeStore } from "../worktrees/worktree-store.ts";

export type HomeDeskParts = {
  threads: Pick<ThreadStore, "get">;
  worktrees: Pick<WorktreeStore, "at">;
  takeBacks: Pick<TakeBacks, "bring" | "lastHome">;
  blobs: OriginalBlobs;
  /** Where worktrees lie. */
  folder: string;
  /** Git is asked anew how the thread's worktree stands. */
  refresh(threadId: ThreadId): void;
};

/** Why there is no text, or its pieces. */
export type ShownFile = {
  readonly version: string;
  readonly why?: "binary" | "too-large" | "submodule" | "link";
  readonly hunks: readonly Hunk[];
};

/** What a file is in the person's folder and in the worktree, or why there is no text. */
export type ShownConflict = { folder: string; thread: string } | { why: NonNullable<ShownFile["why"]> };

export type HomeDesk = {
  /** @throws ContractError where the thread has no worktree, or nothing can be said of it */
  preview(
    threadId: ThreadId,
    answers?: ConflictAnswers,
  ): Promise<{
    plan: HomePlan;
    worktree: Worktree;
    last: TakeBack | undefined;
    pullRequest: { command: string } | { why: NoPullRequest | "no-gh" };
  }>;
  file(threadId: ThreadId, path: string): Promise<ShownFile>;
  /** Both sides of a file in conflict. @throws as `file` */
  conflict(threadId: ThreadId, path: string): Promise<ShownConflict>;
  /** @throws StaleFileError when it is not what was shown any more */
  putBack(
    threadId: ThreadId,
    path: string,
    version: string,
    hunk: number | undefined,
    by: DecidedBy,
  ): Promise<TakeBack>;
  /** @throws StaleFileError as `putBack`; ContractError for a way that is closed */
  bring(
    threadId: ThreadId,
    way: HomeWay,
    digest: string,
    message: string,
    by: DecidedBy,
    answers?: ConflictAnswers,
  ): Promise<TakeBack>;
};

/** @returns what the console brings worktrees home with */
export function createHomeDesk(parts: HomeDeskParts): HomeDesk {
  const { takeBacks, blobs, folder } = parts;
  const git = safeGit;
  const worktreeOf = (threadId: ThreadId) => {
    const worktree = parts.worktrees.at(parts.threads.get(threadId).workspace);
    if (worktree === undefined)
      throw new ContractError("not-found", "This thread has no worktree of its own.", { field: "threadId" });
    return worktree;
  };
  const plan = (worktree: Worktree, answers?: ConflictAnswers) => planHome(git, worktree, folder, answers);
  const look = (worktree: Worktree) => lookHome(git, worktree, folder);

  return {
    async preview(threadId, answers) {
      const worktree = worktreeOf(threadId);
      const now = await plan(worktree, answers);
      const asked = await pullRequestOf(git, now, parts.threads.get(threadId).title);
      const hasGh = findProgram(fileOfProgram("gh"), process.env.PATH ?? "") !== undefined;
      const pullRequest = "command" in asked && !hasGh ? ({ why: "no-gh" } as const) : asked;
      return { plan: now, worktree, last: takeBacks.lastHome(threadId), pullRequest };
    },
    async file(threadId, path) {
      const { changes, sides } = await look(worktreeOf(threadId));
      const change = findChange(changes, path);
      const version = versionOfChange(change, 0);
      const [from, to] = [change.from, change.to];
      if (isLinkEntry(from) || isLinkEntry(to)) return { version, why: "link", hunks: [] };
      const before = await showEntry(git, sides.tree.place, from);
      const after = await showEntry(git, sides.tree.place, to);
      if ("why" in before) return { version, why: before.why, hunks: [] };
      if ("why" in after) return { version, why: after.why, hunks: [] };
      const hunks = hunksOf(before.text, after.text);
      return { version: versionOfChange(change, hunks.length), hunks };
    },
    async conflict(threadId, path) {
      const { snapshot, sides } = await look(worktreeOf(threadId));
      const { place } = sides.tree;
      const shownIn = async (tree: string) => {
        const entry = (await entriesAt(git, place, tree, [path])).get(path) ?? null;
        return isLinkEntry(entry) ? ({ why: "link" } as const) : showEntry(git, place, entry);
      };
      const [inFolder, inThread] = [
        await shownIn(sides.folder.head ?? snapshot.tree),
        await shownIn(snapshot.tree),
      ];
      if ("why" in inFolder) return { why: inFolder.why };
      return "why" in inThread ? { why: inThread.why } : { folder: inFolder.text, thread: inThread.text };
    },
    async putBack(threadId, path, version, hunk, by) {
      const worktree = worktreeOf(threadId);
      const planIt = async () => {
        const { changes, sides } = await look(worktree);
        const change = findChange(changes, path);
        const { place } = sides.tree;
        return {
          root: worktree.path,
          files: await planPutBack({ git, blobs, place }, change, version, hunk),
        };
      };
      const done = await takeBacks.bring(threadId, planIt, by);
      parts.refresh(threadId);
      return done;
    },
    async bring(threadId, way, digest, message, by, answers) {
      const worktree = worktreeOf(threadId);
      const planIt = async () => {
        const now = await plan(worktree, answers);
        if (now.digest !== digest)
          throw new StaleFileError("The worktree or the folder", "is not as it was shown");
        const open = now.ways[way];
        if (!isOpen(open)) throw new ContractError("conflict", "This cannot be done as things are.");
        return prepareHome({ git, blobs, folder }, worktree, now, way, open, message);
      };
      const done = await takeBacks.bring(threadId, planIt, by);
      parts.refresh(threadId);
      return done;
    },
  };
}

function findChange(changes: readonly TreeChange[], path: string): TreeChange {
  const change = changes.find(({ name }) => name === path);
  if (change === undefined) throw new StaleFileError(path, "is not among the changes any more");
  return change;
}
