/** Moves branches and indexes from what they are known to be to what they become, and nothing that is something else by now. */
import { randomBytes } from "node:crypto";
import { link, lstat, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ContractError } from "../../shared/contract/errors.ts";
import { passBarrier } from "../base/barriers.ts";
import { whileBusy } from "../base/while-busy.ts";
import { systemCode } from "../files/file-error.ts";
import type { MoveRepository, RepositoryMove } from "../undo/repository-move.ts";
import { branchOf } from "./home-sides.ts";
import { entriesOfIndex, findReplacing, indexInfo, plainIndex } from "./index-entries.ts";
import { copyIndex } from "./keep-changes.ts";
import { mustGit, type SafeGit } from "./safe-git.ts";
import { ownIndex } from "./snapshot-tree.ts";

type Ref = RepositoryMove["refs"][number];
type Index = RepositoryMove["indexes"][number];

/** @param scratch where an index of our own may lie until it takes the place of git's */
export function createRepositoryMover(git: SafeGit, scratch: string): MoveRepository {
  return async ({ id, refs, indexes, common }, way, onForeign) => {
    const here: Index[] = [];
    for (const index of indexes) {
      if (await isThere(git, index)) here.push(index);
      else {
        onForeign(branchOf(index.head) ?? index.head);
        // The index is of another branch by now, and none of ours; the branch that it left can go back all the same.
        await dropLeft(locksOf(join(index.place.gitDir, "index"), id));
      }
    }
    const held: HeldIndex[] = [];
    try {
      // Before a branch moves: an index that somebody holds could neither follow it nor go back with it.
      for (const index of here) {
        const turned = index.entries.map(({ name, from, to }) => ({ name, from: to, to: from }));
        const turnedIndex = way === "forth" ? index : { ...index, entries: turned };
        const one = await holdIndex(git, turnedIndex, { scratch, id }, onForeign);
        if (one) held.push(one);
      }
      // Who switches to another branch holds the index, and may have done so until now.
      for (const index of here)
        if (!(await isThere(git, index))) return onForeign(branchOf(index.head) ?? index.head);
      for (const ref of refs) {
        await moveRef(git, common, way === "forth" ? ref : { ...ref, from: ref.to, to: ref.from }, onForeign);
        passBarrier("home-ref-moved");
      }
      for (const one of held) await one.write();
    } finally {
      for (const one of held) await one.release();
    }
  };
}

/** Whether the branch is still checked out that the index is of. */
async function isThere(git: SafeGit, { place, head }: Index): Promise<boolean> {
  return (await git(place, ["symbolic-ref", "--quiet", "HEAD"])).out.trim() === head;
}

/** Git itself compares once more, in the step that moves it. */
async function moveRef(
  git: SafeGit,
  common: string,
  { name, from, to }: Ref,
  onForeign: (name: string) => void,
): Promise<void> {
  const place = { cwd: common, gitDir: common };
  const isNow = async (id: string) =>
    (await mustGit(git, place, ["for-each-ref", "--format=%(objectname) %(symref)", name])).trim() === id;
  if (await isNow(to)) return;
  if (!(await isNow(from))) return onForeign(branchOf(name) ?? name);
  const message = "countersign: bring home";
  await mustGit(git, place, ["update-ref", "--no-deref", "--create-reflog", "-m", message, name, to, from]);
}

/** An index that no other git writes until it is released. */
type HeldIndex = { write(): Promise<void>; release(): Promise<void> };

/** Makes beside what the index becomes. Undefined where nothing is left to do: no lock is needed then, which somebody else may hold. */
async function holdIndex(
  git: SafeGit,
  index: Index,
  { scratch, id }: { scratch: string; id: string },
  onForeign: (name: string) => void,
): Promise<HeldIndex | undefined> {
  const file = ownIndex(index.place.gitDir);
  const own = join(scratch, `${randomBytes(8).toString("hex")}.index`);
  let lock: Awaited<ReturnType<typeof takeLock>> | undefined;
  const release = async (): Promise<undefined> => {
    await lock?.release();
    for (const each of [own, `${own}.lock`]) await rm(each, { force: true });
  };
  try {
    if ((await findLeft(git, index, file, own, onForeign)).length === 0) {
      await dropLeft(locksOf(file, id));
      return await release();
    }
    lock = await takeLock(file, id);
    passBarrier("home-index-locked");
    const left = await findLeft(git, index, file, own, onForeign);
    if (left.length === 0) return await release();
    const at = { ...index.place, index: own };
    const options = { settings: plainIndex, timeoutMs: 120_000 };
    const input = indexInfo(left);
    await mustGit(git, at, ["update-index", "-z", "--index-info"], { ...options, input });
    await git(at, ["update-index", "-q", "--refresh"], options);
    const { write } = lock;
    return { write: () => write(own), release };
  } catch (cause) {
    await release();
    throw cause;
  }
}

/** Copies the index, and finds the entries that are not yet what they become. */
async function findLeft(
  git: SafeGit,
  { place, entries }: Index,
  file: string,
  own: string,
  onForeign: (name: string) => void,
) {
  await copyIndex(file, own);
  const there = await entriesOfIndex(git, { ...place, index: own });
  const now = (name: string) => there?.get(name) ?? null;
  const foreign =
    entries.find(({ name, from, to }) => now(name) !== from && now(name) !== to) ??
    findReplacing(there ?? new Map(), entries)[0];
  if (there !== undefined && !foreign) return entries.filter(({ name, to }) => now(name) !== to);
  onForeign(foreign?.name ?? place.cwd);
  return [];
}

const locksOf = (file: string, id: string) => ({
  path: join(dirname(file), "index.lock"),
  mark: join(dirname(file), `countersign-${id}.lock`),
});

/**
 * Git's own lock: no git writes the index meanwhile. What is written replaces the index and follows no link. A second name of
 * the lock says whose it is, so that one which the end of the app left is known again.
 * @throws ContractError when a git is at work there
 */
async function takeLock(file: string, id: string) {
  const { path, mark } = locksOf(file, id);
  await dropLeft({ path, mark });
  const handle = await open(mark, "wx", 0o644);
  const end = async () => {
    await handle.close().catch(() => {});
    await rm(mark, { force: true });
  };
  try {
    await link(mark, path);
  } catch (cause) {
    await end();
    if (systemCode(cause) !== "EEXIST") throw cause;
    throw new ContractError("conflict", `Git is at work in ${dirname(file)}. Try again when it is done.`);
  }
  return {
    /** With the time of what it is a copy of: a younger one would let a change of that moment pass for none. */
    async write(from: string) {
      const second = Math.floor((await stat(from)).mtimeMs / 1_000);
      await handle.writeFile(await readFile(from));
      await handle.utimes(second, second);
      await handle.sync();
      await whileBusy(file, () => rename(path, file));
    },
    async release() {
      await dropLeft({ path, mark });
      await end();
    },
  };
}

/** One that is somebody else's stays. */
async function dropLeft({ path, mark }: ReturnType<typeof locksOf>): Promise<void> {
  const own = await lstat(mark).catch(() => undefined);
  const there = await lstat(path).catch(() => undefined);
  if (own && there && own.ino === there.ino && own.dev === there.dev) await rm(path, { force: true });
  await rm(mark, { force: true });
}
