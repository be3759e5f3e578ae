/** Measures the time from the start of the host to an answering queue, with years of history beside none. */
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fillDataDir } from "./filled-data-dir.ts";
import { inFolder, median } from "./measuring.ts";
import { type BenchOptions, type Findings, figure } from "./result.ts";
import { buildHost, serveHost } from "./served-host.ts";

const size = { threads: 1_000, events: 100_000, pending: 500 };
const baselineName = "the same host on an empty data directory";
const maxRounds = { quick: 15, full: 40 };
const minRounds = 3;
/** Since the process began; a round that starts later could not end within a quick run's 50 seconds. */
const quickRoundsUntilMs = 40_000;

type Times = {
  /** The address is printed: the database is open and recovery is over. */
  listening: number;
  /** The first call is answered. */
  answer: number;
  /** The whole snapshot was sent: every thread, every waiting approval, and `ready`. */
  ready: number;
};

/** Starts the built host on both data directories in turn, each time on a fresh copy. */
export async function run({ quick }: BenchOptions): Promise<Findings> {
  await buildHost();
  return inFolder(async (folder) => {
    const workspace = join(folder, "workspace");
    const history = join(folder, "history");
    mkdirSync(workspace);
    mkdirSync(history);
    fillDataDir(history, workspace, size);
    const filled: Times[] = [];
    const empty: Times[] = [];
    await timeStart(folder, workspace, undefined);
    const rounds = quick ? maxRounds.quick : maxRounds.full;
    for (let round = 0; round < rounds; round += 1) {
      if (quick && round >= minRounds && performance.now() > quickRoundsUntilMs) break;
      // Each goes first in half of the rounds, so that neither profits from what the other warmed.
      const order = round % 2 === 0 ? [filled, empty] : [empty, filled];
      for (const times of order)
        times.push(await timeStart(folder, workspace, times === filled ? history : undefined));
    }
    return { figures: compare(filled, empty), notes: describe(filled.length) };
  });
}

/** A copy each time, because a start puts the rows of a killed host in order and the next one has less to do. */
async function timeStart(folder: string, workspace: string, template: string | undefined): Promise<Times> {
  const dataDir = join(folder, "data");
  rmSync(dataDir, { recursive: true, force: true });
  if (template) cpSync(template, dataDir, { recursive: true });
  const host = await serveHost(dataDir, workspace);
  const since = () => performance.now() - host.startedAt;
  try {
    const answered = host.client.call("host.info", {}).then(since);
    let waiting = 0;
    for await (const item of host.client.watch("console.watch", {})) {
      if (item.kind === "approvals") waiting += item.approvals.length;
      if (item.kind === "ready") break;
    }
    const ready = since();
    const expected = template ? size.pending : 0;
    if (waiting !== expected) throw new Error(`The queue shows ${waiting} approvals instead of ${expected}.`);
    return { listening: host.listeningAfterMs, answer: await answered, ready };
  } finally {
    await host.stop();
  }
}

function compare(filled: Times[], empty: Times[]) {
  const compared = (name: string, pick: keyof Times, maxRatio?: number) =>
    figure({
      name,
      unit: "ms",
      value: median(filled.map((times) => times[pick])),
      baseline: { name: baselineName, value: median(empty.map((times) => times[pick])) },
      maxRatio,
    });
  return [
    compared("start to an answering queue, whole snapshot received", "ready", 1.3),
    compared("start to the first answered call", "answer"),
    compared("start to listening", "listening"),
  ];
}

function describe(rounds: number): string[] {
  const { threads, events, pending } = size;
  return [
    `${threads.toLocaleString("en")} threads, ${events.toLocaleString("en")} events, ${pending} pending approvals on ${pending} threads that a kill left running; medians over ${rounds} starts of each, in turn, each on a fresh copy.`,
    "From the spawn of the built host in browser mode to what a client on its WebSocket has received and checked; the snapshot carries every thread and every waiting approval.",
  ];
}
