/** Has the store hold itself what new commits are made of, where it borrows objects of another one that may go. */
import { join } from "node:path";
import { statOf } from "../undo/look-now.ts";
import { type GitPlace, mustGit, type SafeGit } from "./safe-git.ts";

/**
 * An agent may have the store borrow from a folder of its own: without that folder, branches that were moved on to such
 * objects would be broken.
 * @param tips what branches are about to lead to
 * @param known what they lead to now
 */
export async function keepBorrowed(
  git: SafeGit,
  place: GitPlace,
  common: string,
  tips: readonly string[],
  known: readonly string[],
): Promise<void> {
  if (statOf(join(common, "objects/info/alternates")) === undefined) return;
  const listing = ["rev-list", "--objects", "--no-object-names", ...tips, "--not", ...known, "--"];
  const input = await mustGit(git, place, listing);
  if (input !== "")
    await mustGit(git, place, ["pack-objects", "-q", join(common, "objects/pack/pack")], { input });
}
