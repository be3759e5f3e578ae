/** Reads how much memory other processes hold, so that work done in a child is counted too. */
import { readFileSync } from "node:fs";

const pageBytes = 4096;

/** Resident bytes; 0 where the system does not tell (only Linux does, by file) or the process is gone. */
export function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1]) * pageBytes;
  } catch {
    return 0;
  }
}
