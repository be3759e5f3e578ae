/** Finds what a host or a shell host that died left running, and ends it. */
import { uptime } from "node:os";
import { setAsideLeft } from "../sandbox/set-aside-left.ts";
import type { CommandResult } from "./command-result.ts";
import { beforeFileOf } from "./confined-start.ts";
import { type EndingSystem, endTree, type Remainder, toRef } from "./end-tree.ts";
import { discardNotes } from "./member-notes.ts";
import { type OutputLimits, readLoggedOutput } from "./output-capture.ts";
import { listProcesses } from "./process-table.ts";
import { selectTree, type TreeRoot } from "./process-tree.ts";
import type { ProcessRef, ProcessRow } from "./ps-table.ts";
import { readNotes } from "./read-member-notes.ts";
import { runProgram } from "./run-program.ts";
import type { RunningCommand } from "./running-command.ts";

/** An execution whose processes outlived the host that started them. */
export type Orphan = TreeRoot & {
  processes: ProcessRef[];
};

/** What was found, and whether that is all: `isKnown` is false when something may run that cannot be recognised here. */
type Orphans = {
  found: Orphan[];
  isKnown: boolean;
};

/** An execution of a host that died; its notes lie beside its log. */
type LostExecution = TreeRoot & {
  logPath?: string | undefined;
};

/** Longer than for a Stop: nobody waits, and the processes may have much to put away. */
const orphanGraceMs = 1000;

const here: EndingSystem = { platform: process.platform, run: runProgram };

/** Nothing outlives the system it ran on. Such a start is the second since 1970. */
function startedBeforeBoot(startTime: string): boolean {
  return Number(startTime) < Date.now() / 1000 - uptime() - 60;
}

/** Without a marker, notes or the shell itself there is nothing to recognise a process by. */
function isRecognisable(root: TreeRoot, rows: readonly ProcessRow[], platform: NodeJS.Platform): boolean {
  if (platform === "linux" || root.noted !== undefined || startedBeforeBoot(root.startTime)) return true;
  return rows.some((row) => row.pid === root.pid);
}

/**
 * Looks for processes of the given executions by marker, by pid together with start time, by what was noted of them and
 * by descent. Strangers that merely got the same pid are never among them. A host that died before it noted the pid
 * passes 0 and "": the marker and the notes alone are searched then.
 */
export async function findOrphans(
  executions: readonly LostExecution[],
  { platform, run }: EndingSystem = here,
): Promise<Orphans> {
  if (executions.length === 0) return { found: [], isKnown: true };
  const table = await listProcesses(platform, run);
  if (table === "no answer") return { found: [], isKnown: false };
  const looked = executions.map(({ logPath, ...execution }) => {
    const root: TreeRoot = { ...execution, ...(logPath === undefined ? undefined : readNotes(logPath)) };
    const rows = selectTree(table, root);
    if (rows.length === 0 && logPath !== undefined) discardNotes(logPath);
    return { root, rows };
  });
  return {
    found: looked.flatMap(({ root, rows }) =>
      rows.length === 0 ? [] : [{ ...root, processes: rows.map(toRef) }],
    ),
    isKnown: looked.every(({ root, rows }) => isRecognisable(root, rows, platform)),
  };
}

/** Ends an orphan and resolves with what could not be ended, to be named to the person. Never rejects. */
export function endOrphan(orphan: Orphan, system: EndingSystem = here): Promise<Remainder> {
  return endTree(orphan, { graceMs: orphanGraceMs }, system);
}

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
