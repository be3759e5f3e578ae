/** Measures how long the host's loop is held by the largest content, one piece of work after the other. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { openAnsweringServer } from "../attack/answering-server.ts";
import { createLedger } from "../src/main/approvals/ledger.ts";
import { openDatabase } from "../src/main/storage/open-database.ts";
import type { ThreadId } from "../src/shared/ids.ts";
import { fillDataDir } from "./filled-data-dir.ts";
import { createScene } from "./hold-scene.ts";
import { worksOf } from "./hold-works.ts";
import { type HostSide, startHostSide } from "./load-sides.ts";
import { inFolder } from "./measuring.ts";
import { type BenchOptions, type Findings, figure, noteOnLoad } from "./result.ts";
import { buildHost } from "./served-host.ts";

const history = { threads: 1_000, events: 100_000, pending: 500 };
const ledgerLines = 10_000;
const rounds = { quick: 2, full: 5 };
const longThreadSteps = { quick: 40, full: 1_000 };
/** A stream's piece as servers send it at their fastest. */
const pieceLength = 4_000;
/** What goes on after the answer that was waited for, such as the last checkpoint. */
const afterMs = 300;
const longestHoldMs = 16;

export async function run({ quick }: BenchOptions): Promise<Findings> {
  await buildHost();
  return inFolder((folder) => measureIn(folder, quick ? "quick" : "full"));
}

async function measureIn(folder: string, size: "quick" | "full"): Promise<Findings> {
  const workspace = join(folder, "workspace");
  const dataDir = join(folder, "data");
  mkdirSync(workspace);
  mkdirSync(dataDir);
  fillDataDir(dataDir, workspace, history);
  fillLedger(dataDir, workspace);
  const server = await openAnsweringServer(pieceLength);
  const side = await startHostSide(folder, workspace);
  try {
    const works = await worksOf(createScene(side.client, workspace, server), longThreadSteps[size]);
    const holds = new Map<string, number>();
    // The first round makes what every process makes once, and is not counted.
    for (let round = 0; round <= rounds[size]; round += 1)
      for (const [name, work] of works) {
        const hold = await longestHold(side, () => work(round));
        if (round > 0) holds.set(name, Math.min(hold, holds.get(name) ?? Number.POSITIVE_INFINITY));
      }
    const [[baseline, value], ...measured] = [...holds] as [[string, number], ...[string, number][]];
    return {
      figures: measured.map(([name, hold]) =>
        figure({
          name: `longest hold of the host's loop, ${name}`,
          unit: "ms",
          value: hold,
          baseline: { name: baseline, value },
          maxValue: longestHoldMs,
        }),
      ),
      notes: [
        `The longest turn of the host's loop, in processor time of its thread, the best of ${rounds[size]} rounds after one that is not counted. The host has ${history.threads.toLocaleString("en")} threads, ${history.events.toLocaleString("en")} events, ${history.pending} waiting approvals and a ledger of ${ledgerLines.toLocaleString("en")} lines; a client follows the console and four threads.`,
        `Answers come over HTTP in pieces of ${pieceLength.toLocaleString("en")} characters. Of more than 600,000 bytes the beginning is kept; arguments of calls are taken up to as much.`,
        `The long thread has ${longThreadSteps[size].toLocaleString("en")} steps.`,
        noteOnLoad(),
      ],
    };
  } finally {
    await side.end();
    await server.close();
  }
}

async function longestHold({ process }: HostSide, work: () => Promise<unknown>): Promise<number> {
  await process.ask("watchTurns");
  await work();
  await wait(afterMs);
  return process.ask<number>("longestTurn");
}

function fillLedger(dataDir: string, cwd: string): void {
  const { database } = openDatabase(dataDir, Date.now);
  database.pragma("synchronous = OFF");
  const ledger = createLedger(database, Date.now);
  database.transaction(() => {
    for (let line = 0; line < ledgerLines; line += 1)
      ledger.add({
        threadId: `thread-${line % history.threads}` as ThreadId,
        threadTitle: `Work on part ${line % history.threads} of the project`,
        agentPath: [],
        tool: "execute",
        originalArgs: { command: `npm test -- --run src/parser/${line} ` },
        cwd,
        verdict: {
          verdict: "new",
          units: [{ text: "npm test", verdict: "new", reason: "no rule covers it" }],
        },
        decision: { type: "approve" },
        by: { kind: "person" },
      });
  })();
  database.close();
}
