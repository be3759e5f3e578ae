/** What the gate knows of the run of a turn while it lasts: whose it is, what ends it, and how much goes on in it. */
import type { ThreadId, TurnId } from "../../shared/ids.ts";

export type RunContext = {
  threadId: ThreadId;
  turnId: TurnId;
  /** Absolute real path of the thread's workspace. */
  workspace: string;
  /** Whether a call may run with other arguments than its agent chose. */
  mayEdit: boolean;
  signal: AbortSignal;
  /** Model calls and effects going on right now, not counting calls that hand work on and waiting gates. */
  busy: number;
  /** Called when `busy` fell to zero. */
  onQuiet(): void;
  /** How often the very same call was refused in this turn, by tool and arguments. */
  refusals: Map<string, number>;
};

/** Ends a turn with a sentence for the person. */
export class TurnStopped extends Error {
  override name = "TurnStopped";
  readonly outcome: "stopped" | "failed";
  constructor(outcome: "stopped" | "failed", message: string) {
    super(message);
    this.outcome = outcome;
  }
}

/** Counts an activity as busy while it lasts. */
export async function countAsBusy<T>(run: RunContext, act: () => Promise<T>): Promise<T> {
  run.busy += 1;
  try {
    return await act();
  } finally {
    run.busy -= 1;
    if (run.busy === 0) run.onQuiet();
  }
}

/** Ends a run since a person wants it to end, and not since the app does. */
export class StoppedByPerson extends Error {
  override name = "StoppedByPerson";
}
