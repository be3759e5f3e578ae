/** Times an outer agent's requests over its pipe and back, and what ten of them that rest cost the host's loop. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { newCommandId } from "../src/main/base/command-id.ts";
import { wallClock } from "../src/main/base/wall-clock.ts";
import type { AgentId } from "../src/shared/ids.ts";
import { approve, followQueue } from "./hook.ts";
import type { LoopDelay } from "./load-probe.ts";
import { type HostSide, makeWorkspace, startHostSide } from "./load-sides.ts";
import { inFolder, median, percentile } from "./measuring.ts";
import { type BenchOptions, type Figure, type Findings, figure, noteOnLoad } from "./result.ts";

type Plan = { requests: number; rounds: number; windowMs: number };
const quickPlan: Plan = { requests: 20, rounds: 1, windowMs: 4_000 };
const fullPlan: Plan = { requests: 200, rounds: 5, windowMs: 10_000 };

const idleAgents = 10;
const agentId = "bench" as AgentId;

type Rest = { p99: number; processorMs: number };

export async function run({ quick }: BenchOptions): Promise<Findings> {
  const plan = quick ? quickPlan : fullPlan;
  return inFolder(async (folder) => {
    const [dataDir, times] = [join(folder, "data"), join(folder, "times")];
    mkdirSync(dataDir, { mode: 0o700 });
    const args = [join(import.meta.dirname, "outer-program.mjs"), times];
    const outerAgents = { [agentId]: { name: "Bench", command: process.execPath, args } };
    writeFileSync(join(dataDir, "outer-agents.json"), JSON.stringify({ outerAgents }), { mode: 0o600 });
    const workspace = makeWorkspace(folder);
    const host = await startHostSide(folder, workspace);
    try {
      await trust(host, workspace);
      const without = await watchRest(host, plan);
      const asked = await measureRequests(host, workspace, times, plan.requests);
      for (let count = 1; count < idleAgents; count += 1) await begin(host, workspace, "0");
      while (told(times, "rests").length < idleAgents) await wait(50);
      return { figures: judge(asked, without, await watchRest(host, plan)), notes: describe(plan) };
    } finally {
      await host.end();
    }
  });
}

async function trust({ client }: HostSide, path: string): Promise<void> {
  const { digest } = await client.call("workspaces.review", { path });
  await client.call("workspaces.setTrust", { path, trusted: true, digest });
}

async function begin({ client }: HostSide, workspace: string, text: string): Promise<void> {
  const { id } = await client.call("threads.create", { commandId: newCommandId(), workspace, agentId });
  await client.call("threads.send", { commandId: newCommandId(), threadId: id, text });
}

/** A person who answers each at once; milliseconds on one clock for all processes of this machine. */
async function measureRequests(
  host: HostSide,
  workspace: string,
  times: string,
  count: number,
): Promise<Record<"shown" | "answered", number[]>> {
  const queue = followQueue(host);
  await begin(host, workspace, String(count + 1));
  const seen: number[] = [];
  while (seen.length <= count) {
    const card = await queue.asked();
    const shown = wallClock();
    await approve(host, card);
    seen.push(shown);
    await queue.left(card.id);
  }
  while (told(times, "answered").length <= count) await wait(10);
  const [askedAt, answeredAt] = [told(times, "asked"), told(times, "answered")];
  // The first is asked while the host reads what such requests need.
  const later = (at: (index: number) => number) => seen.map((_, index) => at(index)).slice(1);
  return {
    shown: later((index) => seen[index]! - askedAt[index]!),
    // It is decided in the moment in which it is shown.
    answered: later((index) => answeredAt[index]! - seen[index]!),
  };
}

/** When the programs did this. */
function told(times: string, what: string): number[] {
  const lines = readFileSync(times, "utf8").split("\n");
  return lines.flatMap((line) => (line.startsWith(`${what} `) ? [Number(line.split(" ")[2])] : []));
}

async function watchRest({ process }: HostSide, { rounds, windowMs }: Plan): Promise<Rest> {
  const seen: Rest[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = await process.ask<number>("processorMs");
    await process.ask("watchLoop");
    await wait(windowMs);
    const { p99 } = await process.ask<LoopDelay>("loopDelay");
    const spent = (await process.ask<number>("processorMs")) - before;
    seen.push({ p99, processorMs: (spent / windowMs) * 60_000 });
  }
  return { p99: median(seen.map(({ p99 }) => p99)), processorMs: median(seen.map((one) => one.processorMs)) };
}

function judge(asked: Record<"shown" | "answered", number[]>, without: Rest, withAgents: Rest): Figure[] {
  const timed = (name: string, values: number[], maxValue: number) =>
    figure({
      name: `${name}, p95`,
      unit: "ms",
      value: percentile(values, 0.95),
      baseline: { name: "the same at p50", value: median(values) },
      maxValue,
    });
  const baseline = (value: number) => ({ name: "the same host without them", value });
  return [
    timed("from a request of an outer agent until a page has its card", asked.shown, 50),
    timed("from a decision until the agent has its answer", asked.answered, 30),
    figure({
      name: `event-loop delay p99 beside ${idleAgents} outer agents that rest`,
      unit: "ms",
      value: withAgents.p99,
      baseline: baseline(without.p99),
      maxRatio: 1.3,
    }),
    figure({
      name: `processor time of the host for a minute beside ${idleAgents} outer agents that rest`,
      unit: "ms",
      value: withAgents.processorMs,
      baseline: baseline(without.processorMs),
    }),
  ];
}

function describe({ requests }: Plan): string[] {
  return [
    `${requests} requests of one agent, one after the other behind a first that is not counted, each approved without grace as soon as a client on the host's WebSocket was told of it; the agent is a program of its own on the protocol's package.`,
    noteOnLoad(),
  ];
}
