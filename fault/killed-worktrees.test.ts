/** Worktrees made and removed by processes that are killed at random moments, on disks that fill, beside folders that are deleted. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { expect, it } from "vitest";
import { mountSmallDisk } from "../src/main/base/testing/small-disk.ts";
import { makeRandom } from "../src/main/policy/testing/seeded-commands.ts";
import { openDatabase } from "../src/main/storage/open-database.ts";
import { keptRef } from "../src/main/worktrees/keep-changes.ts";
import { endUnfinished } from "../src/main/worktrees/remove-worktree.ts";
import { safeGit } from "../src/main/worktrees/safe-git.ts";
import { createWorktreeStore } from "../src/main/worktrees/worktree-store.ts";
import type { ThreadId } from "../src/shared/ids.ts";

/** `COUNTERSIGN_FAULT_KILLS=200` for the long run; `COUNTERSIGN_FAULT_SEED` repeats one. */
const rounds = Number(process.env.COUNTERSIGN_FAULT_KILLS ?? "3");
const seed = Number(process.env.COUNTERSIGN_FAULT_SEED ?? Date.now() % 2 ** 31);
const random = makeRandom(seed);
const below = (most: number) => Math.floor(random() * most);

const person = ["-c", "user.name=A", "-c", "user.email=a@b.c"];
const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", [...person, ...args], { cwd, encoding: "latin1", stdio: ["ignore", "pipe", "pipe"] });

/** What can happen to a process while it works. */
const fates = ["nothing", "killed", "killed with its git", "full disk", "deleted"] as const;
type Fate = (typeof fates)[number];
/** No git takes longer for these few files. */
const mostMs = 160;

/** How the processes ended. */
const came = { "cut off": 0, failed: 0, done: 0 };

type Place = { disk: string; dataDir: string; origin: string };

function kill(child: ChildProcess, withGit: boolean): void {
  try {
    process.kill(withGit ? -child.pid! : child.pid!, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

async function act(place: Place, name: "make" | "remove", id: string, fate: Fate): Promise<void> {
  const { dataDir, origin, disk } = place;
  const filler = join(disk, "filler");
  const program = join(import.meta.dirname, "worktree-process.ts");
  const child = spawn(process.execPath, [program, name, dataDir, origin, id], {
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(child, "exit");
  await Promise.race([once(child.stdout!, "data"), ended]);
  if (fate === "full disk") fill(disk, filler, below(60) * 1_024);
  const timer = setTimeout(() => {
    if (fate.startsWith("killed")) kill(child, fate === "killed with its git");
    if (fate === "deleted") rmSync(join(dataDir, "worktrees"), { recursive: true, force: true });
  }, below(mostMs));
  const [code, signal] = await ended;
  came[signal ? "cut off" : code === 0 ? "done" : "failed"] += 1;
  clearTimeout(timer);
  rmSync(filler, { force: true });
}

/** Leaves so many bytes free. */
function fill(disk: string, filler: string, left: number): void {
  const { bavail, bsize } = statfsSync(disk);
  try {
    writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - left)));
  } catch {
    // The process wrote meanwhile: then it is full.
  }
}

/** Changed, new, deleted, staged and executable files, a link and a name that is no ASCII. */
function workIn(tree: string): Map<string, string> {
  writeFileSync(join(tree, "changed"), `changed ${random()}`);
  mkdirSync(join(tree, "neu é"));
  writeFileSync(
    join(tree, "neu é", "file"),
    Buffer.from(Array.from({ length: below(20_000) }, () => below(256))),
  );
  writeFileSync(join(tree, "run"), `run ${random()}`);
  chmodSync(join(tree, "run"), 0o755);
  symlinkSync("changed", join(tree, "link"));
  rmSync(join(tree, "gone"));
  if (random() < 0.5) git(tree, "add", "run");
  return filesOf(tree);
}

function filesOf(tree: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(tree, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && entry.name !== ".git")
      found.set(relative(tree, path), readFileSync(path, "latin1"));
  }
  return found;
}

function keptFiles(origin: string, ref: string): Map<string, string> {
  const names = git(origin, "ls-tree", "-r", "-z", ref)
    .split("\0")
    .filter((line) => line.startsWith("100"));
  return new Map(
    names.map((line) => {
      const name = Buffer.from(line.slice(line.indexOf("\t") + 1), "latin1").toString();
      return [name, git(origin, "cat-file", "blob", line.split(/[ \t]/)[2]!)];
    }),
  );
}

const locksIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".lock"));

it(`loses no byte, and leaves no worktree and no lock, over ${rounds} random ends (seed ${seed})`, {
  timeout: rounds * 60_000,
}, async (test) => {
  const disk = realpathSync(mkdtempSync(join(tmpdir(), "countersign-killed-trees-")));
  test.onTestFinished(() => rmSync(disk, { recursive: true, force: true }));
  const unmount = mountSmallDisk(disk, "size=24m", test);
  test.onTestFinished(unmount);
  const place = { disk, dataDir: join(disk, "data"), origin: join(disk, "Mein Projekt é") };
  const { dataDir, origin } = place;
  for (const folder of [dataDir, origin]) mkdirSync(folder);
  git(origin, "init", "-q", "-b", "main");
  for (const name of ["changed", "gone", ...Array.from({ length: 60 }, (_, at) => `many-${at}`)])
    writeFileSync(join(origin, name), `${name}\n`);
  git(origin, "add", "-A");
  git(origin, "commit", "-qm", "one");
  const foreign = join(disk, "foreign");
  git(origin, "worktree", "add", "-q", foreign);
  writeFileSync(join(foreign, "own"), "own");
  const foreignBefore = filesOf(foreign);

  for (let round = 0; round < rounds; round += 1) {
    const id = `w${round}`;
    const [making, removing] = [fates[below(fates.length)]!, fates[below(fates.length)]!];
    const start = async () => {
      const { database } = openDatabase(dataDir, Date.now);
      const store = createWorktreeStore(database);
      const ends = await endUnfinished({ git: safeGit, store, folder: join(dataDir, "worktrees") });
      return { database, store, ends };
    };
    const first = await start();
    first.store.want(id, id as ThreadId, origin);
    first.database.close();
    await act(place, "make", id, making);
    const second = await start();
    expect(second.ends, `round ${round}: made, then ${making}`).toEqual([]);
    const [worktree] = second.store.inUse();
    second.database.close();
    const isThere = worktree !== undefined && existsSync(worktree.path);
    const files = isThere && removing !== "deleted" ? workIn(worktree.path) : undefined;
    if (worktree) await act(place, "remove", id, removing);
    const third = await start();
    const what = `round ${round}: made, then ${making}; removed, then ${removing}`;
    expect(
      third.ends.flatMap(({ why }) => why ?? []),
      what,
    ).toEqual([]);
    const [left] = third.store.inUse();
    if (files) expect(left ? filesOf(left.path) : keptFiles(origin, keptRef(id)), what).toEqual(files);
    if (left) await act(place, "remove", id, "nothing");
    if (files) expect(keptFiles(origin, keptRef(id)), what).toEqual(files);
    third.store.unwant(id as ThreadId);
    third.database.close();
    const trees = git(origin, "worktree", "list", "--porcelain")
      .split("\n")
      .filter((line) => line.startsWith("worktree "));
    expect(trees.length, what).toBe(2);
    expect(
      locksIn(join(origin, ".git")).filter((name) => !name.endsWith("locked")),
      what,
    ).toEqual([]);
    const folders = join(dataDir, "worktrees");
    expect(existsSync(folders) ? readdirSync(folders) : [], what).toEqual([]);
    expect(git(origin, "for-each-ref", "--format=%(refname)", "refs/heads/countersign"), what).toBe("");
    expect(filesOf(foreign)).toEqual(foreignBefore);
  }
  console.log(`Processes that made or removed a worktree: ${JSON.stringify(came)}`);
});
