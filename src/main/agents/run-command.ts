/** Runs a command of an execution in the shell, and says what became of it in words for the model. */
import { type ConfinedWidth, readWidth } from "../../shared/width.ts";
import type { ExecutionStore } from "../approvals/execution-store.ts";
import type { ExecutionContext } from "../gate/run-context.ts";
import type { UnaskedOutput } from "../gate/unasked-output.ts";
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

type RunParts = {
  shell: Pick<Shell, "run">;
  executions: Pick<ExecutionStore, "noteProcess">;
  commandTimeoutMs(): number;
  unaskedOutput: UnaskedOutput;
};

/** @throws ShellError when what may not run came this far, or the abort reason of the run. */
export async function runCommand(
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
