/** Where things are, how set-up talks, and the one kind of error it ends with. Runs on Node 18 with nothing installed. */
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const cacheDir = join(root, ".cache");

/** Set-up failed for a reason a person can mend; the message says what to do next. */
export class SetupError extends Error {
  name = "SetupError";
}

/** A person stopped set-up, so there is nothing to explain. */
export class Stopped extends Error {
  name = "Stopped";
  constructor(exitCode) {
    super("Set-up was stopped.");
    this.exitCode = exitCode;
  }
}

/** One line of progress, on stderr so that stdout belongs to the program that is started. */
export function report(line) {
  process.stderr.write(`countersign: ${line}\n`);
}

/** SHA-256 over any number of strings and buffers, as hex. */
export function hash(...parts) {
  const sum = createHash("sha256");
  for (const part of parts) sum.update(part).update("\0");
  return sum.digest("hex");
}

/** The sentence for a Node that is too old, or undefined. */
export function whyNotThisNode(version) {
  const [major, minor] = version.split(".").map(Number);
  // The first with everything that set-up itself uses.
  if (major > 20 || (major === 20 && minor >= 12)) return undefined;
  return `Node ${version} is too old. Install Node 20.12 or newer from https://nodejs.org, then run the same command again.`;
}

/** What a person can do about a folder that cannot be written to; undefined for any other error. */
export function explainSystemError({ code, path }) {
  const where = path === undefined ? root : path;
  if (code === "EROFS" || code === "EACCES" || code === "EPERM")
    return `${where} cannot be written to (${code}). Countersign sets itself up in its own folder: move it to one that belongs to you, then run the same command again.`;
  if (code === "ENOSPC" || code === "EDQUOT")
    return `There is no space left on the disk for ${where}. Set-up needs about 1.5 GB. Make room, then run the same command again.`;
  return undefined;
}

/** Runs a script's main function: what a person can mend becomes one line and exit code 1, anything else keeps its stack. */
export async function main(run) {
  try {
    const problem = whyNotThisNode(process.versions.node);
    if (problem !== undefined) throw new SetupError(problem);
    process.exitCode = await run(process.argv.slice(2));
  } catch (error) {
    if (error instanceof Stopped) {
      process.exitCode = error.exitCode;
      return;
    }
    const message = error instanceof SetupError ? error.message : explainSystemError(error);
    if (message === undefined) throw error;
    report(message);
    process.exitCode = 1;
  }
}
