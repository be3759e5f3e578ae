/** Reads the operating system's process table: who is whose child, since when, and which execution it belongs to. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { executionMarker } from "./environment.ts";
import { readLimitMark } from "./limit-mark.ts";
import { listWithPs, nameLength, type ProcessRow, type ProcessTable } from "./ps-table.ts";
import { type RunProgram, runProgram } from "./run-program.ts";
import { listOnWindows } from "./windows-table.ts";

/** Rows read between two turns of the event loop, so that a large table never blocks it. */
const rowsPerTurn = 64;
/** Outside Linux a start is known to the second only, and two clocks are compared. */
const startToleranceSeconds = 2;
/** So many numbers are tried one by one; for more, listing all processes is cheaper. */
const fewPids = 64;

let bootId: string | undefined;

function readBootId(): string {
  bootId ??= readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  return bootId;
}

function findMarker(environment: string): string | undefined {
  const entry = environment.split("\0").find((line) => line.startsWith(`${executionMarker}=`));
  return entry?.slice(executionMarker.length + 1);
}

/** The environment of a foreign or just exited process cannot be read; it then counts as unmarked. */
function readMarker(pid: number): string | undefined {
  try {
    return findMarker(readFileSync(`/proc/${pid}/environ`, "utf8"));
  } catch {
    return undefined;
  }
}

function readName(pid: number, fallback: string): string {
  const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
  return (line === "" ? fallback : line).slice(0, nameLength);
}

type LinuxStat = Omit<ProcessRow, "pid" | "executionId" | "limitMark"> & { state: string | undefined };

/** What the kernel tells in one small file. @throws when there is no such process. */
function readStat(pid: number): LinuxStat {
  // Node reads UTF-8 in one call, other encodings in several; a broken name does not matter here.
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name stands in parentheses and may hold anything, parentheses and blanks included.
  const nameEnd = stat.lastIndexOf(")");
  const [state, parent, group, session, , , , , , , , , , , , , , , , ticks] = stat
    .slice(nameEnd + 2)
    .split(" ");
  return {
    state,
    startTime: `${readBootId()}/${ticks}`,
    name: stat.slice(stat.indexOf("(") + 1, nameEnd),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    // The session tells as much, and the number of the terminal would have to be looked up.
    terminal: undefined,
  };
}

/** One process on Linux, or undefined when it has ended (a zombie has ended too). */
export function readLinuxProcess(pid: number): ProcessRow | undefined {
  try {
    const { state, name, ...stat } = readStat(pid);
    if (state === "Z" || state === "X") return undefined;
    const marks = { executionId: readMarker(pid), limitMark: readLimitMark(pid) };
    return { pid, ...stat, name: readName(pid, name), ...marks };
  } catch {
    return undefined;
  }
}

const isPid = (name: string) => /^\d+$/.test(name);

async function listLinux(after: number): Promise<ProcessRow[]> {
  const pids = readdirSync("/proc")
    .filter(isPid)
    .map(Number)
    .filter((pid) => pid > after);
  const rows: ProcessRow[] = [];
  for (const [index, pid] of pids.entries()) {
    if (index % rowsPerTurn === rowsPerTurn - 1) await new Promise((resolve) => setImmediate(resolve));
    const row = readLinuxProcess(pid);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

/** All processes that can be seen on such a system, as its own programs tell where there is no /proc. */
export async function listProcesses(
  platform: NodeJS.Platform = process.platform,
  run: RunProgram = runProgram,
): Promise<ProcessTable> {
  if (platform === "linux") return listLinux(0).catch(() => "no answer" as const);
  return platform === "win32" ? listOnWindows(run) : listWithPs(run);
}

/** The start of a process that was started just now, in the form of ProcessRef. */
export function startTimeOf(pid: number): string {
  if (process.platform !== "linux") return String(Math.floor(Date.now() / 1000));
  try {
    return readStat(pid).startTime;
  } catch {
    return "";
  }
}

/** Whether two start times of the same pid mean the same process. */
export function isSameStart(one: string, other: string): boolean {
  if (one === other) return one !== "";
  // A start on Linux is exact, and names its boot.
  if (one === "" || other === "" || `${one}${other}`.includes("/")) return false;
  return Math.abs(Number(one) - Number(other)) <= startToleranceSeconds;
}

/** The pid that was given out last, to a thread or a process; undefined where the kernel does not tell. */
function readNewestPid(): number | undefined {
  try {
    const newest = Number(readFileSync("/proc/loadavg", "utf8").trim().split(" ").at(-1));
    return Number.isInteger(newest) ? newest : undefined;
  } catch {
    return undefined;
  }
}

/**
 * All processes made after `pid`, and perhaps others, at the price of a few small reads when few were made: an answer
 * to whether anything can be left of a command, not a table to show. A thread may stand in it like a process.
 */
export async function listNewerProcesses(pid: number): Promise<ProcessTable> {
  if (process.platform !== "linux") return listProcesses();
  const newest = readNewestPid();
  // Pids have wrapped around, or the number is not to be trusted: look everywhere.
  if (newest === undefined || newest < pid) return listLinux(0);
  if (newest - pid > fewPids) return listLinux(pid);
  const rows: ProcessRow[] = [];
  for (let newer = pid + 1; newer <= newest; newer += 1) {
    // Most have ended; to learn that from a failed read would cost more.
    const row = existsSync(`/proc/${newer}`) ? readLinuxProcess(newer) : undefined;
    if (row !== undefined) rows.push(row);
  }
  return rows;
}
