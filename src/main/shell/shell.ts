/** Runs commands for the host, each in a terminal of its own, and sees to it that nothing outlives the host unnoticed. */

import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type CommandInterpreter, findCommandInterpreter } from "./command-interpreter.ts";
import { logPathOf, prepareLogDir } from "./command-log.ts";
import { buildEnvironment } from "./environment.ts";
import { type LoggedOutput, type OutputLimits, readLoggedOutput } from "./output-capture.ts";
import { endTree, killGroupNow, type TreeRoot } from "./process-tree.ts";
import { type RunningCommand, type StartOptions, startCommand } from "./running-command.ts";
import { ShellError } from "./shell-error.ts";

/** Names the started execution row that entitles its holder to run one command. */
export interface ExecutionPermit {
  executionId: string;
}

export interface ShellOptions {
  /** Where the full output of each command is kept. Made if missing, readable by its owner only. */
  logDir: string;
  /** Must throw unless an execution row with this id is started: the gate of last resort. */
  assertPermit: (permit: ExecutionPermit) => void;
  /** Variables of the host to pass on besides the built-in list; a name may end in `*`. */
  envAllowList?: readonly string[];
  /** The host's environment; default `process.env`. */
  environment?: NodeJS.ProcessEnv;
  /** Milliseconds since 1970; default `Date.now`. */
  now?: () => number;
  /** Bytes of text the model gets; default 16 KiB from the head and 48 KiB from the tail. */
  limits?: OutputLimits;
  /** Default 512 MiB; the log of a longer output ends there and says so. */
  maxLogBytes?: number;
  /** Time between TERM and KILL; default 600 ms, so that a Stop takes less than 2 s. */
  graceMs?: number;
  /** How long a paused watcher may hold a command back before it is cut back; default 2 s. */
  stallMs?: number;
}

export interface RunOptions {
  permit: ExecutionPermit;
  /** Must be the permit's. One id runs once, also across restarts of the host. */
  executionId: string;
  command: string;
  /** Absolute path of an existing folder. Whether it lies in the workspace is for the caller to check. */
  cwd: string;
  /** Default 10 minutes; Infinity for none. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Set for this command on purpose; variables that make programs load code are refused. */
  env?: Record<string, string>;
  cols?: number;
  rows?: number;
}

export interface Shell {
  /** Starts a command. Throws ShellError if it may not or cannot start; nothing has run then. */
  run(options: RunOptions): RunningCommand;
  /** The command while it runs, for those who want to watch it. */
  find(executionId: string): RunningCommand | undefined;
  /** What the log of an execution holds, in this or an earlier process; undefined if it has none. */
  readLoggedOutput(executionId: string): Promise<LoggedOutput | undefined>;
  /** Ends everything within 2 s, background processes of earlier commands too. Afterwards `run` throws. */
  disposeAll(): Promise<void>;
}

const DEFAULT_TIMEOUT_MS = 10 * 60_000;
const DEFAULT_LIMITS: OutputLimits = { headBytes: 16 * 1024, tailBytes: 48 * 1024 };
const DEFAULT_MAX_LOG_BYTES = 512 * 1024 * 1024;
const DEFAULT_GRACE_MS = 600;
const DEFAULT_STALL_MS = 2000;
const DISPOSE_LIMIT_MS = 1900;
const DEFAULT_COLS = 120;
const DEFAULT_ROWS = 30;
/** Linux refuses a single argument of 128 KiB or more. */
const LONGEST_COMMAND_BYTES = 120 * 1024;

function assertPermitted(options: RunOptions, assertPermit: ShellOptions["assertPermit"]): void {
  const { permit, executionId } = options;
  if (executionId === "" || permit?.executionId !== executionId) {
    throw new ShellError(
      "not-permitted",
      "permit",
      "The permit is for another execution. The command was not started.",
    );
  }
  try {
    assertPermit(permit);
  } catch (error) {
    throw new ShellError(
      "not-permitted",
      "permit",
      "No execution was started for this command, so it was not run.",
      error,
    );
  }
}

function assertRunnable({ command, cwd, timeoutMs }: RunOptions): void {
  const refuse = (field: string, message: string) => new ShellError("invalid-command", field, message);
  if (command.trim() === "") throw refuse("command", "The command is empty. Give a command to run.");
  if (command.includes("\0")) throw refuse("command", "The command holds a NUL character. Remove it.");
  if (Buffer.byteLength(command) > LONGEST_COMMAND_BYTES) {
    throw refuse("command", "The command is too long. Write it to a script file and run that.");
  }
  if (!isAbsolute(cwd) || !statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw refuse("cwd", `There is no folder ${cwd}. Give the absolute path of an existing folder.`);
  }
  if (timeoutMs !== undefined && !(timeoutMs > 0)) {
    throw refuse("timeoutMs", "The time limit must be more than 0 ms.");
  }
}

class LocalShell implements Shell {
  readonly #options: ShellOptions;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #interpreter: CommandInterpreter;
  readonly #limits: OutputLimits;
  readonly #running = new Map<string, RunningCommand>();
  /** Executions that ended and left something in the background. */
  readonly #leftBehind = new Map<string, TreeRoot>();
  readonly #killAllNow = () => {
    for (const command of this.#running.values()) killGroupNow(command.pid);
  };
  #closed = false;

  constructor(options: ShellOptions) {
    this.#options = options;
    this.#environment = options.environment ?? process.env;
    this.#interpreter = findCommandInterpreter(process.platform, this.#environment);
    this.#limits = options.limits ?? DEFAULT_LIMITS;
    prepareLogDir(options.logDir);
    process.once("exit", this.#killAllNow);
  }

  run(request: RunOptions): RunningCommand {
    if (this.#closed)
      throw new ShellError("closed", "command", "The app is closing, so no command is started.");
    assertPermitted(request, this.#options.assertPermit);
    assertRunnable(request);
    const command = startCommand(this.#prepare(request));
    this.#track(command);
    return command;
  }

  find(executionId: string): RunningCommand | undefined {
    return this.#running.get(executionId);
  }

  readLoggedOutput(executionId: string): Promise<LoggedOutput | undefined> {
    return readLoggedOutput({ limits: this.#limits, logPath: logPathOf(this.#options.logDir, executionId) });
  }

  async disposeAll(): Promise<void> {
    this.#closed = true;
    const commands = [...this.#running.values()].map((command) => command.kill("killed"));
    const background = [...this.#leftBehind.values()].map((root) => endTree(root, this.#graceMs));
    const late = new AbortController();
    await Promise.race([
      Promise.all([...commands, ...background]),
      delay(DISPOSE_LIMIT_MS, undefined, { signal: late.signal }).catch(() => undefined),
    ]);
    late.abort();
    this.#killAllNow();
    process.removeListener("exit", this.#killAllNow);
  }

  get #graceMs(): number {
    return this.#options.graceMs ?? DEFAULT_GRACE_MS;
  }

  #prepare(request: RunOptions): StartOptions {
    const { envAllowList, logDir, maxLogBytes, stallMs, now } = this.#options;
    const { executionId, command, cwd, signal, timeoutMs, env, cols, rows } = request;
    return {
      executionId,
      command,
      cwd,
      env: buildEnvironment({
        source: this.#environment,
        allow: envAllowList ?? [],
        extra: env ?? {},
        executionId,
      }),
      interpreter: this.#interpreter,
      logPath: logPathOf(logDir, executionId),
      maxLogBytes: maxLogBytes ?? DEFAULT_MAX_LOG_BYTES,
      limits: this.#limits,
      timeoutMs: timeoutMs ?? DEFAULT_TIMEOUT_MS,
      graceMs: this.#graceMs,
      stallMs: stallMs ?? DEFAULT_STALL_MS,
      signal,
      cols: cols ?? DEFAULT_COLS,
      rows: rows ?? DEFAULT_ROWS,
      now: now ?? Date.now,
    };
  }

  #track(command: RunningCommand): void {
    const { executionId, pid, startTime } = command;
    this.#running.set(executionId, command);
    void command.done.then(({ stillRunning }) => {
      this.#running.delete(executionId);
      if (stillRunning.length > 0) this.#leftBehind.set(executionId, { executionId, pid, startTime });
    });
  }
}

/** Makes the shell. Throws ShellError `log-unavailable` if the folder for logs cannot be made. */
export function createShell(options: ShellOptions): Shell {
  return new LocalShell(options);
}
