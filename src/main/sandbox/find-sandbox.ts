/** Finds what confines commands on this system, which nobody but root can have put there, and never one that PATH names. */
import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname } from "node:path";

const seatbelt = "sandbox-exec";
const placesOf: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: ["/usr/bin/bwrap", "/usr/local/bin/bwrap"],
  darwin: [`/usr/bin/${seatbelt}`],
};
const writableByOthers = 0o022;
const runsAsOwner = 0o6000;

export const howToInstall =
  "Install it with sudo apt install bubblewrap, sudo dnf install bubblewrap or what your system has for that.";

/** What is looked at of a file. */
type Look = (path: string) => { uid: number; mode: number };

/** Why a program must not be relied on, or undefined. */
export function findFault(path: string, look: Look = lstatSync): string | undefined {
  for (const each of [path, dirname(path)]) {
    const { uid, mode } = look(each);
    if (uid !== 0) return `${each} does not belong to root`;
    if ((mode & writableByOthers) !== 0) return `${each} can be written by others than root`;
  }
  if ((look(path).mode & runsAsOwner) !== 0) return `${path} runs with the rights of its owner`;
  return undefined;
}

export type Found = { program: string } | { why: string };

/** Whether it is macOS' own, which is told by its name: it is looked for in its fixed place alone. */
export const isSeatbelt = (program: string): boolean => basename(program) === seatbelt;

/** @param candidates where it is looked for, the first that is there counts */
export function findSandbox(platform = process.platform, candidates = placesOf[platform]): Found {
  if (candidates === undefined) return { why: "there is none for this system" };
  for (const candidate of candidates) {
    if (lstatSync(candidate, { throwIfNoEntry: false }) === undefined) continue;
    const program = realpathSync(candidate);
    const fault = findFault(program);
    return fault === undefined ? { program } : { why: fault };
  }
  return {
    why:
      platform === "linux"
        ? `bubblewrap is not installed. ${howToInstall}`
        : `this system has no ${candidates.join(" or ")}`,
  };
}
