/** What V8 is told while a host runs that was started small (scripts/setup/serve-host.mjs); any other is left as it is. */
import { setFlagsFromString } from "node:v8";

const notesAfter = "--invocation-count-for-feedback-allocation";
let isSmall = process.execArgv.some((one) => one.startsWith(notesAfter));

/** For threads that are started from now on: they keep little of what they make. */
export function startThreadsSmall(): void {
  if (isSmall) setFlagsFromString("--max-semi-space-size=1");
}

/**
 * To be called when a turn has ended. What a start and a first turn call a few times was called by then; from now on V8 notes
 * what a function is called with as soon as it does elsewhere, or work would go on in its slowest code for hundreds of steps.
 */
export function endSmallStart(): void {
  if (isSmall) setFlagsFromString(`${notesAfter}=8`);
  isSmall = false;
}
