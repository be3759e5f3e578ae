/** What a process is to the shell, and how `ps` tells of all processes where there is no /proc. */

import { executionMarker } from "./environment.ts";
import type { RunProgram } from "./run-program.ts";

/** A process as a person is told about it. `startTime` tells it apart from a later process with the same pid. */
export type ProcessRef = {
  pid: number;
  /** Opaque. On Linux boot id and kernel start ticks, elsewhere the second since 1970 in which it started. */
  startTime: string;
  /** Its command line, shortened. */
  name: string;
};

export type ProcessRow = ProcessRef & {
  parent: number;
  group: number;
  session: number;
  /** The name of the terminal it belongs to, such as `ttys003`; undefined without one, and where nobody tells. */
  terminal: string | undefined;
  /** The execution it was started under, when its environment can be read. */
  executionId: string | undefined;
  /** Its limit that nothing but a mark of ours sets, on Linux. */
  limitMark: string | undefined;
};

/** All processes that can be seen, or that the system did not say. No answer is never an empty table. */
export type ProcessTable = readonly ProcessRow[] | "no answer";

/** Longer command lines are cut: they are shown to a person. */
export const nameLength = 200;

/** Slower, and it counts as no answer. */
const answerWithinMs = 1500;

const rowPattern =
  /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\w{3}\s+\w{3}\s+\d+\s+[\d:]+\s+\d{4})\s+(.*)$/;
const columns = "pid=,ppid=,pgid=,stat=,tty=,lstart=,command=";
const environment = {
  PATH: "/usr/bin:/bin",
  LC_ALL: "C",
  // The starts are printed in local time, and this process may have been told another zone.
  TZ: "UTC",
};

/** Parses what `ps -axww -o` prints of these columns; undefined when not one row can be read. */
export function parsePsTable(table: string): ProcessRow[] | undefined {
  let isTable = false;
  const rows = table.split("\n").flatMap((line): ProcessRow[] => {
    const [, pid, parent, group, state, terminal, started, command] = rowPattern.exec(line) ?? [];
    const startedAt = Date.parse(`${started} UTC`) / 1000;
    if (command === undefined || Number.isNaN(startedAt)) return [];
    isTable = true;
    if (state?.startsWith("Z")) return [];
    return [
      {
        pid: Number(pid),
        startTime: String(startedAt),
        name: command.slice(0, nameLength),
        parent: Number(parent),
        group: Number(group),
        // ps cannot print the session on every system; the group is the nearest thing.
        session: Number(group),
        terminal: terminal === undefined || /^[?-]+$/.test(terminal) ? undefined : terminal,
        executionId: undefined,
        limitMark: undefined,
      },
    ];
  });
  return isTable ? rows : undefined;
}

/** Parses `ps -axEww -o pid=,command=`, where the environment follows the command: the marker of each process with one. */
export function parsePsMarkers(table: string): Map<number, string> {
  const marker = new RegExp(`^\\s*(\\d+)\\s.*?\\s${executionMarker}=(\\S+)`);
  return new Map(
    table.split("\n").flatMap((line) => {
      const [, pid, executionId] = marker.exec(line) ?? [];
      return executionId === undefined ? [] : [[Number(pid), executionId] as const];
    }),
  );
}

/**
 * All processes as ps tells of them. macOS keeps the environment of its own programs to itself, so that few carry a
 * marker; it is asked for apart, since it stands behind the command, and its absence is no failure.
 */
export async function listWithPs(run: RunProgram): Promise<ProcessTable> {
  const options = { env: environment, timeoutMs: answerWithinMs };
  const [table, marked] = await Promise.all([
    run("ps", ["-axww", "-o", columns], options),
    run("ps", ["-axEww", "-o", "pid=,command="], options),
  ]);
  const rows = table === undefined ? undefined : parsePsTable(table);
  if (rows === undefined) return "no answer";
  const markers = parsePsMarkers(marked ?? "");
  return rows.map((row) => ({ ...row, executionId: markers.get(row.pid) }));
}
