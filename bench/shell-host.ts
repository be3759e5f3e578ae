/** Measures what the shell host costs and spares: its own memory and start, and the loop time of each command's start. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { spawn as openTerminal } from "node-pty";
import { Shell } from "../src/main/shell/shell.ts";
import { forkBuilt } from "./fork-built.ts";
import { median } from "./measuring.ts";
import { residentBytes } from "./process-memory.ts";

/** What a host holds besides the shell; a fork of the process copies the tables of all of it. */
const hostMb = 300;

/** Of the shell, and of the same by its simplest means. */
export type Compared = { value: number; baseline: number };

export type ShellHostCost = {
  /** Milliseconds the host's loop stands still for the start of a command, beside node-pty in the same process; p50. */
  hold: Compared;
  /** Milliseconds from nothing to the first result, beside the start of a bare Node process. */
  firstResult: Compared;
  /** Resident MB of the idle shell host, beside a bare Node process. */
  memoryMb: Compared;
};

/** In the process it is called in, which then is as large as a host. */
export async function measureShellHost(directory: string, runs: number): Promise<ShellHostCost> {
  const ballast = Array.from({ length: hostMb }, (_, index) => Buffer.alloc(1e6, index + 1));
  const shell = new Shell({
    logDir: join(directory, "host-logs"),
    assertPermit: () => undefined,
    fork: forkBuilt,
  });
  const start = (command: string) => {
    const executionId = randomUUID();
    return shell.run({ executionId, permit: { executionId }, command, cwd: directory });
  };
  const began = performance.now();
  const { output } = await (await start("echo $PPID")).done;
  const firstResult = performance.now() - began;
  const bare = await startBareNode();
  const holds = { shell: [] as number[], terminal: [] as number[] };
  for (let index = 0; index < runs; index += 1) {
    holds.shell.push(await holdOf(() => start("true").then(({ done }) => done)));
    holds.terminal.push(await holdOf(() => runInTerminal(directory)));
  }
  const memoryMb = { value: residentBytes(Number(output)) / 1e6, baseline: bare.memoryMb };
  await shell.disposeAll();
  ballast.length = 0;
  return {
    hold: { value: median(holds.shell), baseline: median(holds.terminal) },
    firstResult: { value: firstResult, baseline: bare.startMs },
    memoryMb,
  };
}

/** How long the call itself takes; what it promises is waited for, and not counted. */
async function holdOf(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  const acted = act();
  const held = performance.now() - began;
  await acted;
  return held;
}

function runInTerminal(cwd: string): Promise<void> {
  const terminal = openTerminal("/bin/bash", ["-c", "true"], { cwd });
  return new Promise((resolve) => {
    terminal.onExit(() => resolve());
  });
}

async function startBareNode(): Promise<{ startMs: number; memoryMb: number }> {
  const began = performance.now();
  const child = spawn(process.execPath, ["-e", "console.log(); setTimeout(() => {}, 60_000)"]);
  await once(child.stdout, "data");
  const startMs = performance.now() - began;
  const memoryMb = residentBytes(child.pid ?? 0) / 1e6;
  child.kill();
  await once(child, "exit");
  return { startMs, memoryMb };
}
