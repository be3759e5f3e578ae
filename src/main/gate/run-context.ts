/** What one run of a turn knows while it lasts: who is working, who waits, and which sub-agent a namespace belongs to. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { ThreadId, TurnId } from "../../shared/ids.ts";

export type RunContext = {
  threadId: ThreadId;
  turnId: TurnId;
  /** Absolute real path of the thread's workspace. */
  workspace: string;
  /** Whether a call may run with other arguments than its agent chose. */
  mayEdit: boolean;
  signal: AbortSignal;
  /** Sub-agents by the LangGraph namespace segment of the `task` call they run in. */
  subAgents: Map<string, { name: string; itemId: string }>;
  /** Model calls and effects going on right now, not counting `task` calls and waiting gates. */
  busy: number;
  /** Called when `busy` fell to zero. */
  onQuiet(): void;
  /** Transcript items of messages that were written down whole, so that their deltas are not kept as partial ones. */
  finishedMessages: Set<string>;
  /** How often the very same call was refused in this turn, by tool and arguments. */
  refusals: Map<string, number>;
};

const storage = new AsyncLocalStorage<RunContext>();

/**
 * Runs a turn's work under its context. A graph serves many threads at once; what acts in one of them learns here which,
 * and what an ended run left behind never takes the next run for its own.
 */
export function runInContext<T>(context: RunContext, act: () => Promise<T>): Promise<T> {
  return storage.run(context, act);
}

/** @throws when nothing in the call's past is a run: such a call belongs to no thread and must not happen. */
export function currentRun(): RunContext {
  const run = storage.getStore();
  if (!run) throw new Error("This call belongs to no run of a thread.");
  return run;
}

/** Aborts with the run that this call belongs to; nothing outside of runs. */
export function runSignal(): AbortSignal | undefined {
  return storage.getStore()?.signal;
}

/** Ends a turn with a sentence for the person. */
export class TurnStopped extends Error {
  override name = "TurnStopped";
  readonly outcome: "stopped" | "failed";
  constructor(outcome: "stopped" | "failed", message: string) {
    super(message);
    this.outcome = outcome;
  }
}

/** The TurnStopped in an error, however often middleware wrapped it on the way out. */
export function findTurnStopped(error: unknown): TurnStopped | undefined {
  if (error instanceof TurnStopped) return error;
  return error instanceof Error ? findTurnStopped(error.cause) : undefined;
}

/** The sub-agents on the way to a namespace such as `tools:a|tools:b|model_request:c`, outermost first. */
export function pathOf(
  run: RunContext,
  namespace: string,
): { agentPath: string[]; parentItemId: string | undefined } {
  const parents = namespace
    .split("|")
    .slice(0, -1)
    .map((segment) => run.subAgents.get(segment))
    .filter((agent) => agent !== undefined);
  return { agentPath: parents.map((agent) => agent.name), parentItemId: parents.at(-1)?.itemId };
}

/** Counts an activity as busy while it lasts. */
export async function whileBusy<T>(run: RunContext, act: () => Promise<T>): Promise<T> {
  run.busy += 1;
  try {
    return await act();
  } finally {
    run.busy -= 1;
    if (run.busy === 0) run.onQuiet();
  }
}
