/** Finds the descriptors that a new program would inherit, since none of them are its business. */

import { readdirSync, readFileSync } from "node:fs";

const DESCRIPTORS = "/proc/self/fdinfo";
const FIRST_BEYOND_STANDARD = 3;
/** `O_CLOEXEC`, the same on every architecture Node runs on. */
const CLOSES_ON_EXEC = 0o2000000;

function isInherited(descriptor: number): boolean {
  try {
    const flags = /^flags:\s+(\d+)$/m.exec(readFileSync(`${DESCRIPTORS}/${descriptor}`, "latin1"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSES_ON_EXEC) === 0;
  } catch {
    // It was the one that read the folder.
    return false;
  }
}

/**
 * The terminals of other commands, which node-pty leaves open for every new program, and in a process of Electron
 * whatever Chromium has open. Linux only: on macOS node-pty itself closes what a program should not have.
 */
export function findInheritedDescriptors(): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync(DESCRIPTORS)
    .map(Number)
    .filter((descriptor) => descriptor >= FIRST_BEYOND_STANDARD && isInherited(descriptor));
}
