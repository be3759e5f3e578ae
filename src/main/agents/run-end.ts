/** How a run of a source ended: the one place that tells a stop, a failure and a wait apart. */
import { GateParked } from "../gate/call.ts";
import { TurnStopped } from "../gate/run-context.ts";

/** `waiting`: nothing goes on any more until a person decided; all that is waited for is in the queue. */
export type Rest = "done" | "waiting";

export type RunEnd =
  | { kind: Rest }
  | { kind: "stopped"; problem: string | undefined }
  | { kind: "failed"; error: unknown };

/** @param signal ends the run. */
export async function endOf(running: Promise<Rest>, signal: AbortSignal): Promise<RunEnd> {
  try {
    return { kind: await running };
  } catch (error) {
    if (error instanceof TurnStopped && error.outcome === "stopped")
      return { kind: "stopped", problem: error.message };
    if (error instanceof TurnStopped) return { kind: "failed", error };
    if (signal.aborted) return { kind: "stopped", problem: undefined };
    return error instanceof GateParked ? { kind: "waiting" } : { kind: "failed", error };
  }
}
