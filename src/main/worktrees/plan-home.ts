/** Works out, touching nothing, what bringing a worktree's changes home would do in each way, and what stands against it. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { answerConflicts, type Conflict, type ConflictAnswers, findConflicts } from "./answer-conflicts.ts";
import { findCannotWrite } from "./cannot-write.ts";
import { compareTrees, type TreeChange } from "./compare-trees.ts";
import { findInTheWay } from "./folder-standing.ts";
import { branchOf, findSides, type Sides } from "./home-sides.ts";
import { type EntryMove, movesBetween, withScratch } from "./index-entries.ts";
import {
  commitsToRebase,
  findBase,
  mergeTrees,
  type RebaseStep,
  rebaseTrees,
  tryCommit,
} from "./merge-trees.ts";
import { type GitPlace, mustGit, type SafeGit } from "./safe-git.ts";
import { type Snapshot, takeSnapshot } from "./snapshot-tree.ts";
import type { Worktree } from "./worktree-store.ts";

/** Why a way is closed; the files are those it is about. */
export type Obstacle =
  | "nothing"
  | "no-branch"
  | "no-target"
  | "no-commit"
  | "same-branch"
  | "checked-out-elsewhere"
  | "underway"
  | "unrelated"
  | "conflicts"
  | "in-the-way"
  | "cannot-write"
  | "forward"
  | "too-many";

export type Closed = { readonly why: Obstacle; readonly files: readonly string[] };

/** What a way comes to. */
export type Open = {
  /** The tree that the person's folder is at afterwards; undefined where nothing changes there. */
  readonly tree?: string;
  /** What becomes of files there. */
  readonly moves: readonly EntryMove[];
  /** The branch moves on without a commit that joins two. */
  readonly isForward?: boolean;
  readonly steps?: readonly RebaseStep[];
  /** What becomes of files in the worktree. */
  readonly ownMoves?: readonly EntryMove[];
};

export const ways = ["merge", "rebase", "patch", "keep"] as const;
export type Way = (typeof ways)[number];

/** What there is to bring home. */
export type HomeLook = {
  readonly sides: Sides;
  readonly snapshot: Snapshot;
  /** Where the two sides part, a commit or a tree; undefined where they have nothing in common. */
  readonly base: string | undefined;
  readonly changes: readonly TreeChange[];
};

export type HomePlan = HomeLook & {
  readonly ahead: number;
  readonly behind: number;
  readonly ways: Readonly<Record<Way, Open | Closed>>;
  /** Files that a merge of the two finds changed on both sides, answered or not. */
  readonly conflicts: readonly Conflict[];
  /** A commit of all that the worktree holds, which nothing leads to. */
  readonly all: string;
  /** Binds what is done to what was shown. */
  readonly digest: string;
};

const closed = (why: Obstacle, files: readonly string[] = []): Closed => ({ why, files });

/** Whether nothing stands against it. */
export const isOpen = (way: Open | Closed): way is Open => !("why" in way);

/** More commits than these are rebased in a terminal. */
const mostCommits = 50;
const mostMoves = 5_000;

type Looking = {
  git: SafeGit;
  sides: Sides;
  snapshot: Snapshot;
  all: string;
  scratch: string;
  answers: ConflictAnswers;
};

/**
 * What the worktree changed, without a thought of the ways.
 * @param folder where scratch may lie
 * @throws ContractError saying what has to be different first; Error in git's words
 */
export function lookHome(git: SafeGit, worktree: Worktree, folder: string): Promise<HomeLook> {
  return withScratch(folder, (scratch) => look(git, worktree, scratch));
}

async function look(git: SafeGit, worktree: Worktree, scratch: string): Promise<HomeLook> {
  const sides = await findSides(git, worktree);
  const { place, head } = sides.tree;
  const snapshot = await takeSnapshot(git, sides.tree, join(scratch, "tree.index"));
  const target = sides.folder.head;
  const base = target === undefined ? undefined : await findBase(git, place, target, head);
  const changes = await compareTrees(git, place, base ?? worktree.base, snapshot.tree);
  return { sides, snapshot, base, changes };
}

/**
 * What there is, and what each way would come to.
 * @param folder where scratch may lie
 * @param answers of conflicts; a merge and a patch go by them, a rebase does not
 * @throws as `lookHome`
 */
export function planHome(
  git: SafeGit,
  worktree: Worktree,
  folder: string,
  answers: ConflictAnswers = new Map(),
): Promise<HomePlan> {
  return withScratch(folder, async (scratch) => {
    const found = await look(git, worktree, scratch);
    const { sides, snapshot, base } = found;
    const { place, head } = sides.tree;
    const isCommitted = snapshot.uncommitted.length === 0;
    const all = isCommitted ? head : await tryCommit(git, place, snapshot.tree, head);
    const target = sides.folder.head;
    const [behind = 0, ahead = 0] = target === undefined ? [] : await countApart(git, place, target, head);
    const { conflicts, ...planned } = await planWays({ git, sides, snapshot, all, scratch, answers }, base);
    const facts = { ...found, ahead, behind, ways: planned, conflicts, all };
    return { ...facts, digest: digestOf(facts) };
  });
}

/** Which commits make up a rebase shows in its trees; ids of tries are left out, since they are anew each time. */
function digestOf({ sides, snapshot, base, ways: found }: Omit<HomePlan, "digest">): string {
  const sideOf = ({ head, ref }: { head: string | undefined; ref: string | undefined }) => [head, ref];
  const results = ways.map((way) => {
    const { steps, ...rest } = { steps: undefined, ...found[way] };
    return [way, rest, steps?.map(({ tree }) => tree)];
  });
  const all = [sideOf(sides.tree), sideOf(sides.folder), snapshot, base, results];
  return createHash("sha256").update(JSON.stringify(all)).digest("hex");
}

async function countApart(git: SafeGit, place: GitPlace, ours: string, theirs: string): Promise<number[]> {
  const range = `${ours}...${theirs}`;
  return (await mustGit(git, place, ["rev-list", "--left-right", "--count", range, "--"]))
    .trim()
    .split(/\s+/)
    .map(Number);
}

type Planned = Record<Way, Open | Closed> & Pick<HomePlan, "conflicts">;

async function planWays(looking: Looking, base: string | undefined): Promise<Planned> {
  const { sides, snapshot } = looking;
  const { tree, folder } = sides;
  const cannotCommit = obstacleToCommit(sides);
  const keep =
    cannotCommit ?? (snapshot.uncommitted.length === 0 ? closed("nothing") : ({ moves: [] } satisfies Open));
  const stuck = folder.isBusy || tree.isBusy ? closed("underway") : undefined;
  const none = stuck ?? (folder.head === undefined ? closed("no-commit") : undefined);
  if (none || folder.head === undefined || base === undefined) {
    const why = none ?? closed("unrelated");
    return { merge: why, rebase: why, patch: why, keep, conflicts: [] };
  }
  const { conflicts, merged } = await planMerge(looking, folder.head, base);
  const cannotMove = cannotCommit ?? obstacleToMove(sides);
  const inTheWay = await lookInTheWay(looking, folder.head, merged);
  return {
    merge: cannotMove ?? closedBy([...inTheWay.staged, ...inTheWay.there]) ?? merged,
    rebase: cannotMove ?? (await planRebase(looking, folder.head, base, merged)),
    patch: patchOf(closedBy(inTheWay.there) ?? merged),
    keep,
    conflicts,
  };
}

function obstacleToCommit({ tree, folder }: Sides): Closed | undefined {
  if (tree.ref === undefined) return closed("no-branch");
  if (tree.isBusy) return closed("underway");
  if (tree.ref === folder.ref) return closed("same-branch");
  return tree.isShared ? closed("checked-out-elsewhere") : undefined;
}

function obstacleToMove({ folder }: Sides): Closed | undefined {
  if (folder.ref === undefined) return closed("no-target");
  return folder.isShared ? closed("checked-out-elsewhere", [branchOf(folder.ref)!]) : undefined;
}

type PlannedMerge = Pick<HomePlan, "conflicts"> & { readonly merged: Open | Closed };

async function planMerge(looking: Looking, target: string, base: string): Promise<PlannedMerge> {
  const { git, sides, snapshot, all, scratch, answers } = looking;
  const { place, head } = sides.tree;
  const isCommitted = snapshot.uncommitted.length === 0;
  if (isCommitted && base === head) return { conflicts: [], merged: closed("nothing") };
  const isForward = base === target;
  if (isForward) return { conflicts: [], merged: await planTree(looking, target, snapshot.tree, isForward) };
  const found = await mergeTrees(git, place, target, all);
  if (!("conflicts" in found))
    return { conflicts: [], merged: await planTree(looking, target, found.tree, isForward) };
  const conflicts = await findConflicts(git, place, found.conflicts, target, all, answers);
  const answered = await answerConflicts(git, place, found, conflicts, scratch);
  const merged =
    answered === undefined
      ? closed("conflicts", found.conflicts)
      : await planTree(looking, target, answered, isForward);
  return { conflicts, merged };
}

async function planTree(
  { git, sides, scratch }: Looking,
  target: string,
  tree: string,
  isForward: boolean,
): Promise<Open | Closed> {
  const moves = await movesBetween(git, sides.tree.place, target, tree);
  const cannot = await findCannotWrite(git, sides.folder.place, tree, moves, scratch);
  if (moves.length > mostMoves) return closed("too-many");
  return cannot.length > 0 ? closed("cannot-write", cannot) : { tree, moves, isForward };
}

async function lookInTheWay({ git, sides, scratch }: Looking, target: string, open: Open | Closed) {
  if (!isOpen(open)) return { staged: [], there: [] };
  return findInTheWay(git, sides.folder.place, target, open.moves, scratch);
}

const closedBy = (names: readonly string[]): Closed | undefined =>
  names.length > 0 ? closed("in-the-way", [...new Set(names)].sort()) : undefined;

/** As a patch nothing is a commit, so what changes no file brings nothing. */
const patchOf = (merged: Open | Closed): Open | Closed =>
  isOpen(merged) && merged.moves.length === 0 ? closed("nothing") : merged;

async function planRebase(
  looking: Looking,
  target: string,
  base: string,
  merged: Open | Closed,
): Promise<Open | Closed> {
  const { git, sides, snapshot, all, scratch } = looking;
  const { place } = sides.tree;
  if ("why" in merged && merged.why === "nothing") return merged;
  if (base === target) return closed("forward");
  const commits = await commitsToRebase(git, place, target, all, mostCommits);
  if (commits === undefined) return closed("too-many");
  const rebased = await rebaseTrees(git, place, target, commits);
  if ("conflicts" in rebased) return closed("conflicts", rebased.conflicts);
  const tree =
    rebased.steps.at(-1)?.tree ?? (await mustGit(git, place, ["rev-parse", `${target}^{tree}`])).trim();
  const moves = await movesBetween(git, place, target, tree);
  const ownMoves = await movesBetween(git, place, snapshot.tree, tree);
  if (moves.length + ownMoves.length > mostMoves) return closed("too-many");
  const cannot = [
    ...(await findCannotWrite(git, sides.folder.place, tree, moves, scratch)),
    ...(await findCannotWrite(git, place, tree, ownMoves, scratch)),
  ];
  if (cannot.length > 0) return closed("cannot-write", [...new Set(cannot)]);
  const open = { tree, moves, steps: rebased.steps, ownMoves };
  // What is staged there is about to be committed, or is as in the last commit.
  const own = (await findInTheWay(git, place, all, ownMoves, scratch)).there;
  const home = await lookInTheWay(looking, target, open);
  return closedBy(own) ?? closedBy([...home.staged, ...home.there]) ?? open;
}
