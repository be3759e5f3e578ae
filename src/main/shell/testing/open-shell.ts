/** A shell in a folder of its own for the tests, with ids handed out and everything ended afterwards. */

import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { CommandResult } from "../command-result.ts";
import { listProcesses, readLinuxProcess } from "../process-table.ts";
import type { RunningCommand } from "../running-command.ts";
import { Shell } from "../shell.ts";
import type { RunOptions, ShellOptions } from "../shell-options.ts";

type ShellFixture = {
  shell: Shell;
  /** Where commands run. */
  dir: string;
  logDir: string;
  start(command: string, options?: Partial<RunOptions>): Promise<RunningCommand>;
  /** Starts a command and waits for its end. */
  run(command: string, options?: Partial<RunOptions>): Promise<CommandResult>;
};

/** Makes the fixture; the test that calls it cleans up by itself. */
export function openShellFixture(options: Partial<ShellOptions> = {}): ShellFixture {
  const dir = mkdtempSync(join(tmpdir(), "countersign-shell-"));
  const logDir = join(dir, "logs");
  const shell = new Shell({ logDir, assertPermit: () => undefined, ...options });
  onTestFinished(async () => {
    await shell.disposeAll();
    rmSync(dir, { recursive: true, force: true });
  });
  const start: ShellFixture["start"] = (command, extra = {}) => {
    const executionId = extra.executionId ?? randomUUID();
    return shell.run({ executionId, permit: { executionId }, command, cwd: dir, ...extra });
  };
  return { shell, dir, logDir, start, run: async (...args) => (await start(...args)).done };
}

/** Resolves when the condition holds; the test's own time limit is the limit. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Whether a process runs. One that ended and that its parent has not taken note of yet does not. */
export function isAlive(pid: number): boolean {
  if (process.platform === "linux") return readLinuxProcess(pid) !== undefined;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The processes with exactly this command line. */
export async function findNamed(name: string): Promise<number[]> {
  const table = await listProcesses();
  if (table === "no answer") throw new Error("The system does not list its processes.");
  return table.filter((row) => row.name === name).map((row) => row.pid);
}

/** The process in whose terminal a command runs. Linux only. */
export function shellHostOf({ pid }: Pick<RunningCommand, "pid">): number {
  const parent = readLinuxProcess(pid)?.parent;
  if (parent === undefined) throw new Error("The command has ended already.");
  return parent;
}

/** Resolves when the command has written the given text. */
export async function untilOutput(command: RunningCommand, wanted: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let seen = "";
  const subscription = command.subscribe((event) => {
    if (event.type === "output") seen += event.text;
    if (seen.includes(wanted)) resolve();
    else if (event.type === "ended") reject(new Error(`ended without ${wanted}: ${event.result.output}`));
  });
  await promise;
  subscription.close();
}
