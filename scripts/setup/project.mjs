/** Where things are, how set-up talks, and the one kind of error it ends with. Runs on Node 20 with nothing installed. */
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const cacheDir = join(root, ".cache");

/** Set-up failed for a reason a person can mend; the message says what to do next. */
export class SetupError extends Error {
  name = "SetupError";
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

/** Runs a script's main function: a SetupError becomes one line and exit code 1, anything else keeps its stack. */
export async function main(run) {
  try {
    const major = Number(process.versions.node.split(".")[0]);
    if (major < 20)
      throw new SetupError(
        `Node ${process.versions.node} is too old. Install Node 20 or newer from https://nodejs.org.`,
      );
    process.exitCode = await run(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    report(error.message);
    process.exitCode = 1;
  }
}
