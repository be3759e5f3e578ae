/** The processes of Windows: who started whom and when, and the program that ends them. */

import { win32 } from "node:path";
import { nameLength, type ProcessRow, type ProcessTable } from "./ps-table.ts";
import type { RunProgram } from "./run-program.ts";

/** PowerShell takes its time to start; this stands between a Stop and its answer. */
const answerWithinMs = 5000;
const endWithinMs = 3000;

/** Times as whole seconds since 1970; a process that keeps its start to itself has none. */
const query = [
  "[Console]::OutputEncoding = [Text.Encoding]::UTF8;",
  "$begin = [DateTime]::new(1970, 1, 1, 0, 0, 0, [DateTimeKind]::Utc);",
  "Get-CimInstance Win32_Process -Property ProcessId,ParentProcessId,CreationDate,Name | ForEach-Object {",
  "$at = if ($_.CreationDate) { [Math]::Floor(($_.CreationDate.ToUniversalTime() - $begin).TotalSeconds) } else { '-' };",
  "'{0} {1} {2} {3}' -f $_.ProcessId, $_.ParentProcessId, $at, $_.Name }",
].join(" ");

const rowPattern = /^(\d+) (\d+) (\d+|-) (.+)$/;

/** By its full path: of a bare name, one in the current folder would be started. */
export function systemProgram(name: string, env: NodeJS.ProcessEnv = process.env): string {
  return win32.join(env.SystemRoot ?? env.windir ?? "C:\\Windows", "System32", name);
}

/** Parses what the query prints; undefined when not one row can be read. */
export function parseWindowsTable(table: string): ProcessRow[] | undefined {
  const rows = table.split(/\r?\n/).flatMap((line): ProcessRow[] => {
    const [, pid, parent, started, name] = rowPattern.exec(line.trim()) ?? [];
    if (name === undefined) return [];
    return [
      {
        pid: Number(pid),
        startTime: started === "-" ? "" : String(started),
        name: name.slice(0, nameLength),
        parent: Number(parent),
        // Windows knows neither groups nor sessions that a command would have to itself.
        group: 0,
        session: 0,
        terminal: undefined,
        executionId: undefined,
        limitMark: undefined,
      },
    ];
  });
  return rows.length === 0 ? undefined : rows;
}

/** All processes as Windows tells of them. */
export async function listOnWindows(run: RunProgram): Promise<ProcessTable> {
  const powershell = systemProgram("WindowsPowerShell\\v1.0\\powershell.exe");
  const args = ["-NoLogo", "-NoProfile", "-NonInteractive", "-Command", query];
  const table = await run(powershell, args, { timeoutMs: answerWithinMs });
  return (table === undefined ? undefined : parseWindowsTable(table)) ?? "no answer";
}

/** Ends processes by force, each with what it started. Whether it worked is seen in the table afterwards. */
export async function endOnWindows(pids: readonly number[], run: RunProgram): Promise<void> {
  if (pids.length === 0) return;
  const named = pids.flatMap((pid) => ["/PID", String(pid)]);
  await run(systemProgram("taskkill.exe"), [...named, "/T", "/F"], { timeoutMs: endWithinMs });
}
