/** The shell as the rest of the host knows it: what can be asked of it, and what must hold before a command runs. */

import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { CommandShell } from "../../shared/command-shell.ts";
import type { Width } from "../../shared/contract/decisions.ts";
import type { Hidden } from "../sandbox/hidden-places.ts";
import type { Probe } from "../sandbox/probe.ts";
import { assertHarmless } from "./environment.ts";
import type { ColouredLog, OutputLimits } from "./output-capture.ts";
import type { TreeRoot } from "./process-tree.ts";
import type { RunningCommand, WatchableCommand } from "./running-command.ts";
import { isTooLong } from "./shell-arguments.ts";
import { ShellError } from "./shell-error.ts";
import type { ForkShellHost } from "./shell-host-process.ts";

/** Names the started execution row that entitles its holder to run one command. */
export type ExecutionPermit = {
  executionId: string;
};

/** Where confined commands find what holds them, and what of this machine they must not see. */
export type SandboxForCommands = {
  ready(): Promise<Probe>;
  home: string;
  dataDir: string;
  /** What the person hides besides, as it is when a command starts. */
  hidden?: () => Hidden;
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

export type Shell = {
  /**
   * Starts a command; resolves once its process is known. Rejects with ShellError if it may not or cannot start;
   * nothing has run then. What may not run is refused before anything is asked of the shell host.
   */
  run(options: RunOptions): Promise<RunningCommand>;
  /** The command from the moment `run` was called until it has ended, for those who want to watch it. */
  find(executionId: string): WatchableCommand | undefined;
  /** What the log of an execution holds, in this or an earlier process, for a person; undefined if it has none. */
  readLog(executionId: string): Promise<ColouredLog | undefined>;
  /** Starts the shell host before the first command needs it. Never throws, and costs nothing a second time. */
  warmUp(): void;
  /** Ends what these executions left in the background when they ended. Never rejects. */
  endLeftBehind(executionIds: readonly string[]): Promise<void>;
  /** Has a program that this host started itself ended with everything it started, should the host die. */
  guard(root: TreeRoot): void;
  unguard(executionId: string): void;
  /** Ends everything within 2 s, background processes of earlier commands too. Afterwards `run` rejects. */
  disposeAll(): Promise<void>;
};

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
