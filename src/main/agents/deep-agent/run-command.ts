/** Runs a command of an execution in the thread's shell, and says what became of it in words for the model. */
import type { ExecutionId, ThreadId } from "../../../shared/ids.ts";
import { ShellError } from "../../shell/shell-error.ts";
import type { Effects } from "../source.ts";

/** What ran, as the shell reports it. */
export type CommandEnd = {
  output: string;
  exitCode: number;
  truncated: boolean;
  cancelled: boolean;
  bytes: number;
  /** Why it was not started at all; the rest then says nothing. */
  notStarted?: string;
};

type How = { threadId: ThreadId; executionId: ExecutionId; mayChangeFiles: boolean; signal: AbortSignal };

/** @throws ShellError when what may not run came this far, or the abort reason of the run. */
export async function runCommand(
  { shell, executions, commandTimeoutMs, unaskedOutput }: Effects,
  workspace: string,
  command: string,
  { executionId, threadId, mayChangeFiles, signal }: How,
): Promise<CommandEnd> {
  // The turn may have been stopped while the folder was looked at; then nothing is started.
  signal.throwIfAborted();
  const starting = shell.run({
    permit: { executionId },
    executionId,
    command,
    cwd: workspace,
    timeoutMs: commandTimeoutMs(),
    maxLogBytes: mayChangeFiles ? undefined : unaskedOutput.roomFor(threadId),
    signal,
  });
  const running = await starting.catch((error: unknown) => {
    if (error instanceof ShellError && error.code === "start-failed") return error;
    throw error;
  });
  if (running instanceof ShellError) {
    const nothing = { exitCode: 1, truncated: false, cancelled: false, bytes: 0 };
    return { ...nothing, output: running.message, notStarted: running.message };
  }
  executions.noteProcess(executionId, {
    pid: running.pid,
    processStarted: running.startTime,
    logPath: running.logPath,
  });
  const result = await running.done;
  if (!mayChangeFiles) unaskedOutput.note(threadId, result.bytes);
  const survivors = result.stillRunning.map((process) => process.pid);
  const isOver = survivors.length === 0 && !result.mayRunMore;
  const ended = isOver && startsInBackground(command) ? `\n${endedWithIt}` : "";
  const unknown = result.mayRunMore ? `\n${mayStillRun}` : ended;
  const note = survivors.length > 0 ? `\n[still running: ${survivors.join(", ")}]${unknown}` : unknown;
  return {
    output: result.output + (result.outcome === "stopped" ? `\n${stoppedAlone}` : "") + note,
    exitCode: result.exitCode ?? (result.outcome === "timeout" ? 124 : 130),
    truncated: result.truncated,
    cancelled: ["cancelled", "stopped", "killed"].includes(result.outcome),
    bytes: result.bytes,
  };
}

const stoppedAlone =
  "[A person ended this command; its output up to then is above. The turn goes on: do not start it again unasked.]";
const mayStillRun = "[What the command started may still run: the system did not list its processes.]";
const endedWithIt =
  "[What was started with & has ended with this command. To keep a process, start it with nohup or setsid.]";

/** Whether a `&` stands in the command that is no part of `&&`, `&>`, `>&`, `<&`, `|&` and in no quotes. */
function startsInBackground(command: string): boolean {
  const bare = command.replaceAll(/'[^']*'|"(?:[^"\\]|\\.)*"|\\./gs, "");
  return /(?:^|[^&<>|])&(?![&>])/.test(bare);
}
