/** Starts a system's own program and takes what it prints: the border at which tests let one be slow, silent or odd. */

import { execFile } from "node:child_process";

type RunProgramOptions = {
  env?: Record<string, string>;
  timeoutMs: number;
};

/** Resolves with what the program printed, or undefined when it failed or was too slow. Never rejects. */
export type RunProgram = (
  file: string,
  args: readonly string[],
  options: RunProgramOptions,
) => Promise<string | undefined>;

const mostBytes = 32 * 1024 * 1024;

/** @returns what it printed, or `undefined` when it failed, took too long or printed too much. */
export const runProgram: RunProgram = (file, args, { env, timeoutMs }) =>
  new Promise((resolve) => {
    const options = { env, timeout: timeoutMs, killSignal: "SIGKILL", maxBuffer: mostBytes } as const;
    execFile(file, args, { ...options, windowsHide: true }, (error, printed) =>
      resolve(error === null ? printed : undefined),
    );
  });
