/** What can be asked of the shell, what stands there by default, and what must hold before a command runs. */

import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { CommandShell } from "../../shared/command-shell.ts";
import type { Width } from "../../shared/contract/decisions.ts";
import type { Hidden } from "../sandbox/hidden-places.ts";
import type { Probe } from "../sandbox/probe.ts";
import { assertHarmless } from "./environment.ts";
import { findCommandShell } from "./find-command-shell.ts";
import type { OutputLimits } from "./output-capture.ts";
import { isTooLong } from "./shell-arguments.ts";
import { ShellError } from "./shell-error.ts";
import type { ForkShellHost } from "./shell-host-process.ts";
import type { CommandRequest, RunnerOptions } from "./shell-messages.ts";

/** Names the started execution row that entitles its holder to run one command. */
export type ExecutionPermit = {
  executionId: string;
};

/** Where confined commands find what holds them, and what of this machine they must not see. */
export type SandboxForCommands = {
  ready(): Promise<Probe>;
  home: string;
  dataDir: string;
  /** What of it is hidden beside credentials of the home, as it is when a command starts. */
  hidden(): Hidden;
};

export type ShellOptions = {
  /** Where the full output of each command is kept. Made if missing, readable by its owner only. */
  logDir: string;
  /** Must throw unless an execution row with this id is started and names this width: the gate of last resort (I8). */
  assertPermit: (permit: ExecutionPermit, width: Width) => void;
  /** What confines commands; without it none can be, and one that is to be does not start. */
  sandbox?: SandboxForCommands;
  /** What reads the commands, the same that the policy judges them for; default the one that is found. */
  commandShell?: CommandShell;
  /** Variables of the host to pass on besides the built-in list; a name may end in `*`. */
  envAllowList?: readonly string[];
  /** The host's environment; default `process.env`. */
  environment?: NodeJS.ProcessEnv;
  /** Resolves once that environment is what it is to be; no process is started before. Default: it is. Must not reject. */
  ready?: Promise<void>;
  /** Bytes of text the model gets; default 16 KiB from the head and 48 KiB from the tail. */
  limits?: OutputLimits;
  /** Default 512 MiB; the log of a longer output ends there and says so. */
  maxLogBytes?: number;
  /** Time between TERM and KILL; default 600 ms, so that a Stop takes less than 2 s. */
  graceMs?: number;
  /** How long a paused watcher may hold the command back before it is cut back; default 2 s. */
  stallMs?: number;
  /** How often the shell host has to show that it is alive while commands run; default 5 s. */
  heartbeatMs?: number;
  /** How the shell host's process is started; default as a child of plain Node. */
  fork?: ForkShellHost;
};

export type RunOptions = {
  permit: ExecutionPermit;
  /** Must be the permit's. One id runs once, also across restarts of the host. */
  executionId: string;
  command: string;
  /** Absolute path of an existing folder. Whether it lies in the workspace is for the caller to check. */
  cwd: string;
  /** How far it may reach, where `cwd` is the workspace; default outside of the sandbox. */
  width?: Width;
  /** Default 10 minutes; Infinity for none. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** How much of its output is kept on the disk; default and most what the shell was made with. */
  maxLogBytes?: number;
  /** Set for this command on purpose; variables that make programs load code are refused. */
  env?: Record<string, string>;
  cols?: number;
  rows?: number;
};

const defaultTimeoutMs = 10 * 60_000;
const defaultMaxLogBytes = 512 * 1024 * 1024;
const defaultGraceMs = 600;
const defaultStallMs = 2000;
const defaultCols = 120;
const defaultRows = 30;

/** What the shell host is told once, with what stands there by default. */
export function toRunner(options: ShellOptions): RunnerOptions {
  return {
    logDir: options.logDir,
    commandShell: options.commandShell ?? findCommandShell(process.platform, process.env),
    envAllowList: [...(options.envAllowList ?? [])],
    limits: options.limits ?? { headBytes: 16 * 1024, tailBytes: 48 * 1024 },
    maxLogBytes: options.maxLogBytes ?? defaultMaxLogBytes,
    graceMs: options.graceMs ?? defaultGraceMs,
    stallMs: options.stallMs ?? defaultStallMs,
  };
}

/** What the shell host is told of one command, with what stands there by default. */
export function toRequest({
  executionId,
  command,
  cwd,
  timeoutMs,
  env,
  cols,
  rows,
}: RunOptions): Omit<CommandRequest, "maxLogBytes" | "confining"> {
  return {
    executionId,
    command,
    cwd,
    // Without an end is a very large number: JSON-like schemas know no infinity.
    timeoutMs: Math.min(timeoutMs ?? defaultTimeoutMs, Number.MAX_SAFE_INTEGER),
    env: env ?? {},
    cols: cols ?? defaultCols,
    rows: rows ?? defaultRows,
  };
}

/**
 * Checks a permit and everything a caller can get wrong.
 * @throws ShellError `not-permitted` or `invalid-command`; nothing has run then.
 */
export function assertMayRun(
  request: RunOptions,
  assertPermit: ShellOptions["assertPermit"],
  commandShell: CommandShell,
): void {
  assertPermitted(request, assertPermit);
  assertRunnable(request, commandShell);
}

function assertPermitted(options: RunOptions, assertPermit: ShellOptions["assertPermit"]): void {
  const { permit, executionId, width = "outside" } = options;
  if (executionId === "" || permit?.executionId !== executionId) {
    throw new ShellError(
      "not-permitted",
      "permit",
      "The permit is for another execution. The command was not started.",
    );
  }
  try {
    assertPermit(permit, width);
  } catch (error) {
    throw new ShellError(
      "not-permitted",
      "permit",
      "No execution was started for this command, so it was not run.",
      error,
    );
  }
}

/** Why the shell would start no command of this text, whoever said yes to it. */
export function whyNeverStarted(command: string, commandShell: CommandShell): string | undefined {
  if (command.trim() === "") return "The command is empty. Give a command to run.";
  if (command.includes("\0")) return "The command holds a NUL character. Remove it.";
  return isTooLong(commandShell, command, process.platform)
    ? "The command is too long. Write it to a script file and run that."
    : undefined;
}

function assertRunnable({ command, cwd, timeoutMs, env }: RunOptions, commandShell: CommandShell): void {
  const refuse = (field: string, message: string) => new ShellError("invalid-command", field, message);
  const why = whyNeverStarted(command, commandShell);
  if (why !== undefined) throw refuse("command", why);
  if (!isAbsolute(cwd) || !statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw refuse("cwd", `There is no folder ${cwd}. Give the absolute path of an existing folder.`);
  }
  if (timeoutMs !== undefined && !(timeoutMs > 0)) {
    throw refuse("timeoutMs", "The time limit must be more than 0 ms.");
  }
  assertHarmless(env ?? {});
}
