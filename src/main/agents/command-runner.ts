/** Runs the commands of executions in the shell, knows which are alive, and says what became of each in words for the model. */
import type { ThreadId } from "../../shared/ids.ts";
import { type ConfinedWidth, readWidth } from "../../shared/width.ts";
import type { ExecutionStore } from "../approvals/execution-store.ts";
import type { CommandNotes, CommandWatch } from "../files/command-watch.ts";
import type { ExecutionContext } from "../gate/run-context.ts";
import { createUnaskedOutput, type UnaskedOutput } from "../gate/unasked-output.ts";
import { findRefusals, type Refusals } from "../sandbox/find-refusals.ts";
import { listAside } from "../sandbox/made-confined.ts";
import type { Shell } from "../shell/shell.ts";
import { ShellError, type ShellErrorCode } from "../shell/shell-error.ts";
import type { StepOrigin } from "../undo/step-journal.ts";

/** What ran, as the shell reports it. */
export type CommandEnd = {
  output: string;
  exitCode: number;
  truncated: boolean;
  cancelled: boolean;
  bytes: number;
  /** Why it was not started at all; the rest then says nothing. */
  notStarted?: string;
  /** What it looks like the sandbox refused it. */
  refusals?: Refusals | undefined;
  /** What it newly made that was moved aside, by the names it has now. */
  setAside?: readonly string[] | undefined;
  /** With that: it was to be confined and could not be. */
  notConfined?: boolean;
};

/** A command as its execution names it, in the workspace of its thread. */
export type CommandOfCall = StepOrigin &
  Pick<ExecutionContext, "mayChangeFiles" | "width" | "signal"> & { command: string; workspace: string };

export type CommandRunner = {
  /**
   * Runs a command. It counts as its thread's while its process lives, and where it may change files it is remembered for
   * the thread which of those in the workspace it changed.
   * @throws ShellError when what may not run came this far, or the abort reason of the run
   */
  run(command: CommandOfCall): Promise<CommandEnd>;
  /**
   * Resolves when no command of the thread is under way. Once the signal has aborted it waits for the time a command
   * gets to end and not longer: what no signal reaches must not keep the thread for ever.
   */
  ended(threadId: ThreadId, signal: AbortSignal): Promise<void>;
};

export type CommandRunnerParts = {
  shell: Pick<Shell, "run">;
  executions: Pick<ExecutionStore, "noteProcess">;
  commandTimeoutMs(): number;
  watch: Pick<CommandWatch, "around">;
  /** The real path of a workspace. */
  rootOf(workspace: string): string;
  /** Keeps what the command changed as a step that can be taken back. */
  noteStep(command: CommandOfCall, root: string): CommandNotes | undefined;
  /** How long `ended` waits after its signal. */
  endWithinMs?: number;
};

/** TERM, the shell's grace, KILL twice and the close of the log take less. */
const longestEndMs = 2_500;

/** Starts no process before the first command. */
export function createCommandRunner(parts: CommandRunnerParts): CommandRunner {
  const { watch, rootOf, noteStep, endWithinMs = longestEndMs } = parts;
  const unaskedOutput = createUnaskedOutput();
  const counts = new Map<ThreadId, number>();
  const waiters = new Set<() => void>();

  function count(threadId: ThreadId, by: 1 | -1): void {
    const now = (counts.get(threadId) ?? 0) + by;
    if (now === 0) counts.delete(threadId);
    else counts.set(threadId, now);
    for (const look of waiters) look();
  }

  async function runCounted(command: CommandOfCall): Promise<CommandEnd> {
    count(command.threadId, 1);
    try {
      return await runCommand({ ...parts, unaskedOutput }, command);
    } finally {
      count(command.threadId, -1);
    }
  }

  return {
    run(command) {
      const { threadId, workspace, mayChangeFiles } = command;
      const root = rootOf(workspace);
      const run = () => runCounted(command);
      return mayChangeFiles ? watch.around(threadId, root, run, noteStep(command, root)) : run();
    },
    async ended(threadId, signal) {
      if (!counts.has(threadId)) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const look = () => {
        if (!counts.has(threadId)) resolve();
      };
      let timer: NodeJS.Timeout | undefined;
      const limit = () => {
        timer = setTimeout(resolve, endWithinMs);
      };
      waiters.add(look);
      if (signal.aborted) limit();
      else signal.addEventListener("abort", limit, { once: true });
      await promise;
      waiters.delete(look);
      clearTimeout(timer);
      signal.removeEventListener("abort", limit);
    },
  };
}

type RunParts = Pick<CommandRunnerParts, "shell" | "executions" | "commandTimeoutMs"> & {
  unaskedOutput: UnaskedOutput;
};

async function runCommand(
  { shell, executions, commandTimeoutMs, unaskedOutput }: RunParts,
  { command, workspace, executionId, threadId, mayChangeFiles, width, signal }: CommandOfCall,
): Promise<CommandEnd> {
  // The turn may have been stopped while the folder was looked at; then nothing is started.
  signal.throwIfAborted();
  const starting = shell.run({
    permit: { executionId },
    executionId,
    command,
    cwd: workspace,
    width,
    timeoutMs: commandTimeoutMs(),
    maxLogBytes: mayChangeFiles ? undefined : unaskedOutput.roomFor(threadId),
    signal,
  });
  const running = await starting.catch((error: unknown) => {
    if (error instanceof ShellError && notStartedCodes.includes(error.code)) return error;
    throw error;
  });
  if (running instanceof ShellError) return nothingRan(running.message, running.code === "not-confined");
  executions.noteProcess(executionId, {
    pid: running.pid,
    processStarted: running.startTime,
    logPath: running.logPath,
  });
  const result = await running.done;
  if (result.notConfined !== undefined) return nothingRan(result.notConfined, true);
  if (!mayChangeFiles) unaskedOutput.note(threadId, result.bytes);
  const survivors = result.stillRunning.map((process) => process.pid);
  const isOver = survivors.length === 0 && !result.mayRunMore;
  const isConfined = width !== undefined && width !== "outside";
  const ended = isOver && startsInBackground(command) ? `\n${isConfined ? allEndedWithIt : endedWithIt}` : "";
  const limits =
    isConfined && result.outcome === "exited" && result.exitCode !== 0 ? `\n${ranConfined(width)}` : "";
  const refusals =
    isConfined && limits !== "" ? findRefusals(result.output, { width, workspace }) : undefined;
  const aside = result.setAside === undefined ? "" : `\n${wasSetAside(result.setAside)}`;
  const unknown = result.mayRunMore ? `\n${mayStillRun}` : ended;
  const note = survivors.length > 0 ? `\n[still running: ${survivors.join(", ")}]${unknown}` : unknown;
  return {
    output: result.output + (result.outcome === "stopped" ? `\n${stoppedAlone}` : "") + note + aside + limits,
    exitCode: result.exitCode ?? (result.outcome === "timeout" ? 124 : 130),
    truncated: result.truncated,
    cancelled: ["cancelled", "stopped", "killed"].includes(result.outcome),
    bytes: result.bytes,
    refusals,
    setAside: result.setAside,
  };
}

const notStartedCodes: readonly ShellErrorCode[] = ["start-failed", "not-confined"];

function nothingRan(why: string, notConfined: boolean): CommandEnd {
  const nothing = { exitCode: 1, truncated: false, cancelled: false, bytes: 0 };
  return { ...nothing, output: why, notStarted: why, notConfined };
}

const stoppedAlone =
  "[A person ended this command; its output up to then is above. The turn goes on: do not start it again unasked.]";
const mayStillRun = "[What the command started may still run: the system did not list its processes.]";
const endedWithIt =
  "[What was started with & has ended with this command. To keep a process, start it with nohup or setsid.]";

const allEndedWithIt =
  "[What was started with & has ended with this command. It ran confined, where nothing outlives its command.]";

const wasSetAside = (names: readonly string[]) =>
  `[Moved aside, since agents or programs outside of the sandbox would obey it: now ${listAside(names)}. The person was told, and says whether it is used.]`;

function ranConfined(width: ConfinedWidth): string {
  const { grant, folders } = readWidth(width);
  const network = grant === "network" ? "the network, but" : "no network,";
  const sockets = grant === "sockets" ? " the sockets of this machine, but" : "";
  const named = folders.length > 0 ? " and the folders that the person named" : "";
  return `[It ran confined: ${network}${sockets} no credentials, nothing written outside of the workspace${named}, and of git only what says git. If that is why it failed, say what it needs and why, and ask for that.]`;
}

/** Whether a `&` stands in the command that is no part of `&&`, `&>`, `>&`, `<&`, `|&` and in no quotes. */
function startsInBackground(command: string): boolean {
  const bare = command.replaceAll(/'[^']*'|"(?:[^"\\]|\\.)*"|\\./gs, "");
  return /(?:^|[^&<>|])&(?![&>])/.test(bare);
}
