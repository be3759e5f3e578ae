/** Measures what three LangGraph servers with a thousand threads each cost the host's loop, beside the same host without them. */
import { setTimeout as wait } from "node:timers/promises";
import { batchOf, ScriptedServer } from "../src/main/agents/servers/testing/scripted-server.ts";
import { callsPerWaitingThread, streaming, waitingMessage, waitingThreads } from "./load-plan.ts";
import type { LoopDelay } from "./load-probe.ts";
import { type HostSide, makeWorkspace, startHostSide, startStreams, untilWaiting } from "./load-sides.ts";
import { inFolder, median } from "./measuring.ts";
import { type BenchOptions, type Figure, type Findings, figure, noteOnLoad } from "./result.ts";
import { buildHost } from "./served-host.ts";

type Plan = { rounds: number; windowMs: number };
const quickPlan: Plan = { rounds: 1, windowMs: 4_000 };
/** Long enough for three rounds of each server at the pace of a window in view. */
const fullPlan: Plan = { rounds: 5, windowMs: 16_000 };

const servers = ["one", "two", "three"];
const threadsEach = 1_000;
const waitingEach = 100;
const argumentBytes = 4_000;
/** Of agents here, which wait beside them. */
const ownCards = waitingThreads * callsPerWaitingThread;
const settleMs = 700;

/** Of one window, in milliseconds; the processor's of the whole host, for a minute. */
type Seen = { p99: number; longestTurn: number; processorMs: number };
type Both = { without: Seen[]; with: Seen[] };

/** One host; its servers are entered and removed in turn, so that both sides have the same process and the same minute. */
export async function run({ quick }: BenchOptions): Promise<Findings> {
  const plan = quick ? quickPlan : fullPlan;
  await buildHost();
  const scripted = await Promise.all(servers.map(startFilled));
  return inFolder(async (folder) => {
    const host = await startHostSide(folder, makeWorkspace(folder));
    const looking = new AbortController();
    try {
      void stayInView(host, looking.signal);
      await host.begin(waitingThreads, waitingMessage());
      await untilWaiting(host, ownCards);
      const atRest = await compareSides(host, scripted, plan);
      const arriving = await measureArrival(host, scripted);
      await startStreams(host);
      const atWork = await compareSides(host, scripted, plan);
      return { figures: judge(atRest, arriving, atWork), notes: describe(plan) };
    } finally {
      looking.abort();
      await host.end();
    }
  }).finally(() => Promise.all(scripted.map((server) => server.stop())));
}

async function startFilled(): Promise<ScriptedServer> {
  const server = new ScriptedServer();
  await server.start();
  for (let count = 0; count < threadsEach; count += 1) {
    const id = `01a20230-2aa8-754d-9ce5-${String(count).padStart(12, "0")}`;
    server.ask(id, batchOf("x".repeat(argumentBytes)));
    if (count % (threadsEach / waitingEach) > 0) server.move(id, { status: "idle" });
  }
  return server;
}

async function stayInView({ client }: HostSide, signal: AbortSignal): Promise<void> {
  for await (const _ of client.watch("console.inView", {}, { signal }));
}

async function compareSides(host: HostSide, scripted: ScriptedServer[], plan: Plan): Promise<Both> {
  const both: Both = { without: [], with: [] };
  for (let round = 0; round < plan.rounds; round += 1) {
    const watchWithout = async () => both.without.push(await watch(host, plan));
    // In turn, since threads at work get further meanwhile.
    if (round % 2 === 0) await watchWithout();
    await enterAll(host, scripted);
    both.with.push(await watch(host, plan));
    await removeAll(host);
    if (round % 2 === 1) await watchWithout();
  }
  return both;
}

/** Resolves when every thread that waits there has its card. */
async function enterAll(host: HostSide, scripted: ScriptedServer[]): Promise<void> {
  const { client } = host;
  for (const [index, id] of servers.entries()) {
    const saved = await client.call("remoteServers.save", { id, name: id, url: scripted[index]!.url });
    if (!saved.ok) throw new Error(saved.problem.message);
  }
  await untilWaiting(host, ownCards + servers.length * waitingEach);
}

async function removeAll({ client }: HostSide): Promise<void> {
  for (const id of servers) await client.call("remoteServers.remove", { id });
}

async function watch({ process }: HostSide, { windowMs }: Plan): Promise<Seen> {
  await wait(settleMs);
  const before = await process.ask<number>("processorMs");
  const startedAt = performance.now();
  await process.ask("watchLoop");
  await wait(windowMs);
  const { p99 } = await process.ask<LoopDelay>("loopDelay");
  const spent = (await process.ask<number>("processorMs")) - before;
  const processorMs = (spent / (performance.now() - startedAt)) * 60_000;
  await process.ask("watchTurns");
  await wait(windowMs / 4);
  return { p99, longestTurn: await process.ask<number>("longestTurn"), processorMs };
}

/** The longest turn while three hundred threads are read and their cards are made. */
async function measureArrival(host: HostSide, scripted: ScriptedServer[]): Promise<number> {
  await host.process.ask("watchTurns");
  await enterAll(host, scripted);
  const longest = await host.process.ask<number>("longestTurn");
  await removeAll(host);
  return longest;
}

function judge(atRest: Both, arriving: number, atWork: Both): Figure[] {
  const middle = (seen: Seen[], pick: (one: Seen) => number) => median(seen.map(pick));
  const compared = (name: string, both: Both, pick: (one: Seen) => number, bars: object) =>
    figure({
      name,
      unit: "ms",
      value: middle(both.with, pick),
      baseline: { name: "the same host without a server", value: middle(both.without, pick) },
      ...bars,
    });
  const p99 = (one: Seen) => one.p99;
  const turn = (one: Seen) => one.longestTurn;
  return [
    compared("event-loop delay p99 at rest", atRest, p99, {}),
    compared(`event-loop delay p99 beside ${streaming} threads at work`, atWork, p99, { maxRatio: 1.3 }),
    compared("processor time of the host for a minute at rest", atRest, ({ processorMs }) => processorMs, {
      maxRatio: 1.5,
    }),
    compared("longest turn of the loop at rest, processor time", atRest, turn, { maxValue: 16 }),
    figure({
      name: "longest turn while 300 threads that wait are read and have their cards, processor time",
      unit: "ms",
      value: arriving,
      baseline: { name: "the longest turn at rest", value: middle(atRest.without, turn) },
    }),
  ];
}

function describe({ rounds, windowMs }: Plan): string[] {
  return [
    `${servers.length} servers that replay the shapes of a real one, over HTTP from another process: ${threadsEach.toLocaleString("en")} threads each, ${waitingEach} of them waiting with ${argumentBytes.toLocaleString("en")} bytes of arguments, beside ${ownCards} cards of agents here; a window is in view, so that each is asked every 5 s.`,
    `${rounds} × ${windowMs / 1e3} s of each side, in turn, in one host whose servers are entered and removed; medians over the rounds. At rest the delay is that of the machine, which others use too. Turns are watched for a quarter as long, after the delays.`,
    noteOnLoad(),
  ];
}
