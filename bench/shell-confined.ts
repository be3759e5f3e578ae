/** Measures what it costs to confine a command: the same commands confined and plain, in one run and in turn. */

import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fencesOf } from "../src/main/sandbox/confinement.ts";
import { nothingMore } from "../src/main/sandbox/hidden-places.ts";
import { Shell } from "../src/main/shell/shell.ts";
import { forkBuilt } from "./fork-built.ts";
import { median } from "./measuring.ts";
import { probeBubblewrap } from "./probe-bubblewrap.ts";
import type { Compared } from "./shell-host.ts";

export type ConfinedCost = {
  /** Milliseconds to the first byte of output; p50. */
  firstByte: Compared;
  /** MB that the processes around a confined command hold for themselves. */
  memoryMb: number;
  /** Milliseconds for each of twenty commands that begin at once. */
  atOnce: Compared;
  /** Milliseconds to find what has to hold a command in a large folder, in the process that starts it; p50. */
  fencesMs: number;
};

const folders = 200;
const filesEach = 25;
/** A folder that changed less than two seconds ago is read anew each time. */
const settledMs = 2_200;

const together = 20;
const rounds = 5;

/** @returns why it is not measured here, where commands cannot be confined. */
export async function measureConfined(directory: string, runs: number): Promise<ConfinedCost | string> {
  const probed = await probeBubblewrap();
  if (!probed.usable) return probed.why;
  const [home, dataDir, cwd] = ["home", "data", "work"].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  for (const each of [home, dataDir, cwd]) mkdirSync(each);
  const shell = new Shell({
    logDir: join(directory, "confined-logs"),
    assertPermit: () => undefined,
    fork: forkBuilt,
    sandbox: { ready: async () => probed, home, dataDir, hidden: () => nothingMore },
  });
  const start = (command: string, width: "workspace" | "outside") => {
    const executionId = randomUUID();
    return shell.run({ executionId, permit: { executionId }, command, cwd, width });
  };
  const firstByte = async (width: "workspace" | "outside") => {
    const began = performance.now();
    const running = await start("echo x", width);
    const at = await new Promise<number>((resolve) => {
      running.subscribe(({ type }) => (type === "output" || type === "ended") && resolve(performance.now()));
      // It may have ended before anybody listened.
      void running.done.then(() => resolve(performance.now()));
    });
    await running.done;
    return at - began;
  };
  const eachOf = async (width: "workspace" | "outside") => {
    const began = performance.now();
    const started = await Promise.all(Array.from({ length: together }, () => start("true", width)));
    await Promise.all(started.map(({ done }) => done));
    return (performance.now() - began) / together;
  };
  try {
    const first = { value: [] as number[], baseline: [] as number[] };
    const many = { value: [] as number[], baseline: [] as number[] };
    await firstByte("workspace");
    for (let index = 0; index < runs; index += 1) {
      first.value.push(await firstByte("workspace"));
      first.baseline.push(await firstByte("outside"));
    }
    for (let index = 0; index < rounds; index += 1) {
      many.value.push(await eachOf("workspace"));
      many.baseline.push(await eachOf("outside"));
    }
    const held = await start("while echo up; do sleep 0.1; done", "workspace");
    await new Promise<void>((resolve) => void held.subscribe(({ type }) => type === "output" && resolve()));
    const memoryMb = memoryAround(held.pid);
    await held.kill("stopped");
    const of = ({ value, baseline }: typeof first) => ({ value: median(value), baseline: median(baseline) });
    const fencesMs = await measureFences({ home, dataDir, workspace: join(directory, "large") }, runs);
    return { firstByte: of(first), memoryMb, atOnce: of(many), fencesMs };
  } finally {
    await shell.disposeAll();
  }
}

/** In a repository of 5,000 files that was there for a while, as most are. */
async function measureFences(
  places: { home: string; dataDir: string; workspace: string },
  runs: number,
): Promise<number> {
  const { workspace } = places;
  for (const name of ["objects", "refs", "hooks"])
    mkdirSync(join(workspace, ".git", name), { recursive: true });
  writeFileSync(join(workspace, ".git/HEAD"), "ref: refs/heads/main\n");
  for (let folder = 0; folder < folders; folder += 1) {
    mkdirSync(join(workspace, `d${folder}`));
    for (let file = 0; file < filesEach; file += 1) writeFileSync(join(workspace, `d${folder}/f${file}`), "");
  }
  await delay(settledMs);
  const took = Array.from({ length: runs }, () => {
    const began = performance.now();
    fencesOf({ ...places, cwd: workspace, width: "workspace and git" });
    return performance.now() - began;
  });
  return median(took);
}

/** The share of each process that stands around the command; a page that several have counts for each in part. */
function memoryAround(pid: number): number {
  const parentOf = (stat: string) => Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  const read = (each: string, file: string) => {
    try {
      return readFileSync(`/proc/${each}/${file}`, "utf8");
    } catch {
      return "";
    }
  };
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const below = new Set([String(pid)]);
  for (let grown = -1; grown !== below.size; ) {
    grown = below.size;
    for (const each of all) if (below.has(String(parentOf(read(each, "stat"))))) below.add(each);
  }
  const kb = [...below]
    .filter((each) => read(each, "comm").trim() === "bwrap")
    .map((each) => Number(/^Pss:\s+(\d+)/m.exec(read(each, "smaps_rollup"))?.[1] ?? 0));
  return kb.reduce((sum, one) => sum + one, 0) / 1_000;
}
