/** Keeps what is not committed in a worktree under a ref of the common store, byte for byte, before the worktree goes. */
import { existsSync, lstatSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { copyFile, rm, stat, utimes } from "node:fs/promises";
import { dirname, join, posix, resolve } from "node:path";
import { leadsTo, markOf, readText } from "./make-worktree.ts";
import { type GitOptions, type GitPlace, mustGit, type SafeGit } from "./safe-git.ts";
import type { Worktree } from "./worktree-store.ts";

/** Where what was kept is found. */
export function keptRef(id: string): string {
  return `refs/countersign/kept/${id}`;
}

/** Git looks for branches where this file says, whatever else it is told. */
const wayToStore = (gitDir: string) => join(gitDir, "commondir");

/** Whether a worktree's own part of the store belongs to that store still. */
export function leadsToStore({ gitDir, common }: Pick<Worktree, "gitDir" | "common">): boolean {
  const said = readText(wayToStore(gitDir)).trim();
  return said !== "" && resolve(gitDir, said) === common;
}

/** Whatever stood there is replaced and not followed. */
function leadBack({ gitDir, common }: Pick<Worktree, "gitDir" | "common">): void {
  rmSync(wayToStore(gitDir), { recursive: true, force: true });
  writeFileSync(wayToStore(gitDir), `${common}\n`, { flag: "wx" });
}

export type Kept = {
  /** Undefined where everything was committed on a branch. */
  ref: string | undefined;
  /** How many files were not committed; undefined where nobody counted. */
  files: number | undefined;
};

const isFile = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** Under these git changes no byte, and takes no file for unchanged whose times say otherwise. */
const asTheyAre = [
  ["core.autocrlf", "false"],
  ["core.safecrlf", "false"],
  ["core.trustctime", "true"],
  ["core.checkStat", "default"],
] as const;

/** What no commit of the repository could hold: the worktree is left as it is. */
export class CannotBeKeptError extends Error {}

/**
 * Tracked and untracked files as they are, what was staged besides, and commits that no branch has. Ignored files are not kept.
 * @param folder where its files lie now; beside it, where only the app writes, is room for an index
 * @throws CannotBeKeptError, or an Error in git's words; nothing was changed then
 */
export async function keepChanges(
  git: SafeGit,
  {
    id,
    common,
    gitDir: part,
    path,
    branch,
    base,
  }: Omit<Worktree, "threadId" | "state" | "origin" | "firstStep">,
  folder: string,
): Promise<Kept> {
  if (!existsSync(common)) throw new CannotBeKeptError(`its repository ${common} is gone`);
  // Without its own part, which somebody removed, the files are still compared with its branch.
  const isWhole = leadsTo(part, path) && isFile(join(part, "index"));
  const gitDir = isWhole ? part : common;
  if (isWhole && !leadsToStore({ gitDir, common })) leadBack({ gitDir, common });
  // Its own index may be locked for ever, by a command that was ended; beside that an agent may have left a link to anywhere.
  const index = join(dirname(folder), `${id}.index`);
  const place: GitPlace = { cwd: folder, gitDir, commonDir: common, workTree: folder, index };
  const options = { settings: asTheyAre, timeoutMs: 600_000, mark: markOf(id) };
  const must: Must = (args, input) => mustGit(git, place, args, { ...options, input });
  const head = await findHead(git, place, [...(isWhole ? ["HEAD"] : []), `refs/heads/${branch}`, base]);
  const headTree = (await must(["rev-parse", `${head}^{tree}`])).trim();
  try {
    if (isWhole) await copyIndex(join(gitDir, "index"), index);
    else await must(["read-tree", head]);
    // While a merge has conflicts there is no such tree, and what is staged comes from commits.
    const staged = await git(place, ["write-tree"], options);
    const stagedTree = staged.ok && staged.out.trim() !== headTree ? staged.out.trim() : undefined;
    await showAll(git, place, options);
    const names = await changedNames(must, head);
    await refuseInner(must, folder, names);
    await must(["read-tree", head]);
    await must(["update-index", "-z", "--index-info"], await entriesOf(must, folder, names));
    const tree = (await must(["write-tree"])).trim();
    const ref = keptRef(id);
    if (tree === headTree && stagedTree === undefined) {
      const branches = await must(["for-each-ref", "--count=1", `--contains=${head}`, "refs/heads"]);
      if (branches !== "") return { ref: undefined, files: 0 };
      await must(["update-ref", "--no-deref", ref, head]);
      return { ref, files: 0 };
    }
    const parents = ["-p", head];
    if (stagedTree !== undefined)
      parents.push("-p", await commit(must, stagedTree, ["-p", head], `Staged in ${branch}`));
    const message = `Not committed in ${branch} when its worktree went`;
    await must(["update-ref", "--no-deref", ref, await commit(must, tree, parents, message)]);
    return { ref, files: names.length };
  } finally {
    for (const file of [index, `${index}.lock`]) await rm(file, { force: true });
  }
}

/**
 * Git knows times of files by the second. What was changed in the second in which it was last looked at is compared by its
 * contents, as long as the index is not younger: a copy with a time of its own would take such a change for none.
 */
export async function copyIndex(from: string, to: string): Promise<void> {
  const second = Math.floor((await stat(from)).mtimeMs / 1_000);
  await copyFile(from, to);
  await utimes(to, second, second);
}

/** The first of them that is there: a branch without a commit yet has none. */
async function findHead(git: SafeGit, place: GitPlace, names: readonly string[]): Promise<string> {
  for (const name of names) {
    const { ok, out } = await git(place, ["rev-parse", "--verify", "--quiet", `${name}^{commit}`]);
    if (ok) return out.trim();
  }
  throw new CannotBeKeptError("the commit that it began at is gone");
}

/** Files that git was told to take as unchanged are looked at too. */
async function showAll(git: SafeGit, place: GitPlace, options: GitOptions): Promise<void> {
  const listed = await git(place, ["ls-files", "-z", "-t"], options);
  const skipped = listed.out
    .split("\0")
    .flatMap((line) =>
      line.startsWith("S ") && existsSync(join(place.cwd, line.slice(2))) ? [line.slice(2)] : [],
    );
  const input = skipped.map((name) => `${name}\0`).join("");
  if (input !== "")
    await git(place, ["update-index", "--no-skip-worktree", "-z", "--stdin"], { ...options, input });
  await git(place, ["update-index", "-q", "--really-refresh"], options);
}

type Must = (args: readonly string[], input?: string) => Promise<string>;

/** The app's own commits need no name of the person's. */
async function commit(
  must: Must,
  tree: string,
  parents: readonly string[],
  message: string,
): Promise<string> {
  const names = ["-c", "user.name=Countersign", "-c", "user.email=countersign@localhost"];
  const args = [...names, "commit-tree", tree, ...parents, "-m", message];
  return (await must(args)).trim();
}

/** Files that differ from the last commit, are gone, or that git does not know and does not ignore. */
async function changedNames(must: Must, head: string): Promise<string[]> {
  const changed = await must(["diff-index", "-z", "--name-only", "--ignore-submodules=all", head, "--"]);
  const others = await must(["ls-files", "-z", "--others", "--exclude-standard"]);
  return [...new Set([...changed.split("\0"), ...others.split("\0")])].filter((name) => name !== "");
}

/** One that git does not know is listed as a folder; a submodule stands in the index. */
async function refuseInner(must: Must, folder: string, names: readonly string[]): Promise<void> {
  const listed = await must(["ls-files", "-z", "--stage"]);
  const modules = listed.split("\0").flatMap((line) => /^160000 [^\t]*\t(.*)$/s.exec(line)?.[1] ?? []);
  const inner =
    names.find((name) => name.endsWith("/")) ??
    modules.find((name) => existsSync(join(folder, name, ".git")));
  if (inner !== undefined)
    throw new CannotBeKeptError(`${inner} holds a repository of its own, whose files cannot be kept with it`);
}

/** Whether a folder of the worktree is one by itself, and so are all above it. */
function createRealFolders(root: string): (name: string) => boolean {
  const known = new Map([[".", true]]);
  const isReal = (name: string): boolean => {
    const answer =
      known.get(name) ??
      (isReal(posix.dirname(name)) &&
        lstatSync(join(root, name), { throwIfNoEntry: false })?.isDirectory() === true);
    known.set(name, answer);
    return answer;
  };
  return isReal;
}

const gone = "0 0000000000000000000000000000000000000000\t";

/** What the index is told of each name: contents are stored as they are, no setting changes a byte. */
async function entriesOf(must: Must, folder: string, names: readonly string[]): Promise<string> {
  const isReal = createRealFolders(folder);
  const found = names.map((name) => {
    // What lies behind a link is none of the worktree's files, as git sees it too.
    const stats = isReal(posix.dirname(name))
      ? lstatSync(join(folder, name), { throwIfNoEntry: false })
      : undefined;
    const mode = stats?.isSymbolicLink()
      ? "120000"
      : stats?.isFile()
        ? stats.mode & 0o100
          ? "100755"
          : "100644"
        : undefined;
    return { name, mode };
  });
  const plain = found.filter(({ name, mode }) => mode?.startsWith("100") && !/[\n"]/.test(name));
  const listed = plain.map(({ name }) => `${name}\n`).join("");
  const stored =
    listed === ""
      ? []
      : (await must(["hash-object", "-w", "--no-filters", "--stdin-paths"], listed)).trim().split("\n");
  const ids = new Map(plain.map(({ name }, at) => [name, stored[at]!]));
  for (const { name, mode } of found) {
    if (mode === undefined || ids.has(name)) continue;
    const stdin = mode === "120000" ? readlinkSync(join(folder, name)) : undefined;
    const args = ["hash-object", "-w", "--no-filters", ...(stdin === undefined ? ["--", name] : ["--stdin"])];
    ids.set(name, (await must(args, stdin)).trim());
  }
  return found
    .map(({ name, mode }) =>
      mode === undefined ? `${gone}${name}\0` : `${mode} ${ids.get(name)}\t${name}\0`,
    )
    .join("");
}
