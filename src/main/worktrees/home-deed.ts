/** Turns a plan into what is to become of files, branches and indexes: commits are made, but nothing leads to them yet. */
import { randomUUID } from "node:crypto";
import { lstatSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { OriginalBlobs } from "../files/original-blobs.ts";
import { hashBytes } from "../files/stored-file.ts";
import type { ComesBack } from "../undo/plan-take-back.ts";
import type { RepositoryMove } from "../undo/repository-move.ts";
import type { Brought } from "../undo/take-backs.ts";
import type { Version } from "../undo/version.ts";
import { branchOf, type SidePlace } from "./home-sides.ts";
import {
  type EntryMove,
  isExecutableEntry,
  isModuleEntry,
  objectOf,
  plainIndex,
  withScratch,
} from "./index-entries.ts";
import { keepBorrowed } from "./own-objects.ts";
import type { HomePlan, Open, Way } from "./plan-home.ts";
import { requireContent } from "./read-blob.ts";
import { type GitOptions, type GitPlace, mustGit, type SafeGit } from "./safe-git.ts";
import type { Worktree } from "./worktree-store.ts";

type DeedParts = { git: SafeGit; blobs: Pick<OriginalBlobs, "put">; folder: string };

/** The contents that come are put where the way back finds them. @param message of the commit of what is not committed */
export async function prepareHome(
  { git, blobs, folder }: DeedParts,
  worktree: Pick<Worktree, "common">,
  plan: HomePlan,
  way: Way,
  open: Open,
  message: string,
): Promise<Brought> {
  const { tree, folder: home } = plan.sides;
  const files = await withScratch(folder, async (scratch) => [
    ...(await stageFiles({ git, blobs }, home.place, open, open.moves, scratch)),
    ...(await stageFiles({ git, blobs }, tree.place, open, open.ownMoves ?? [], scratch)),
  ]);
  const repository =
    way === "patch" ? undefined : await planRepository(git, worktree.common, plan, way, open, message);
  const [branch, target] = [branchOf(tree.ref), branchOf(home.ref)];
  return {
    root: home.place.cwd,
    otherRoots: [tree.place.cwd],
    files,
    ...(repository && { repository }),
    home: { way, ...(branch && { branch }), ...(target && { target }) },
  };
}

/** Git writes what comes beside, with line ends as the folder's own settings want them; what is there is read from the disk. */
async function stageFiles(
  { git, blobs }: Omit<DeedParts, "folder">,
  place: SidePlace,
  { tree }: Open,
  moves: readonly EntryMove[],
  scratch: string,
): Promise<ComesBack[]> {
  const files = moves.filter(({ from, to }) => !isModuleEntry(from) && !isModuleEntry(to));
  if (tree === undefined || files.length === 0) return [];
  const id = randomUUID();
  const stage = join(scratch, id);
  await mkdir(stage);
  const at = { ...place, index: join(scratch, `${id}.index`) };
  const options: GitOptions = { settings: plainIndex, timeoutMs: 120_000 };
  await mustGit(git, at, ["read-tree", tree], options);
  const input = files.flatMap(({ name, to }) => (to === null ? [] : [`${name}\0`])).join("");
  await mustGit(git, at, ["checkout-index", "-z", "--stdin", `--prefix=${stage}/`], { ...options, input });
  const found: ComesBack[] = [];
  for (const { name, from, to } of files) {
    const path = join(place.cwd, name);
    const before = from === null ? null : await versionAt(path);
    const come = async (entry: string) => {
      const bytes = await readFile(join(stage, name));
      await requireContent(git, place, name, bytes, objectOf(entry));
      return versionOf(blobs, bytes, entry, from, before);
    };
    const after = to === null ? null : await come(to);
    found.push({ path, from: before, to: after });
  }
  return found;
}

async function versionAt(path: string): Promise<Version> {
  return { hash: hashBytes(await readFile(path)), mode: lstatSync(path).mode & 0o7777 };
}

/** A file that is there keeps its permissions, but for the one that git knows. */
async function versionOf(
  blobs: Pick<OriginalBlobs, "put">,
  bytes: Buffer,
  to: string,
  from: string | null,
  before: Version | null,
): Promise<Version> {
  const hash = await blobs.put(bytes);
  const mode = before?.mode ?? null;
  if (mode === null) return { hash, mode: isExecutableEntry(to) ? 0o755 : null };
  if (isExecutableEntry(to) === isExecutableEntry(from)) return { hash, mode };
  // Whoever may read it may run it.
  return { hash, mode: isExecutableEntry(to) ? mode | ((mode & 0o444) >> 2) : mode & ~0o111 };
}

async function planRepository(
  git: SafeGit,
  common: string,
  { sides, snapshot, all }: HomePlan,
  way: Way,
  open: Open,
  message: string,
): Promise<RepositoryMove> {
  const { tree, folder } = sides;
  const { place, head } = tree;
  const person = await findPerson(git, place);
  const commit = (of: string, parents: readonly string[], text: string) =>
    makeCommit(git, place, person, of, parents, text);
  const own = all === head ? head : await commit(snapshot.tree, [head], message);
  const treeIndex = { place, head: tree.ref! };
  const id = randomUUID();
  const keepObjects = (...tips: string[]) =>
    keepBorrowed(git, place, common, tips, folder.head === undefined ? [] : [folder.head]);
  if (way === "keep") {
    await keepObjects(own);
    const refs = [{ name: tree.ref!, from: head, to: own }];
    return { id, common, refs, indexes: [{ ...treeIndex, entries: snapshot.entries }] };
  }
  const target = folder.head!;
  const folderIndex = { place: folder.place, head: folder.ref!, entries: open.moves };
  if (way === "rebase") {
    const tip = await rebaseCommits(git, place, person, target, open, (one) => (one === all ? own : one));
    await keepObjects(tip);
    const refs = [
      { name: tree.ref!, from: head, to: tip },
      { name: folder.ref!, from: target, to: tip },
    ];
    const entries = joinMoves(snapshot.entries, open.ownMoves ?? []);
    return { id, common, refs, indexes: [{ ...treeIndex, entries }, folderIndex] };
  }
  const joining = `Merge branch '${branchOf(tree.ref)}' into ${branchOf(folder.ref)}`;
  const tip = open.isForward ? own : await commit(open.tree!, [target, own], joining);
  await keepObjects(tip, own);
  const refs = [
    { name: tree.ref!, from: head, to: own },
    { name: folder.ref!, from: target, to: tip },
  ].filter(({ from, to }) => from !== to);
  return { id, common, refs, indexes: [{ ...treeIndex, entries: snapshot.entries }, folderIndex] };
}

/** One after the other, as one. */
function joinMoves(first: readonly EntryMove[], then: readonly EntryMove[]): EntryMove[] {
  const joined = new Map(first.map((move) => [move.name, move]));
  for (const move of then) {
    const { from } = joined.get(move.name) ?? move;
    joined.set(move.name, { ...move, from });
  }
  return [...joined.values()].filter(({ from, to }) => from !== to);
}

/** Whose commits they are: the person's where git knows a name, else the app's. */
type Person = { readonly committer: string; readonly settings: readonly string[] };

async function findPerson(git: SafeGit, place: GitPlace): Promise<Person> {
  const known = await git(place, ["var", "GIT_COMMITTER_IDENT"]);
  if (known.ok) return { committer: known.out.trim(), settings: [] };
  const settings = ["-c", "user.name=Countersign", "-c", "user.email=countersign@localhost"];
  const committer = (await mustGit(git, place, [...settings, "var", "GIT_COMMITTER_IDENT"])).trim();
  return { committer, settings };
}

async function makeCommit(
  git: SafeGit,
  place: GitPlace,
  { settings }: Person,
  tree: string,
  parents: readonly string[],
  message: string,
): Promise<string> {
  const leading = parents.flatMap((parent) => ["-p", parent]);
  const args = [...settings, "commit-tree", tree, ...leading, "-F", "-"];
  return (await mustGit(git, place, args, { input: `${message.trim()}\n` })).trim();
}

/** Each keeps its author, its date and its words, byte for byte; a signature would not hold any more. */
async function rebaseCommits(
  git: SafeGit,
  place: GitPlace,
  { committer }: Person,
  onto: string,
  { steps = [] }: Open,
  sourceOf: (commit: string) => string,
): Promise<string> {
  let tip = onto;
  for (const { commit, tree } of steps) {
    const text = await mustGit(git, place, ["cat-file", "commit", sourceOf(commit)], { bytes: true });
    const end = text.indexOf("\n\n");
    const headers = text.slice(0, end).split("\n");
    const kept = (name: string) => headers.filter((line) => line.startsWith(`${name} `));
    const who = Buffer.from(committer, "utf8").toString("latin1");
    const lines = [
      `tree ${tree}`,
      `parent ${tip}`,
      ...kept("author"),
      `committer ${who}`,
      ...kept("encoding"),
    ];
    const input = Buffer.from(`${lines.join("\n")}${text.slice(end)}`, "latin1");
    tip = (await mustGit(git, place, ["hash-object", "-t", "commit", "-w", "--stdin"], { input })).trim();
  }
  return tip;
}
