/** What becomes of a command whose shell host died: its processes are ended, and its log tells what it said. */

import { setAsideLeft } from "../sandbox/set-aside.ts";
import type { CommandResult } from "./command-result.ts";
import { beforeFileOf } from "./confined-start.ts";
import { endTree } from "./end-tree.ts";
import { discardNotes, readNotes } from "./member-notes.ts";
import { type OutputLimits, readLoggedOutput } from "./output-capture.ts";
import type { RunningCommand } from "./running-command.ts";

const note =
  "[The process that held the terminal ended unexpectedly, so the command was ended. This is its output up to then.]";

type LostCommandOptions = {
  limits: OutputLimits;
  graceMs: number;
  /** On the clock of `performance.now`. */
  startedAt: number;
};

/** Ends the command and words what is left of it. Never rejects. */
export async function endLostCommand(
  command: Pick<RunningCommand, "executionId" | "pid" | "startTime" | "logPath">,
  { limits, graceMs, startedAt }: LostCommandOptions,
): Promise<CommandResult> {
  const { logPath } = command;
  const { executionId, pid, startTime } = command;
  const root = { executionId, pid, startTime, isRecent: true, ...readNotes(logPath) };
  const remainder = await endTree(root, { graceMs });
  discardNotes(logPath);
  const aside = setAsideLeft(beforeFileOf(logPath));
  const logged = await readLoggedOutput({ limits, logPath }).catch(() => undefined);
  const said = logged?.output ?? "";
  return {
    output: said === "" || said.endsWith("\n") ? `${said}${note}` : `${said}\n${note}`,
    exitCode: null,
    outcome: "killed",
    truncated: logged?.truncated ?? false,
    bytes: logged?.bytes ?? 0,
    durationMs: performance.now() - startedAt,
    logPath,
    ...remainder,
    ...(aside && { setAside: aside.names }),
  };
}
