/** Measures the host under load beside the same load without checkpointer and journal: loop delay, start of commands, memory. */
import { setTimeout as wait } from "node:timers/promises";
import {
  callsPerWaitingThread,
  decisionsPerSecond,
  maxActiveRuns,
  streaming,
  waitingMessage,
  waitingThreads,
} from "./load-plan.ts";
import type { LoopDelay } from "./load-probe.ts";
import {
  makeWorkspace,
  type Side,
  startFloorSide,
  startHostSide,
  startStreams,
  untilWaiting,
} from "./load-sides.ts";
import { measureStalledClient, type Stalled } from "./load-stalled.ts";
import { inFolder, percentile } from "./measuring.ts";
import { type BenchOptions, type Figure, type Findings, figure } from "./result.ts";
import { buildHost } from "./served-host.ts";

type Loaded = { loop: LoopDelay; starts: number[]; parkedKb: number };
type Plan = { rounds: number; windowMs: number; parked: number };

const quickPlan: Plan = { rounds: 1, windowMs: 5_000, parked: 30 };
const fullPlan: Plan = { rounds: 5, windowMs: 20_000, parked: 300 };
const settleMs = 700;
/** Parked before memory is looked at, so that loaded code is not counted as a thread's. */
const warmThreads = 10;

/** Each side has a process of its own; while one carries its load, the other rests or is gone. */
export async function run({ quick }: BenchOptions): Promise<Findings> {
  const plan = quick ? quickPlan : fullPlan;
  const floor: Loaded[] = [];
  const host: Loaded[] = [];
  let stalled: Stalled | undefined;
  await buildHost();
  for (let round = 0; round < plan.rounds; round += 1) {
    await withSide(startFloorSide, (floorSide) =>
      withSide(startHostSide, async (hostSide) => {
        const measureStalled = async () => {
          stalled ??= await measureStalledClient(hostSide);
          return park(hostSide, plan);
        };
        const [onFloor, onHost] = await Promise.all([park(floorSide, plan), measureStalled()]);
        floor.push(await carryLoad(floorSide, onFloor, plan));
        await floorSide.end();
        host.push(await carryLoad(hostSide, onHost, plan));
      }),
    );
  }
  const figures = compare(host, floor);
  if (stalled) figures.push(judgeStalled(stalled));
  return { figures, notes: describe(plan) };
}

function withSide<S extends Side>(
  start: (folder: string, workspace: string) => Promise<S>,
  work: (side: S) => Promise<void>,
): Promise<void> {
  return inFolder(async (folder) => {
    const side = await start(folder, makeWorkspace(folder));
    try {
      await work(side);
    } finally {
      await side.end();
    }
  });
}

type Parked = { threads: string[]; parkedKb: number };

/** Fills the queue; what waits costs no time, so the other side is not disturbed by it. */
async function park(side: Side, { parked }: Plan): Promise<Parked> {
  const parkedKb = await measureParked(side, parked);
  const undecided = await side.waiting();
  const threads = await side.begin(waitingThreads, waitingMessage());
  await untilWaiting(side, undecided + waitingThreads * callsPerWaitingThread);
  return { threads, parkedKb };
}

async function carryLoad(side: Side, { threads, parkedKb }: Parked, { windowMs }: Plan): Promise<Loaded> {
  await startStreams(side);
  await wait(settleMs);
  await side.process.ask("watchLoop");
  await decideFor(side, threads, windowMs);
  const loop = await side.process.ask<LoopDelay>("loopDelay");
  await wait(settleMs);
  return { loop, starts: await side.startDelays(), parkedKb };
}

/** What each further thread with one waiting command keeps in memory, in KB. */
async function measureParked(side: Side, count: number): Promise<number> {
  await side.begin(warmThreads, waitingMessage(1));
  await untilWaiting(side, warmThreads);
  const before = await side.process.ask<number>("heapBytes");
  await side.begin(count, waitingMessage(1));
  await untilWaiting(side, warmThreads + count);
  return ((await side.process.ask<number>("heapBytes")) - before) / count / 1e3;
}

/** Thread by thread, so that a decided one can ask again while the next is decided and the queue stays full. */
async function decideFor(side: Side, threads: string[], forMs: number): Promise<void> {
  const everyMs = 1_000 / decisionsPerSecond;
  const startedAt = performance.now();
  const decisions: Promise<boolean>[] = [];
  for (let count = 0; performance.now() - startedAt < forMs; count += 1) {
    const thread = threads[Math.floor(count / callsPerWaitingThread) % threads.length];
    if (thread) decisions.push(side.decide(thread));
    await wait(Math.max(0, startedAt + (count + 1) * everyMs - performance.now()));
  }
  await Promise.all(decisions);
}

function compare(host: Loaded[], floor: Loaded[]): Figure[] {
  const compared = (name: string, unit: string, pick: (loaded: Loaded[]) => number, bars = {}) =>
    figure({
      name,
      unit,
      value: pick(host),
      baseline: { name: "the same load without checkpointer and journal", value: pick(floor) },
      ...bars,
    });
  const median = (pick: (round: Loaded) => number) => (rounds: Loaded[]) => percentile(rounds.map(pick), 0.5);
  const starts = (share: number) => median((round) => percentile(round.starts, share));
  return [
    compared(
      "event-loop delay p99",
      "ms",
      median((round) => round.loop.p99),
      { maxRatio: 1.3 },
    ),
    compared(
      "event-loop delay p50",
      "ms",
      median((round) => round.loop.p50),
    ),
    compared("decision to process start p95", "ms", starts(0.95), { maxValue: 30 }),
    compared("decision to process start p50", "ms", starts(0.5)),
    compared(
      "memory per parked thread",
      "KB",
      median((round) => round.parkedKb),
      { maxValue: 150 },
    ),
  ];
}

function judgeStalled({ heldMb, missedMb, items }: Stalled): Figure {
  return figure({
    name: `memory held for a client that stopped reading, with ${items.toLocaleString("en")} transcript items missed`,
    unit: "MB",
    value: Math.max(0, heldMb),
    baseline: { name: "what it did not read, as JSON", value: missedMb },
    maxValue: 2,
  });
}

function describe({ rounds, windowMs, parked }: Plan): string[] {
  return [
    `${streaming} threads stream 85 words and run a command, over and over (${maxActiveRuns} model calls at once, the others in line); ${waitingThreads * callsPerWaitingThread} approvals wait in ${waitingThreads} threads and ${decisionsPerSecond} are decided per second; ${rounds} × ${windowMs / 1e3} s of each side, in turn, medians over the rounds.`,
    "Both sides run the same deep agents, demo model, gate, policy, shell (its host as built) and watch over changed files. The host has its stores, its checkpointer and a client on its WebSocket that follows the console and four threads; the other side has none of them.",
    "A command's start is bash's own clock ($EPOCHREALTIME) against the moment the client called approvals.decide.",
    `Memory is heap and external memory after garbage collection, over ${parked} threads with one waiting command each.`,
    "The client that stopped reading got a fresh page instead of the missed events when it read again.",
  ];
}
