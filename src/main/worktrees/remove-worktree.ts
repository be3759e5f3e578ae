/** Removes a worktree of this app once nothing is lost by it, and finishes what the end of the app cut off. */
import { existsSync, lstatSync, rmSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { messageOf } from "../../shared/message-of.ts";
import { passBarrier } from "../base/barriers.ts";
import { endOrphan, findOrphans } from "../shell/orphans.ts";
import { CannotBeKeptError, type Kept, keepChanges, keptRef } from "./keep-changes.ts";
import {
  deleteRef,
  endHalfMade,
  forgetGitDir,
  leadsTo,
  type MakeParts,
  markOf,
  removeFolder,
} from "./make-worktree.ts";
import type { SafeGit } from "./safe-git.ts";
import type { Worktree } from "./worktree-store.ts";

/** Where its files lie while they are being kept: nobody finds them by their old name any more. */
const asideOf = (folder: string, { id, path }: Worktree) => join(folder, `${id}-going`, basename(path));

/**
 * What is not committed is kept first; a branch on which nothing happened goes with it.
 * @throws Error when it cannot be kept; the worktree is where it was then
 */
export async function removeWorktree(worktree: Worktree, parts: MakeParts): Promise<Kept> {
  const { store, folder } = parts;
  store.setState(worktree.id, "going");
  passBarrier("worktree-going");
  let kept: Kept;
  try {
    await moveAside(worktree, folder);
    passBarrier("worktree-aside");
    kept = await keepAll(worktree, parts);
  } catch (error) {
    await moveBack(worktree, folder);
    store.setState(worktree.id, "there");
    throw error;
  }
  store.setState(worktree.id, "kept");
  passBarrier("worktree-kept");
  await dropKept(worktree, parts);
  return kept;
}

async function moveAside(worktree: Worktree, folder: string): Promise<void> {
  const aside = asideOf(folder, worktree);
  if (!existsSync(worktree.path)) return;
  if (existsSync(aside))
    throw new CannotBeKeptError(`something made it anew while it was being removed; the rest is in ${aside}`);
  if (!lstatSync(worktree.path).isDirectory())
    throw new CannotBeKeptError("something else stands in its place");
  await mkdir(dirname(aside), { recursive: true, mode: 0o700 });
  await rename(worktree.path, aside);
}

async function moveBack(worktree: Worktree, folder: string): Promise<void> {
  const aside = asideOf(folder, worktree);
  if (existsSync(aside) && !existsSync(worktree.path)) await rename(aside, worktree.path);
  if (!existsSync(aside)) await removeFolder(folder, `${worktree.id}-going`);
}

/** A folder that the person removed themselves holds nothing to keep. */
async function keepAll(worktree: Worktree, { git, folder }: MakeParts): Promise<Kept> {
  const aside = asideOf(folder, worktree);
  return existsSync(aside) ? keepChanges(git, worktree, aside) : { ref: undefined, files: 0 };
}

async function dropKept(worktree: Worktree, { git, store, folder }: MakeParts): Promise<void> {
  const { id, common, gitDir, path } = worktree;
  await removeFolder(folder, `${id}-going`);
  // What something put there meanwhile was not kept.
  if (!existsSync(path)) await removeFolder(folder, id);
  // One that a person moved elsewhere is theirs now.
  if (leadsTo(gitDir, path)) {
    // The branch first: it is by its part of the store that a later start knows that there is something left to do.
    if (!(await dropBranch(worktree, git))) return;
    forgetGitDir(common, gitDir);
  }
  store.remove(id);
}

/** @returns false where another git holds what that needs, so that a later start has to; one that went on stays. */
async function dropBranch({ id, common, branch, base }: Worktree, git: SafeGit): Promise<boolean> {
  const place = { cwd: common, gitDir: common };
  const ref = `refs/heads/${branch}`;
  rmSync(join(common, `${ref}.lock`), { force: true });
  if ((await git(place, deleteRef(ref, base), { mark: markOf(id) })).ok) return true;
  const now = await git(place, ["for-each-ref", "--format=%(objectname) %(symref)", ref]);
  return now.out.trim() !== base;
}

/** The app ended before it could say so. */
async function findKept({ id, common }: Worktree, { git }: MakeParts): Promise<Kept> {
  const ref = keptRef(id);
  const { ok } = await git({ cwd: common, gitDir: common }, ["rev-parse", "--verify", "--quiet", ref]);
  return { ref: ok ? ref : undefined, files: undefined };
}

/** A git that is still making one would go on under our hands. */
async function endLeftGit(unfinished: readonly Worktree[]): Promise<void> {
  const { found } = await findOrphans(
    unfinished.map(({ id }) => ({ executionId: markOf(id), pid: 0, startTime: "" })),
  );
  for (const orphan of found) await endOrphan(orphan);
}

/** One of a git that was killed would keep it from being kept for ever; the name is the app's own. */
function dropLock({ id, common }: Worktree): void {
  rmSync(join(common, `${keptRef(id)}.lock`), { force: true });
}

/**
 * Ends what an earlier start left unfinished, by its row alone.
 * @returns for each that could not be, why
 */
export async function endUnfinished(
  parts: MakeParts,
): Promise<{ worktree: Worktree; kept?: Kept; why?: string }[]> {
  const ends: { worktree: Worktree; kept?: Kept; why?: string }[] = [];
  await endLeftGit(parts.store.unfinished());
  for (const worktree of parts.store.unfinished()) {
    try {
      dropLock(worktree);
      if (worktree.state === "making") {
        await endHalfMade(worktree, parts);
        parts.store.wantAgain(worktree.id);
      } else if (worktree.state === "kept") {
        await dropKept(worktree, parts);
        ends.push({ worktree, kept: await findKept(worktree, parts) });
      } else ends.push({ worktree, kept: await removeWorktree(worktree, parts) });
    } catch (error) {
      ends.push({ worktree, why: messageOf(error) });
    }
  }
  return ends;
}
