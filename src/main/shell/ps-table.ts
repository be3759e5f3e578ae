/** What a process is to the shell, and how the lines of ps become such rows where there is no /proc. */

import { EXECUTION_MARKER } from "./environment.ts";

/** A process as a person is told about it. `startTime` tells it apart from a later process with the same pid. */
export interface ProcessRef {
  pid: number;
  /** Opaque. On Linux boot id and kernel start ticks, elsewhere the second since 1970 in which it started. */
  startTime: string;
  /** Its command line, shortened. */
  name: string;
}

export interface ProcessRow extends ProcessRef {
  parent: number;
  group: number;
  session: number;
  /** The execution it was started under, when its environment can be read. */
  executionId: string | undefined;
}

/** Longer command lines are cut: they are shown to a person. */
export const NAME_LENGTH = 200;

const PS_ROW = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w{3}\s+\w{3}\s+\d+\s+[\d:]+\s+\d{4})\s+(.*)$/;

/** Parses `ps -axEww -o pid=,ppid=,pgid=,stat=,lstart=,command=`, where the environment follows the command. */
export function parsePsTable(table: string): ProcessRow[] {
  return table.split("\n").flatMap((line) => {
    const [, pid, parent, group, state, started, command] = PS_ROW.exec(line) ?? [];
    if (pid === undefined || started === undefined || command === undefined || state?.startsWith("Z"))
      return [];
    const marker = new RegExp(`(?:^|\\s)${EXECUTION_MARKER}=(\\S+)`).exec(command);
    return [
      {
        pid: Number(pid),
        startTime: String(Date.parse(started) / 1000),
        name: command.slice(0, NAME_LENGTH),
        parent: Number(parent),
        group: Number(group),
        // ps cannot print the session on every system; the group is the nearest thing.
        session: Number(group),
        executionId: marker?.[1],
      },
    ];
  });
}
