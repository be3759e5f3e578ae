/** Measures how long it takes to put up a rehearsal: from asking for it to the first thing that its command does. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRehearsals, type Rehearsals } from "../src/main/rehearsal/rehearse.ts";
import { nothingMore } from "../src/main/sandbox/hidden-places.ts";
import { findCommandShell } from "../src/main/shell/find-command-shell.ts";
import { Shell } from "../src/main/shell/shell.ts";
import { forkBuilt } from "./fork-built.ts";
import { percentile } from "./measuring.ts";
import { probeBubblewrap } from "./probe-bubblewrap.ts";
import { figure } from "./result.ts";

const fileCount = 5_000;

/** @param directory an empty folder. @returns milliseconds, p95, or why it is not measured here, as a sentence */
export async function measureRehearsal(directory: string, runs: number): Promise<number | string> {
  const probed = await probeBubblewrap();
  if (!probed.usable) return `Commands cannot be confined here: ${probed.why}`;
  const at = (name: string) => join(directory, "rehearsal", name);
  for (const name of ["home", "data", "work"]) mkdirSync(at(name), { recursive: true });
  for (let index = 0; index < fileCount; index += 1) writeFileSync(join(at("work"), `f${index}`), "x");
  const shell = new Shell({ logDir: at("logs"), assertPermit: () => undefined, fork: forkBuilt });
  const rehearsals = createRehearsals({
    ...{ dataDir: at("data"), home: at("home"), commandShell: findCommandShell("linux", process.env) },
    hidden: () => nothingMore,
    sandbox: async () => probed,
    hold: (request) => shell.hold(request),
  });
  try {
    return await measure(rehearsals, at("work"), runs);
  } finally {
    await shell.disposeAll();
  }
}

async function measure(rehearsals: Rehearsals, workspace: string, runs: number): Promise<number | string> {
  const took: number[] = [];
  for (let index = 0; index < runs; index += 1) {
    const began = performance.timeOrigin + performance.now();
    const done = await rehearsals.rehearse({
      ...{ command: "echo $EPOCHREALTIME", workspace, width: "workspace" as const },
      signal: new AbortController().signal,
    });
    if ("why" in done) return done.why;
    took.push(Number(done.rehearsal.output) * 1_000 - began);
    await rehearsals.forget(done.name.id);
  }
  return percentile(took, 0.95);
}

/** @param value in ms. @returns its line in the table */
export const rehearsalFigure = (value: number) =>
  figure({
    name: "set-up of a rehearsal, p95",
    unit: "ms",
    value,
    baseline: { name: "the bar itself", value: 50 },
    maxValue: 50,
  });
