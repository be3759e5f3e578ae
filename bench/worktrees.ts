/** Measures how long a thread waits for its worktree, and for it to go again, and how soon two in one folder hear of each other. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../src/main/storage/open-database.ts";
import { makeWorktree } from "../src/main/worktrees/make-worktree.ts";
import { removeWorktree } from "../src/main/worktrees/remove-worktree.ts";
import { safeGit } from "../src/main/worktrees/safe-git.ts";
import { createWorktreeStore } from "../src/main/worktrees/worktree-store.ts";
import type { ThreadId } from "../src/shared/ids.ts";
import { inFolder, median, timeOf } from "./measuring.ts";
import { measureOverlap } from "./overlap-told.ts";
import { type BenchOptions, type Figure, type Findings, figure, noteOnLoad } from "./result.ts";

const filesInFolder = 25;
const mostMs = 1_000;
const mostToldMs = 2_000;
const memory = "/dev/shm";

type Place = { name: string; folder: string };
/** One side's medians, in ms. */
type Side = { made: number; gone: number; byGit: number; copied: number };

/** A quick run makes three worktrees of each size, a full one seven. */
export async function run({ quick }: BenchOptions): Promise<Findings> {
  const rounds = quick ? 3 : 7;
  const load = noteOnLoad();
  const disk = { name: "on the disk", folder: tmpdir() };
  const fast = existsSync(memory) ? { name: "in memory", folder: memory } : undefined;
  const figures = [
    ...(await figuresOf(1_000, disk, rounds)),
    ...(fast ? await figuresOf(50_000, fast, rounds, { maxValue: mostMs }) : []),
    ...(await figuresOf(50_000, disk, rounds, fast ? { maxRatio: 1 } : { maxValue: mostMs })),
  ];
  const told = await measureOverlap(rounds);
  figures.push(
    figure({
      name: "second write of a file to both threads told, slowest",
      unit: "ms",
      value: Math.max(...told),
      baseline: { name: "the median", version: "this tree", value: median(told) },
      maxValue: mostToldMs,
    }),
  );
  return {
    figures,
    notes: [
      "Told: two threads in one folder, from the write by bash's own clock to the event, while both commands go on.",
      "`cp -a` is the floor of a disk that shares no contents: each file is made, written and closed once. A busy disk counts in all of them, so the second is judged in memory, where that is to be had, and the disk beside `cp -a`.",
      `Medians of ${rounds}. Files of 100 bytes, ${filesInFolder} in a folder, in ${realpathSync(disk.folder)}; the baseline is git's own, as it comes.`,
      load,
    ],
  };
}

async function figuresOf(
  size: number,
  place: Place,
  rounds: number,
  bar: { maxValue?: number; maxRatio?: number } = {},
): Promise<Figure[]> {
  const { made, gone, byGit, copied } = await measure(size, rounds, place.folder);
  const what = `${size.toLocaleString("en")} files ${place.name}`;
  const baseline = { name: "git worktree add", version: gitVersion(), value: byGit };
  const copy = { name: "cp -a", version: "this system's", value: copied };
  const { maxValue, maxRatio } = bar;
  return [
    figure({
      name: `worktree made, ${what}`,
      unit: "ms",
      value: made,
      baseline,
      ...(maxValue && { maxValue }),
    }),
    figure({ name: `worktree with one change kept and gone, ${what}`, unit: "ms", value: gone, baseline }),
    figure({
      name: `worktree made, beside the same files copied, ${what}`,
      unit: "ms",
      value: made,
      baseline: copy,
      ...(maxRatio && { maxRatio }),
    }),
  ];
}

const gitVersion = () => execFileSync("git", ["version"], { encoding: "utf8" }).trim().split(" ").at(-1)!;

function measure(size: number, rounds: number, parent: string): Promise<Side> {
  return inFolder(async (folder) => {
    const origin = makeRepository(join(folder, "repository"), size);
    mkdirSync(join(folder, "data"));
    const { database } = openDatabase(join(folder, "data"), Date.now);
    const store = createWorktreeStore(database);
    const parts = { git: safeGit, store, folder: join(folder, "data/worktrees") };
    const times: Record<keyof Side, number[]> = { made: [], gone: [], byGit: [], copied: [] };
    for (let round = 0; round < rounds; round += 1) {
      const id = `w${round}`;
      store.want(id, id as ThreadId, origin);
      times.made.push(
        await timeOf(() => makeWorktree({ id, origin }, id, parts, (_, gitDir) => store.made(id, gitDir))),
      );
      const [worktree] = store.inUse();
      writeFileSync(join(worktree!.path, "changed"), "changed");
      times.gone.push(await timeOf(() => removeWorktree(worktree!, parts)));
      const other = join(folder, "by-git");
      times.byGit.push(await timeOf(() => git(origin, "worktree", "add", "-q", other)));
      const copy = join(folder, "copy");
      times.copied.push(await timeOf(() => execFileSync("cp", ["-a", other, copy])));
      rmSync(copy, { recursive: true });
      git(origin, "worktree", "remove", "--force", other);
      git(origin, "branch", "-q", "-D", "by-git");
    }
    database.close();
    return {
      ...{ made: median(times.made), gone: median(times.gone) },
      ...{ byGit: median(times.byGit), copied: median(times.copied) },
    };
  }, parent);
}

function git(cwd: string, ...args: string[]): void {
  const settings = ["user.name=A", "user.email=a@b.c", "gc.auto=0", "maintenance.auto=false"];
  execFileSync("git", [...settings.flatMap((each) => ["-c", each]), ...args], { cwd, stdio: "ignore" });
}

function makeRepository(folder: string, size: number): string {
  mkdirSync(folder);
  git(folder, "init", "-q", "-b", "main");
  for (let at = 0; at < size; at += 1) {
    const within = join(folder, `d${Math.floor(at / filesInFolder)}`);
    if (at % filesInFolder === 0) mkdirSync(within);
    writeFileSync(join(within, `f${at}`), `${at}`.padEnd(100, "."));
  }
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", "one");
  git(folder, "gc", "-q");
  return folder;
}
