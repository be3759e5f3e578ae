/** How a process of these tests ends that kills itself at one of its steps. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Barrier } from "../src/main/base/barriers.ts";

/** @param program a file beside this one. @param count at which time that it comes to the step. @returns the signal that ended it */
export async function endOfProcess(
  program: string,
  args: readonly string[],
  barrier: Barrier,
  count: number,
): Promise<unknown> {
  const child = spawn(process.execPath, [join(import.meta.dirname, program), ...args], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, COUNTERSIGN_KILL_AT: barrier, COUNTERSIGN_KILL_AT_COUNT: String(count) },
  });
  const [, signal] = await once(child, "exit");
  return signal;
}
