/** Measures the shell beside LocalShellBackend of deepagents: latency, time and memory of a flood, time to a stop. */
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { Shell } from "../src/main/shell/shell.ts";
import { forkBuilt } from "./fork-built.ts";
import { inFolder, median, timeOf } from "./measuring.ts";
import { packageVersion } from "./package-version.ts";
import { residentBytes } from "./process-memory.ts";
import { type BenchOptions, type Figure, type Findings, figure, noteOnLoad } from "./result.ts";
import { buildHost } from "./served-host.ts";
import { type ConfinedCost, measureConfined } from "./shell-confined.ts";
import { type Compared, measureShellHost } from "./shell-host.ts";
import { measureRehearsal, rehearsalFigure } from "./shell-rehearsal.ts";

const baselineName = "LocalShellBackend of deepagents";
const version = packageVersion("deepagents");
const stopAfterMs = 200;
/** How long the command to be stopped would go on by itself; the baseline waits for it. */
const stoppedSleepSeconds = 3;
const memorySampleMs = 5;

type Kind = "shell" | "baseline";
/** `terminal` is node-pty read by nobody else: the floor of everything that runs in a terminal. */
type FloodKind = Kind | "terminal";

/** One way to run commands, reduced to what both sides can do. */
type Runner = {
  run(command: string): Promise<string>;
  /** Milliseconds from the wish to stop until the command's result is there. */
  stop(command: string): Promise<number>;
  /** Other processes that do its work; their memory is its memory. */
  parts(): Promise<number[]>;
  close(): Promise<void>;
};

type Flood = {
  ms: number;
  /** Growth of the resident memory at its peak, of the process and of its parts together, in MB. */
  memoryMb: number;
};

/** Compares the two; the floods run in processes of their own, so that neither sees the other's memory. */
export async function run({ quick }: BenchOptions): Promise<Findings> {
  await buildHost();
  return inFolder((directory) => compareIn(directory, quick ? 20 : 100, quick ? 60 : 300));
}

async function compareIn(directory: string, megabytes: number, runs: number): Promise<Findings> {
  const shell = openShell(directory);
  const baseline = await openBaseline(directory, 120);
  try {
    const latency = await measureLatency(shell, baseline, runs);
    const floods = {
      shell: await measureFlood("shell", megabytes),
      baseline: await measureFlood("baseline", megabytes),
      terminal: await measureFlood("terminal", megabytes),
    };
    const stops = await measureStops(shell, directory);
    const cost = await measureShellHost(directory, runs / 2);
    const confined = await measureConfined(directory, runs / 2);
    const rehearsal = await measureRehearsal(directory, runs / 2);
    const beside = (
      name: string,
      unit: string,
      other: string,
      { value, baseline: base }: Compared,
      bars = {},
    ) => figure({ name, unit, value, baseline: { name: other, value: base }, ...bars });
    const against = (value: number) => ({ name: baselineName, version: version, value });
    const compared = (name: string, unit: string, value: number, other: number, bars = {}) =>
      figure({ name, unit, value, baseline: against(other), ...bars });
    return {
      figures: [
        compared("latency of `true`, p50", "ms", latency.shell, latency.baseline),
        beside("loop time of the host per start of a command", "ms", "node-pty in the host", cost.hold, {
          maxRatio: 0.2,
        }),
        beside(
          "first command, with the start of the shell host",
          "ms",
          "a bare Node process",
          cost.firstResult,
        ),
        beside("memory of the shell host at rest", "MB", "a bare Node process", cost.memoryMb),
        compared(`time for ${megabytes} MB of output`, "ms", floods.shell.ms, floods.baseline.ms),
        figure({
          name: `time for ${megabytes} MB of output, beside a terminal alone`,
          unit: "ms",
          value: floods.shell.ms,
          baseline: {
            name: "node-pty without a reader",
            version: packageVersion("node-pty"),
            value: floods.terminal.ms,
          },
          maxRatio: 2.5,
        }),
        compared(
          `peak memory growth over ${megabytes} MB of output`,
          "MB",
          floods.shell.memoryMb,
          floods.baseline.memoryMb,
          { maxValue: 100 },
        ),
        compared("stop of a command with a child", "ms", stops.plain.shell, stops.plain.baseline, {
          maxRatio: 0.5,
          maxValue: 2000,
        }),
        compared("stop of a command that ignores TERM", "ms", stops.stubborn.shell, stops.stubborn.baseline, {
          maxRatio: 0.5,
          maxValue: 2000,
        }),
        ...(typeof confined === "string" ? [] : confinedFigures(confined)),
        ...(typeof rehearsal === "string" ? [] : [rehearsalFigure(rehearsal)]),
      ],
      notes: [
        typeof confined === "string"
          ? `Confined commands were not measured, because ${confined}.`
          : "Confined and plain commands take turns in the same shell; the memory is of the two processes that stand around a confined one, shared pages in part.",
        noteOnLoad(),
        typeof rehearsal === "string"
          ? `Rehearsals were not measured. ${rehearsal}`
          : "A rehearsal is timed to the first thing that its command does, in a folder of 5,000 files.",
        `Latency over ${runs} runs each, in turn. Ours opens a terminal, starts bash and keeps a log file; the baseline opens pipes and starts /bin/sh.`,
        "The shell is measured as the host uses it: its terminals are in the shell host, a process of its own, and memory is that of both. The loop time is measured in a process of 300 MB. The shell host runs from its sources here; stripping their types costs it time and memory that the built one spares.",
        "A terminal hands over 4 KB at a time, a pipe 64 KB: that is what the flood costs more, and what lets a person watch and type.",
        "Ours writes the whole flood to its log; the baseline holds it in memory, hands on the first 100,000 characters and drops the rest.",
        `The baseline cannot be cancelled (it ignores the abort signal), so its stop is its own time limit; it then waits until the child ends by itself, here after ${stoppedSleepSeconds} s, so its figure grows with the child.`,
      ],
    };
  } finally {
    await Promise.all([shell.close(), baseline.close()]);
  }
}

const plain = (value: number) => ({ name: "the same, plain", value });

function confinedFigures({ firstByte, memoryMb, atOnce, fencesMs }: ConfinedCost): Figure[] {
  const cost = (name: string, { value, baseline }: Compared, bars: object) =>
    figure({ name, unit: "ms", value, baseline: plain(baseline), ...bars });
  return [
    cost("first byte of a confined command, p50", firstByte, { maxRatio: 5 }),
    // Sixty a second.
    cost("time for each of 20 confined commands at once", atOnce, { maxValue: 1_000 / 60 }),
    figure({
      name: "memory around a confined command",
      unit: "MB",
      value: memoryMb,
      baseline: { name: "the bar itself", value: 1 },
      maxValue: 1,
    }),
    figure({
      name: "what holds a confined command, found among 5,000 files, p50",
      unit: "ms",
      value: fencesMs,
      baseline: { name: "the bar itself", value: 2 },
      maxValue: 2,
    }),
  ];
}

function openShell(directory: string): Runner {
  const shell = new Shell({
    logDir: join(directory, "logs"),
    assertPermit: () => undefined,
    fork: forkBuilt,
  });
  const start = (command: string, signal?: AbortSignal) => {
    const executionId = randomUUID();
    return shell.run({
      executionId,
      permit: { executionId },
      command,
      cwd: directory,
      ...(signal && { signal }),
    });
  };
  const runner: Runner = {
    run: async (command) => (await (await start(command)).done).output,
    parts: async () => [Number(await runner.run("echo $PPID"))],
    async stop(command) {
      const stop = new AbortController();
      const { done } = await start(command, stop.signal);
      await new Promise((resolve) => setTimeout(resolve, stopAfterMs));
      const began = performance.now();
      stop.abort();
      await done;
      return performance.now() - began;
    },
    close: () => shell.disposeAll(),
  };
  return runner;
}

async function openBaseline(directory: string, timeoutSeconds: number): Promise<Runner> {
  const { LocalShellBackend } = await import("deepagents");
  const backend = new LocalShellBackend({ rootDir: directory, inheritEnv: true, timeout: timeoutSeconds });
  await backend.initialize();
  return {
    run: async (command) => (await backend.execute(command)).output,
    async stop(command) {
      const began = performance.now();
      await backend.execute(command);
      return performance.now() - began - timeoutSeconds * 1000;
    },
    parts: async () => [],
    close: () => backend.close(),
  };
}

/** The median of each side, measured in turn so that both meet the same machine. */
async function measureLatency(shell: Runner, baseline: Runner, runs: number): Promise<Record<Kind, number>> {
  const times: Record<Kind, number[]> = { shell: [], baseline: [] };
  for (let index = 0; index < runs; index += 1) {
    times.shell.push(await timeOf(() => shell.run("true")));
    times.baseline.push(await timeOf(() => baseline.run("true")));
  }
  return { shell: median(times.shell), baseline: median(times.baseline) };
}

async function measureStops(
  shell: Runner,
  directory: string,
): Promise<Record<"plain" | "stubborn", Record<Kind, number>>> {
  const limited = await openBaseline(directory, stopAfterMs / 1000);
  const plain = `sleep ${stoppedSleepSeconds}; echo not stopped`;
  const stubborn = `trap '' TERM; ${plain}`;
  return {
    plain: { shell: await shell.stop(plain), baseline: await limited.stop(plain) },
    stubborn: { shell: await shell.stop(stubborn), baseline: await limited.stop(stubborn) },
  };
}

/** Starts this file anew for one flood and reads what it prints. */
async function measureFlood(kind: FloodKind, megabytes: number): Promise<Flood> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    import.meta.filename,
    kind,
    String(megabytes),
  ]);
  return JSON.parse(stdout) as Flood;
}

async function openBareTerminal(directory: string): Promise<Runner> {
  const { spawn } = await import("node-pty");
  const run = (command: string) =>
    new Promise<string>((resolve) => {
      const terminal = spawn("/bin/bash", ["-c", command], { cwd: directory, encoding: null });
      terminal.onData(() => undefined);
      terminal.onExit(() => resolve(""));
    });
  return {
    run,
    stop: () => Promise.reject(new Error("not measured")),
    parts: async () => [],
    close: async () => undefined,
  };
}

function openRunner(kind: FloodKind, directory: string): Runner | Promise<Runner> {
  if (kind === "terminal") return openBareTerminal(directory);
  return kind === "shell" ? openShell(directory) : openBaseline(directory, 120);
}

async function flood(directory: string, kind: FloodKind, megabytes: number): Promise<Flood> {
  const runner = await openRunner(kind, directory);
  await runner.run("true");
  const parts = await runner.parts();
  const resident = () => parts.reduce((sum, pid) => sum + residentBytes(pid), process.memoryUsage.rss());
  const before = resident();
  let peak = before;
  const sampler = setInterval(() => {
    peak = Math.max(peak, resident());
  }, memorySampleMs);
  const ms = await timeOf(() => runner.run(`yes '${"x".repeat(98)}' | head -c ${megabytes}000000`));
  clearInterval(sampler);
  peak = Math.max(peak, resident());
  await runner.close();
  return { ms, memoryMb: (peak - before) / 1e6 };
}

if (process.argv[1] === import.meta.filename) {
  const kinds: FloodKind[] = ["shell", "baseline", "terminal"];
  const kind = kinds.find((known) => known === process.argv[2]) ?? "shell";
  const found = await inFolder((directory) => flood(directory, kind, Number(process.argv[3])));
  console.log(JSON.stringify(found));
}
