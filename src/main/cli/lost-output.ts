/** What a command does when nobody reads its output, or it cannot be written: it ends without a stack that says nothing to anybody. */
import type { Writable } from "node:stream";
import { messageOf } from "../../shared/message-of.ts";

/** As of any program that a closed pipe ends. */
const closedPipe = 141;
const failed = 1;

/**
 * A command that had ended keeps its exit code, since it did what it says; what was still at work ends with the pipe.
 * What could not be written for another reason is told.
 */
export function endWithOutput(stdout: Writable, stderr: Writable): void {
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(process.exitCode ?? closedPipe);
    stderr.write(`What it says could not be written: ${messageOf(error)}\n`, () => process.exit(failed));
  });
  // Where nobody can be told, only the exit code is left.
  stderr.on("error", () => undefined);
}
