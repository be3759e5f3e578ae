/** Finds what was done to a workspace without a word: to a file through memory, or by another name of it outside of the workspace. */
import { wallClock } from "../base/wall-clock.ts";
import { compareSnapshots, type TreeChange } from "./compare-snapshots.ts";
import type { KeptTree } from "./kept-tree.ts";
import { type SnapshotLimits, takeInSteps } from "./tree-snapshot.ts";

/**
 * Looks at everything, a folder at a time, and holds it against what is known by hearing.
 * @param settled resolves when all that happened before was heard
 * @param giveWay lets others go first; false when to give up
 * @returns what was not heard of, or null where that could not be told
 */
export async function auditTree(
  tree: KeptTree,
  limits: SnapshotLimits,
  settled: () => Promise<unknown>,
  giveWay: () => Promise<boolean>,
): Promise<TreeChange[] | null> {
  const look = async () => {
    const at = wallClock();
    await settled();
    return tree.look(at);
  };
  await look();
  const steps = takeInSteps(tree.root, limits, tree.snapshot, true);
  let step = steps.next();
  while (!step.done) {
    if (!(await giveWay())) return null;
    step = steps.next();
  }
  const { earlier } = await look();
  if (!tree.isWatched || !step.value.complete) return null;
  tree.takeCopies(step.value.files);
  return compareSnapshots(tree.snapshot, step.value).filter(({ path }) => !earlier.has(path));
}
