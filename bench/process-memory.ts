/** Reads how much memory other processes hold, so that work done in a child is counted too. */
import { readdirSync, readFileSync } from "node:fs";

const pageBytes = 4096;

/** Resident bytes; 0 where the system does not tell (only Linux does, by file) or the process is gone. */
export function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1]) * pageBytes;
  } catch {
    return 0;
  }
}

const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1").split(" ").filter(Boolean).map(Number),
  );

/** Bytes of a process and all below it, what they share with others counted in parts; 0 where the system does not tell. */
export function treeBytes(pid: number): number {
  try {
    const kib = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "latin1"))?.[1];
    return childrenOf(pid).reduce((sum, child) => sum + treeBytes(child), Number(kib) * 1024);
  } catch {
    return 0;
  }
}

/** The most that a process alone ever had resident, in bytes; 0 where the system does not tell. */
export function peakBytes(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]) * 1024;
  } catch {
    return 0;
  }
}

/** Seconds of processor that a process and all below it took so far, children that have ended included; 0 where the system does not tell. */
export function treeProcessorSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]!.split(" ");
    const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) / 100, 0);
    return childrenOf(pid).reduce((sum, child) => sum + treeProcessorSeconds(child), own);
  } catch {
    return 0;
  }
}

/** Seconds of processor that a process took so far, its ended children left out; 0 where the system does not tell. */
export function processorSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]!.split(" ");
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0;
  }
}
